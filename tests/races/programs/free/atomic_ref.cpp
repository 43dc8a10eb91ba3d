// Plain moves again, in functions made from templates: their symbol names begin with the return type.
#include <atomic>
#include <thread>
static bool ready;
static volatile int data;  // volatile: a read ahead of the flag would be a race made by the compiler
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
