// bug: a spin lock tests in one step that it is free and takes it in another; preemptions: 2
// build: -O2
// run: --memory atomics --bound 2
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> locked, inside;

void lock() {
    while (locked != 0) {}
    locked = 1;
}

void work() {
    lock();
    assert(inside.exchange(1) == 0);
    inside = 0;
    locked = 0;
}

int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
}
