// ok: a ticket lock
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> next, serving;
std::atomic<int> inside;

unsigned draw() {
    return next++;
}

void work() {
    const unsigned mine = draw();
    while (serving != mine) {}
    assert(inside.exchange(1) == 0);
    inside = 0;
    serving = mine + 1;
}

int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
}
