// ok: a thread yields until a flag is set
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
    waits.join();
}
