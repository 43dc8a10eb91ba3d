// Plain moves, on x86: only their function's name tells that they are atomic.
#include <atomic>
#include <thread>
static std::atomic<bool> ready;
static volatile int data;  // so that it is not read ahead, which would be a race of the compiler's
int main() {
    int seen = 7;
    std::thread other([] {
        data = 7;
        ready.store(true, std::memory_order_release);
    });
    if (ready.load(std::memory_order_acquire)) seen = data;
    other.join();
    return seen == 7 ? 0 : 1;
}
