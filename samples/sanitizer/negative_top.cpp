/* bug: two threads pop the last element of a stack, so one reads in front of its memory; preemptions: 1 */
#include <atomic>
#include <memory>
#include <thread>
// build: -fsanitize=address
std::atomic<int> top{1};
std::unique_ptr<int[]> values;
std::atomic<int> sum{0};

static void pop() {
    if (top > 0) sum += values[static_cast<std::size_t>(--top)];
}

int main() {
    values = std::make_unique<int[]>(4);
    std::thread one(pop), other(pop);
    one.join();
    other.join();
    return 0;
}
