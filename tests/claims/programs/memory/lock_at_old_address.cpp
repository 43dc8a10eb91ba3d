// A std::mutex is left locked in one frame, and the next frame has a new one at the same address. No call marks
// either end. The standard calls it undefined, and nothing blocks: raddle names it.
// build: -std=c++20
// expect: misuse
// expect -- shared: misuse
// expect -- free: ok
#include <mutex>
#include <shared_mutex>
#include <string_view>
#include <thread>

template <typename Mutex>
[[gnu::noinline]] static void lock(bool also_unlock) {
    Mutex mutex;
    asm volatile("" : : "r"(&mutex) : "memory");
    mutex.lock();
    if (also_unlock) mutex.unlock();
    asm volatile("" : : "r"(&mutex) : "memory");
}

int main(int count, char** values) {
    const std::string_view how = count > 1 ? values[1] : "";
    std::thread thread([] {});
    for (int i = 0; i < 2; ++i)
        if (how == "shared")
            lock<std::shared_mutex>(false);
        else
            lock<std::mutex>(how == "free");
    thread.join();
    return 0;
}
