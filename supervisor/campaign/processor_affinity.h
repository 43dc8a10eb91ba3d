// A worker and its program take turns. The switch is several times as fast on one processor as across two.
#pragma once

namespace raddle {

// Binds the calling thread and its future children to one processor; a single worker to its current one. Does nothing
// if there are more workers than processors.
void keep_to_one_core(unsigned worker, unsigned workers);

}  // namespace raddle
