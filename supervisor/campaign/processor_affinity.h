// A worker and the program it has launched take turns. On one processor they hand over to each other several times as
// fast as across two.
#pragma once

namespace raddle {

// The calling thread, and what it starts from now on, keeps to one of the processors we may use; a single worker to the
// one it is on. With more workers than processors none does.
void keep_to_one_core(unsigned worker, unsigned workers);

}  // namespace raddle
