// ok: a work-stealing deque after Chase and Lev
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> top, bottom, piece[2], taken[3];

void push(int value) {
    const int b = bottom;
    piece[b % 2] = value;
    bottom = b + 1;
}

bool take_last(int t) {
    return top.compare_exchange_strong(t, t + 1);
}

int pop() {
    const int b = bottom - 1;
    bottom = b;
    const int t = top;
    if (t > b) {
        bottom = b + 1;
        return 0;
    }
    int value = piece[b % 2];
    if (t == b) {
        if (!take_last(t)) value = 0;
        bottom = b + 1;
    }
    return value;
}

int steal() {
    int t = top;
    if (t >= bottom) return 0;
    const int value = piece[t % 2];
    return top.compare_exchange_strong(t, t + 1) ? value : 0;
}

void done(int value) {
    if (value != 0) assert(taken[value].exchange(1) == 0);
}

int main() {
    push(1);
    std::thread thief([] { done(steal()); });
    done(pop());
    thief.join();
}
