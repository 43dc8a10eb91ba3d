// ok: Lamport's bakery lock for two threads
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> number[2], drawing[2], inside;

void work(int me) {
    const int other = 1 - me;
    drawing[me] = 1;
    number[me] = number[other] + 1;
    drawing[me] = 0;
    while (drawing[other] != 0) {}
    for (;;) {
        const int its = number[other];
        if (its == 0 || its > number[me] || (its == number[me] && other > me)) break;
    }
    assert(inside.exchange(1) == 0);
    inside = 0;
    number[me] = 0;
}

int main() {
    std::thread a(work, 0), b(work, 1);
    a.join();
    b.join();
}
