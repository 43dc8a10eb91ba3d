#include "supervisor/base/processor_time.h"

#include <sys/resource.h>

#include <atomic>
#include <initializer_list>

namespace raddle {

namespace {

std::atomic<double> added_seconds{0};

}  // namespace

double processor_seconds() {
    double seconds = added_seconds;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        ::getrusage(who, &usage);
        for (const timeval& time : {usage.ru_utime, usage.ru_stime})
            seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    }
    return seconds;
}

void add_processor_seconds(double seconds) { added_seconds += seconds; }

}  // namespace raddle
