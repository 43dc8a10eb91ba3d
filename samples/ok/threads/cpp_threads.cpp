// ok: threads with thread_local objects, whose destructors lock, and with exceptions thrown and caught
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;
int destroyed = 0;
int caught = 0;

struct Scratch {
    std::string text = "scratch of ";
    ~Scratch() {
        std::lock_guard lock(mutex);
        ++destroyed;
    }
};

thread_local Scratch scratch;

void check(int number) {
    scratch.text += std::to_string(number);
    if (number % 2 == 1) throw std::runtime_error(scratch.text);
}

void work(int number) {
    try {
        check(number);
    } catch (const std::runtime_error& error) {
        assert(error.what() == scratch.text);
        std::lock_guard lock(mutex);
        ++caught;
    }
}

}  // namespace

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(work, i);
    for (auto& thread : threads) thread.join();
    assert(destroyed == 3);
    assert(caught == 1);
}
