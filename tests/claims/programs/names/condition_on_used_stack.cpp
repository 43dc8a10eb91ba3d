// Condition variables of consecutive tests lie at the same address. Whoever uses the second one first makes no
// difference.
// expect: ok
#include <condition_variable>
#include <mutex>
#include <thread>

static void test() {
    std::mutex mutex;
    std::condition_variable changed;
    int value = 0;
    std::thread thread([&] {
        for (int i = 0; i < 2; ++i) {
            {
                const std::lock_guard lock(mutex);
                ++value;
            }
            changed.notify_one();
        }
    });
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return value == 2; });
    }
    thread.join();
}

int main() {
    test();
    test();
    return 0;
}
