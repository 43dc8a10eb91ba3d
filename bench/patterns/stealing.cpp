// bug: the owner of a work-stealing deque takes the last item without checking that no thief has it; preemptions: 3
// stealing [OPERATIONS]: half of them (20) by the owner, pushes and pops in turn, half by the thief.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

constexpr int capacity = 64;
std::atomic<int> top, bottom, item[capacity];
std::atomic<int> taken[capacity];

void push(int value) {
    const int b = bottom;
    item[b % capacity] = value;
    bottom = b + 1;
}

int pop() {
    const int b = bottom - 1;
    bottom = b;
    const int t = top;
    if (t > b) {
        bottom = t;
        return 0;
    }
    const int value = item[b % capacity];
    if (t == b) {  // the last one: the check would be a compare-exchange
        top = t + 1;
        bottom = t + 1;
    }
    return value;
}

int steal() {
    int t = top;
    if (t >= bottom) return 0;
    const int value = item[t % capacity];
    return top.compare_exchange_strong(t, t + 1) ? value : 0;
}

void use(int value) {
    if (value != 0) assert(taken[value].exchange(1) == 0);
}

int main(int count, char** arguments) {
    const int each = (count > 1 ? std::atoi(arguments[1]) : 20) / 2;
    std::thread owner([each] {
        for (int i = 0; i < each; ++i) {
            if (i % 2 == 0) push(i / 2 + 1);
            else use(pop());
        }
    });
    std::thread thief([each] {
        for (int i = 0; i < each; ++i) use(steal());
    });
    owner.join();
    thief.join();
}
