// bug: a static variable of a function is initialised safely, but two threads increment it without a lock; preemptions: 1
// build: -O2
// run: --memory races --races explore
#include <cassert>
#include <cstdlib>
#include <thread>

volatile int start = 3;

struct Counter {
    volatile int value = start;
};

int next() {
    static Counter counter;
    const int ticket = counter.value;
    counter.value = ticket + 1;
    return ticket;
}

int main() {
    int a = 0, b = 0;
    std::thread other([&a] { a = next(); });
    b = next();
    other.join();
    assert(a != b);
}
