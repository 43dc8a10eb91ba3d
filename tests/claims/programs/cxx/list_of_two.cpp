// Two threads add to one list without a lock: libstdc++ links the nodes, and one can be lost.
// build: -std=c++20 -O2
// modes: default races kernel
// expect: exit_status
#include <list>
#include <thread>

int main() {
    std::list<int> list;
    const auto add = [&](int value) { list.push_back(value); };
    std::thread one(add, 1), other(add, 2);
    one.join();
    other.join();
    int count = 0;
    for ([[maybe_unused]] const int value : list) ++count;
    return count != 2;
}
