// bug: a ticket lock draws a ticket in two steps; two threads get the same one, and the next waits forever; preemptions: 1
// build: -O2
// run: --memory atomics --bound 1
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
