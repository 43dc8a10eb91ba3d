// Three threads with 100 locks and two exceptions each, 607 actions: measures an execution of a long C++ program.
//
//     g++ -O1 -g -pthread bench/programs/lock_guards.cpp -o lock_guards
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex mutex;
static long count;

static void work() {
    for (int i = 0; i < 100; ++i) {
        const std::lock_guard<std::mutex> guard(mutex);
        ++count;
    }
    for (int i = 0; i < 2; ++i) {
        try {
            throw std::runtime_error("as usual");
        } catch (const std::exception&) {
        }
    }
}

int main() {
    std::thread one(work), two(work), three(work);
    one.join();
    two.join();
    three.join();
    return count == 300 ? 0 : 1;
}
