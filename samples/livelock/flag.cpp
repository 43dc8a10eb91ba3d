// bug: a thread yields until a flag is set, but the flag is cleared again before a late thread reads it; preemptions: 0
// build: -O2
// run: --memory atomics
#include <atomic>
#include <thread>

std::atomic<int> ready;

int main() {
    std::thread waits([] {
        while (ready == 0) std::this_thread::yield();
    });
    ready = 1;
    ready = 0;
    waits.join();
}
