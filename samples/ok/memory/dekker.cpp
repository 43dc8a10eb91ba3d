// ok: Dekker's lock for two threads
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> wants[2], turn, inside;

void work(int me) {
    const int other = 1 - me;
    wants[me] = 1;
    while (wants[other] != 0) {
        if (turn == me) continue;
        wants[me] = 0;
        while (turn != me) {}
        wants[me] = 1;
    }
    assert(inside.exchange(1) == 0);
    inside = 0;
    turn = other;
    wants[me] = 0;
}

int main() {
    std::thread a(work, 0), b(work, 1);
    a.join();
    b.join();
}
