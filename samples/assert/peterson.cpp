// bug: Peterson's lock gives priority to the other thread before it sets its own flag, so both may enter; preemptions: 2
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> wants[2], turn;
std::atomic<int> inside;

void work(int me) {
    const int other = 1 - me;
    turn = other;
    wants[me] = 1;
    while (wants[other] != 0 && turn == other) {}
    assert(inside.exchange(1) == 0);
    inside = 0;
    wants[me] = 0;
}

int main() {
    std::thread a(work, 0), b(work, 1);
    a.join();
    b.join();
}
