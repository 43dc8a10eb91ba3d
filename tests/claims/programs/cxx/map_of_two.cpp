// Two threads insert into one map without a lock: libstdc++ balances the tree, and an element can be lost.
// build: -std=c++20 -O2
// modes: default
// expect: exit_status, crash
#include <map>
#include <thread>

int main() {
    std::map<int, int> map;
    const auto add = [&](int key) { map[key] = key; };
    std::thread one(add, 1), other(add, 2);
    one.join();
    other.join();
    int count = 0;
    for ([[maybe_unused]] const auto& element : map) ++count;
    return count != 2;
}
