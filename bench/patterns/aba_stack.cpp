// bug: a stack of free slots by compare-exchange gives one slot to two threads (ABA); preemptions: 5
// aba_stack [THREADS [ROUNDS]]: 3 threads take a slot, write into it, check it and give it back, 2 rounds each, of 3 slots.
// A slot that is being popped has no successor (-1), which hides most ABAs: they need 3 threads and 5 preemptions. The number
// is that of the literature for stacks of this kind.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

constexpr int max_slots = 16;

class FreeSlots {
public:
    explicit FreeSlots(int slots) : free_slots(slots) {
        for (int i = 0; i < slots; ++i) successor[i] = i + 1;
        successor[slots - 1] = -1;
    }

    int take() {
        while (free_slots > 1) {
            int first = head;
            const int second = successor[first].exchange(-1);
            if (second < 0) continue;
            if (head.compare_exchange_strong(first, second)) {
                --free_slots;
                return first;
            }
            successor[first].exchange(second);
        }
        return -1;
    }

    void give_back(int slot) {
        int first = head;
        do successor[slot] = first;
        while (!head.compare_exchange_strong(first, slot));
        ++free_slots;
    }

private:
    std::atomic<int> head{0}, free_slots, successor[max_slots];
};

int main(int count, char** arguments) {
    const int threads = count > 1 ? std::atoi(arguments[1]) : 3;
    const int rounds = count > 2 ? std::atoi(arguments[2]) : 2;
    FreeSlots slots(threads);
    std::atomic<int> owner[max_slots] = {};
    std::vector<std::thread> pool;
    for (int me = 1; me <= threads; ++me) {
        pool.emplace_back([&, me] {
            for (int i = 0; i < rounds; ++i) {
                int slot = -1;
                while (slot < 0) slot = slots.take();
                owner[slot] = me;
                assert(owner[slot] == me);
                slots.give_back(slot);
            }
        });
    }
    for (auto& thread : pool) thread.join();
}
