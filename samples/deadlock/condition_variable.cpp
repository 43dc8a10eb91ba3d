// bug: the consumer is notified before its condition holds, and never again; preemptions: 1
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
std::condition_variable changed;
bool ready = false;
int result = 0;

void produce() {
    {
        std::lock_guard lock(mutex);
        result = 42;
        changed.notify_one();
    }
    std::lock_guard lock(mutex);
    ready = true;
}

void consume() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return ready; });
    result = 0;
}

}  // namespace

int main() {
    std::thread producer(produce);
    std::thread consumer(consume);
    producer.join();
    consumer.join();
}
