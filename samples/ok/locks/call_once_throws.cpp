// ok: when the function of a call_once throws, the next thread calls it again, and exactly one call succeeds
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

std::once_flag flag;
std::mutex mutex;
int attempts = 0;
int failures = 0;
int connected = 0;

void connect() {
    std::lock_guard lock(mutex);
    if (++attempts == 1) throw std::runtime_error("not yet");
    ++connected;
}

void work() {
    try {
        std::call_once(flag, connect);
    } catch (const std::runtime_error&) {
        std::lock_guard lock(mutex);
        ++failures;
    }
}

}  // namespace

int main() {
    std::thread first(work);
    std::thread second(work);
    first.join();
    second.join();
    assert(attempts == 2);
    assert(failures == 1);
    assert(connected == 1);
}
