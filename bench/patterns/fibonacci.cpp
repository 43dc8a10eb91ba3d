// bug: two threads that add each other's numbers reach the largest sum only when they alternate all the way; preemptions: 4
// fibonacci [ROUNDS]: 3 rounds, which take 2 * (ROUNDS - 1) preemptions: a deep bug that only a full interleaving shows.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

std::atomic<int> left{1}, right{1};

int largest(int rounds) {
    int a = 1, b = 1;
    for (int i = 0; i < rounds; ++i) {
        a += b;
        b += a;
    }
    return b;
}

void add(std::atomic<int>& to, const std::atomic<int>& from, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        const int sum = to + from;
        to = sum;
    }
}

int main(int count, char** arguments) {
    const int rounds = count > 1 ? std::atoi(arguments[1]) : 3;
    std::thread one([rounds] { add(left, right, rounds); });
    std::thread two([rounds] { add(right, left, rounds); });
    one.join();
    two.join();
    assert(left < largest(rounds) && right < largest(rounds));
}
