// The replacement for /dev/random and /dev/urandom.
#pragma once

namespace raddle::random_device {

bool is_path(const char* path);
// Opens a file of random numbers. Returns a descriptor or a negative error number. `flags`: as for open().
long open(int flags);

}  // namespace raddle::random_device
