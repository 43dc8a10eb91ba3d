// bug: a cache looks for a key in one critical section and inserts it in another, so one key has two objects; preemptions: 2
// cache [READERS [KEYS]]: 3 readers of 3 keys. Each reader asks twice for each key and expects the same object.
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

class Cache {
public:
    std::shared_ptr<const std::string> get(int key) {
        {
            const std::lock_guard<std::mutex> guard(lock);
            const auto found = entries.find(key);
            if (found != entries.end()) return found->second;
        }
        auto made = std::make_shared<const std::string>(std::to_string(key));  // slow, so without the lock
        const std::lock_guard<std::mutex> guard(lock);
        entries[key] = made;
        return made;
    }

private:
    std::mutex lock;
    std::unordered_map<int, std::shared_ptr<const std::string>> entries;
};

int main(int count, char** arguments) {
    const int readers = count > 1 ? std::atoi(arguments[1]) : 3;
    const int keys = count > 2 ? std::atoi(arguments[2]) : 3;
    Cache cache;
    std::vector<std::thread> threads;
    for (int r = 0; r < readers; ++r) {
        threads.emplace_back([&cache, keys, r] {
            for (int k = 0; k < keys; ++k) {
                const int key = (k + r) % keys;
                const auto first = cache.get(key);
                assert(cache.get(key) == first);
            }
        });
    }
    for (auto& thread : threads) thread.join();
}
