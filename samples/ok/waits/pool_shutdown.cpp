// ok: the pool sets its stop flag under the lock, so a worker sees it or is woken
#include <semaphore.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class Pool {
  public:
    explicit Pool(int size) {
        for (int i = 0; i < size; ++i) workers_.emplace_back([this] { work(); });
    }
    ~Pool() {
        {
            std::lock_guard lock(mutex_);
            stop_ = true;
        }
        changed_.notify_all();
        for (auto& worker : workers_) worker.join();
    }
    void submit(std::function<void()> job) {
        {
            std::lock_guard lock(mutex_);
            jobs_.push(std::move(job));
        }
        changed_.notify_one();
    }

  private:
    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            while (jobs_.empty() && !stop_) changed_.wait(lock);
            if (jobs_.empty()) return;
            auto job = std::move(jobs_.front());
            jobs_.pop();
            lock.unlock();
            job();
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::queue<std::function<void()>> jobs_;
    bool stop_ = false;
    std::vector<std::thread> workers_;
};

int main() {
    sem_t done;
    sem_init(&done, 0, 0);
    {
        Pool pool(2);
        pool.submit([&] { sem_post(&done); });
        sem_wait(&done);
    }
    sem_destroy(&done);
}
