// ok: a sequence lock
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> sequence;
std::atomic<int> left, right;

void change() {
    sequence = 1;
    left = 1;
    right = 1;
    sequence = 2;
}

void look() {
    for (;;) {
        const unsigned before = sequence;
        if (before % 2 != 0) continue;
        const int l = left, r = right;
        if (sequence != before) continue;
        assert(l == r);
        return;
    }
}

int main() {
    std::thread writer(change), reader(look);
    writer.join();
    reader.join();
}
