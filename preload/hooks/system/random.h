// The device that random numbers are read from.
#pragma once

namespace raddle::random_device {

bool is_at(const char* path);
// A descriptor that gives a device's worth of numbers, or an error as the kernel gives it. `flags`: of open.
long open(int flags);

}  // namespace raddle::random_device
