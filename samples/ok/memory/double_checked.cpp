// ok: double-checked locking publishes the object after it is complete
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Thing {
    std::atomic<int> value{0};
};
Thing thing;
std::atomic<Thing*> made;
std::mutex making;

void make() {
    thing.value = 42;
    made = &thing;
}

Thing* get() {
    if (Thing* there = made) return there;
    std::lock_guard<std::mutex> lock(making);
    if (made == nullptr) make();
    return made;
}

void use() { assert(get()->value == 42); }

int main() {
    std::thread a(use), b(use);
    a.join();
    b.join();
}
