// Plain moves on x86: only the name of the function shows that they are atomic.
#include <atomic>
#include <thread>
static std::atomic<bool> ready;
static volatile int data;  // volatile: a read ahead of the flag would be a race made by the compiler
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
