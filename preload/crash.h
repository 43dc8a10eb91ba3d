// Signals that a program dies of: what is known about the crash is noted, then the default action is taken.
#pragma once

namespace raddle::crash {

void install();

}  // namespace raddle::crash
