// A std::jthread that waits with its stop token: main's state must not depend on what the thread wrote under a lock.
// build: -O2
// expect: ok
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
    std::mutex mutex;
    std::condition_variable_any changed;
    int value = 0;
    std::jthread thread([&](std::stop_token stop) {
        std::unique_lock lock(mutex);
        while (!stop.stop_requested()) {
            changed.wait(lock, stop, [&] { return value > 0; });
            value = 0;
        }
    });
    {
        const std::lock_guard lock(mutex);
        value = 1;
    }
    changed.notify_one();
    thread.request_stop();
    thread.join();
    return 0;
}
