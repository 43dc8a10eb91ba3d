// bug: producers of a ring take a place by a load and a store of the tail, so two may take the same; preemptions: 1
// queue [PRODUCERS [ITEMS]]: 2 producers with 3 items each, and a consumer that drains the ring at the end.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

class Ring {
public:
    void put(int value) {
        const unsigned place = tail.load(std::memory_order_relaxed);  // fetch_add would be right
        tail.store(place + 1, std::memory_order_relaxed);
        slot[place % size].store(value, std::memory_order_release);
    }

    int get() {
        if (head == tail.load(std::memory_order_acquire)) return 0;
        return slot[head++ % size].exchange(0, std::memory_order_acquire);
    }

private:
    static constexpr unsigned size = 256;
    std::atomic<unsigned> tail{0};
    std::atomic<int> slot[size] = {};
    unsigned head = 0;
};

int main(int count, char** arguments) {
    const int producers = count > 1 ? std::atoi(arguments[1]) : 2;
    const int items = count > 2 ? std::atoi(arguments[2]) : 3;
    Ring ring;
    std::vector<std::thread> threads;
    for (int p = 0; p < producers; ++p) {
        threads.emplace_back([&ring, items] {
            for (int i = 1; i <= items; ++i) ring.put(i);
        });
    }
    for (auto& thread : threads) thread.join();
    int sum = 0;
    while (const int value = ring.get()) sum += value;
    assert(sum == producers * items * (items + 1) / 2);
}
