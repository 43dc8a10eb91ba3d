// ok: a static variable of a function is initialised safely and incremented atomically
// build: -O2
// run: --memory races
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

volatile int start = 3;

struct Counter {
    std::atomic<int> value{start};
};

int next() {
    static Counter counter;
    return counter.value++;
}

int main() {
    int a = 0, b = 0;
    std::thread other([&a] { a = next(); });
    b = next();
    other.join();
    assert(a != b);
}
