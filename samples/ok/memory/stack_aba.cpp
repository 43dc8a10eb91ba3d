// ok: a Treiber stack with a change counter in its top
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

// The number of a node; 0 means none.
std::atomic<unsigned> next[3] = {0, 2, 0};
std::atomic<unsigned> top{1};
std::atomic<int> taken[3];

unsigned changed(unsigned before, unsigned node) { return (before | 0xff) + 1 + node; }
unsigned node_of(unsigned top_now) { return top_now & 0xff; }

unsigned pop() {
    unsigned seen = top;
    while (node_of(seen) != 0 && !top.compare_exchange_strong(seen, changed(seen, next[node_of(seen)]))) {}
    return node_of(seen);
}

void push(unsigned node) {
    unsigned seen = top;
    do next[node] = node_of(seen);
    while (!top.compare_exchange_strong(seen, changed(seen, node)));
}

void take() {
    const unsigned node = pop();
    if (node != 0) assert(taken[node].exchange(1) == 0);
}

void take_two_and_give_one_back() {
    const unsigned first = pop();
    const unsigned second = pop();
    if (second != 0) assert(taken[second].exchange(1) == 0);
    if (first != 0) push(first);
}

int main() {
    std::thread a(take), b(take_two_and_give_one_back);
    a.join();
    b.join();
    take();
}
