// bug: a ticket lock whose tickets are drawn in two steps, so that two threads may have the same and who comes next waits for ever; preemptions: 1
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> next, serving;
std::atomic<int> inside;

unsigned draw() {
    const unsigned mine = next;
    next = mine + 1;
    return mine;
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
