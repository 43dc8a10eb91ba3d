// Futexes that the kernel hands from owner to owner: FUTEX_LOCK_PI and its family. The word holds the owner's thread
// id.
#pragma once

#include <time.h>

#include <cstdint>

namespace raddle::futex::pi {

// Each returns as the system call does. The programs' own instructions take and release an uncontended word without a
// call. `time`: null, or a point in time.
long lock(const std::uint32_t* word, const timespec* time, clockid_t clock);
long try_lock(const std::uint32_t* word);
long unlock(const std::uint32_t* word);

}  // namespace raddle::futex::pi
