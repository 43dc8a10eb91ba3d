// Plain moves again, in functions made from templates: their names begin with what they return.
#include <atomic>
#include <thread>
static bool ready;
static volatile int data;  // so that it is not read ahead, which would be a race of the compiler's
int main() {
    int seen = 7;
    std::thread other([] {
        data = 7;
        std::atomic_ref(ready).store(true, std::memory_order_release);
    });
    if (std::atomic_ref(ready).load(std::memory_order_acquire)) seen = data;
    other.join();
    return seen == 7 ? 0 : 1;
}
