// Random programs. A feature is a set of phrases; programs use the features that the test switches on.
#pragma once

#include <string>
#include <vector>

#include "tests/differential/program.h"

namespace raddle::differential {

enum class Feature : std::uint8_t {
    memory,
    atomics,
    mutexes,
    conditions,
    semaphores,
    spin_locks,
    rwlocks,
    barriers,
    once,
    timed_waits,
    pipes,
    output_of_threads,  // not only main writes, after its joins; by write() and by a stream
    thread_exits,       // pthread_exit, in main too, and threads that nobody joins
    detached_threads,
    cancellation,
    out_parameters,  // variables that pthread_create and pthread_join set
    process_ends,    // exit, _exit, abort and crashes of any thread
};

// A program from the seed, with these features. It may do what POSIX does not define, or have too many states: see
// every_outcome().
Program make_program(std::uint64_t seed, const std::vector<Feature>& features);

}  // namespace raddle::differential
