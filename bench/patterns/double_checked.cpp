// bug: double-checked initialisation publishes the object before its fields are filled in; preemptions: 1
// double_checked [USERS]: 3 users.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

struct Settings {
    std::atomic<int> limit{0};
    std::atomic<int> step{0};
};

std::atomic<Settings*> settings{nullptr};
std::mutex lock;

Settings& instance() {
    if (Settings* ready = settings) return *ready;
    const std::lock_guard<std::mutex> guard(lock);
    if (!settings) {
        auto* fresh = new Settings;
        settings = fresh;  // too early
        fresh->limit = 100;
        fresh->step = 10;
    }
    return *settings;
}

int main(int count, char** arguments) {
    const int users = count > 1 ? std::atoi(arguments[1]) : 3;
    std::vector<std::thread> threads;
    for (int u = 0; u < users; ++u) {
        threads.emplace_back([] {
            Settings& mine = instance();
            const int step = mine.step;
            assert(step != 0 && mine.limit / step == 10);
        });
    }
    for (auto& thread : threads) thread.join();
    delete settings;
}
