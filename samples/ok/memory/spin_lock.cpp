// ok: a spin lock
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> locked, inside;

void lock() {
    for (int free = 0; !locked.compare_exchange_weak(free, 1); free = 0) {}
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
