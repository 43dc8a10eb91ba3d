// ok: Peterson's lock for two threads
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> wants[2], turn;
std::atomic<int> inside;

void work(int me) {
    const int other = 1 - me;
    wants[me] = 1;
    turn = other;
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
