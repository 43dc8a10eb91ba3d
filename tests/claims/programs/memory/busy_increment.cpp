// A lost update beside much work on each thread's own memory.
// build: -O1
// modes: default kernel
// expect: assertion
#include <cstdlib>
#include <thread>
static long counter;
static volatile unsigned sink;
static unsigned work(unsigned seed) {
    unsigned values[64];
    for (unsigned i = 0; i < 64; ++i) values[i] = seed + i;
    for (unsigned round = 0; round < 100; ++round)
        for (unsigned i = 0; i < 64; ++i) values[i] = values[i] * 1664525u + values[(i * 7 + round) & 63];
    return values[seed & 63];
}
int main() {
    const auto body = [] {
        sink = work(7);
        counter = counter + 1;
    };
    std::thread one(body), two(body);
    one.join();
    two.join();
    if (counter != 2) std::abort();
}
