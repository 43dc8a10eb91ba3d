// A reader reads three variables in its loop until a writer has left it consistent ones. It waits for a change of any.
// build: -std=c++20 -O2
// expect: ok
// expect --bound 1: bounded ok
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> sequence{0};
std::atomic<int> first{0}, second{0};

int main() {
    std::thread writer([] {
        sequence++;
        first = 1;
        second = 1;
        sequence++;
    });
    std::thread reader([] {
        unsigned before;
        int one, other;
        do {
            before = sequence;
            one = first;
            other = second;
        } while ((before & 1) != 0 || before != sequence);
        assert(one == other);
    });
    writer.join();
    reader.join();
}
