// parallel_for and parallel_pipeline of oneTBB.
// flags: -ltbb
#include <atomic>
#include <cstdio>
#include <tbb/tbb.h>

int main() {
    tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
    std::atomic<long> sum{0};
    tbb::parallel_for(0, 100, [&](int i) { sum += i; });
    int next = 0;
    long squares = 0;
    tbb::parallel_pipeline(
        2, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                       [&](tbb::flow_control& control) {
                                           if (next == 5) control.stop();
                                           return next++;
                                       }) &
               tbb::make_filter<int, int>(tbb::filter_mode::parallel, [](int i) { return i * i; }) &
               tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [&](int i) { squares += i; }));
    std::printf("%ld %ld\n", sum.load(), squares);
}
