// bug: a writer waits for readers before it unpublishes the old version, not after, and frees it under a reader; preemptions: 2
// rcu [READERS [UPDATES]]: 3 readers that read twice, 2 updates by main.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <condition_variable>
#include <thread>
#include <vector>

struct Version {
    unsigned long magic = 0x600d;
    int number;
    explicit Version(int its) : number(its) {}
};

class Readers {
public:
    void enter() {
        const std::lock_guard<std::mutex> guard(lock);
        ++inside;
    }
    void leave() {
        const std::lock_guard<std::mutex> guard(lock);
        if (--inside == 0) gone.notify_all();
    }
    void wait_until_gone() {
        std::unique_lock<std::mutex> guard(lock);
        gone.wait(guard, [this] { return inside == 0; });
    }

private:
    std::mutex lock;
    std::condition_variable gone;
    int inside = 0;
};

Readers readers;
std::atomic<Version*> current;

void read() {
    readers.enter();
    const Version* version = current;
    assert(version->magic == 0x600d);
    assert(version->number >= 0);
    readers.leave();
}

void update(int number) {
    auto* fresh = new Version(number);
    readers.wait_until_gone();  // belongs after the exchange
    delete current.exchange(fresh);
}

int main(int count, char** arguments) {
    const int threads = count > 1 ? std::atoi(arguments[1]) : 3;
    const int updates = count > 2 ? std::atoi(arguments[2]) : 2;
    current = new Version(0);
    std::vector<std::thread> pool;
    for (int i = 0; i < threads; ++i) pool.emplace_back([] { for (int k = 0; k < 2; ++k) read(); });
    for (int i = 1; i <= updates; ++i) update(i);
    for (auto& thread : pool) thread.join();
    delete current.load();
}
