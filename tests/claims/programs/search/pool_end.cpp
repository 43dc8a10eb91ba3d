// A thread pool whose end sets its flag without the lock: the worker misses the notification and waits for ever.
// build: -std=c++20
// modes: default races kernel tsan
// expect: deadlock
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

class Pool {
public:
    Pool() : worker_([this] { work(); }) {}
    ~Pool() {
        running_ = false;
        available_.notify_all();
        worker_.join();
    }

private:
    void work() {
        while (running_) {
            std::unique_lock<std::mutex> lock(mutex_);
            available_.wait(lock, [this] { return !tasks_.empty() || !running_; });
            if (!running_) continue;
            const auto task = std::move(tasks_.front());
            tasks_.pop();
            lock.unlock();
            task();
        }
    }

    std::atomic<bool> running_{true};
    std::condition_variable available_;
    std::mutex mutex_;
    std::queue<std::function<void()>> tasks_;
    std::thread worker_;
};

int main() { Pool pool; }
