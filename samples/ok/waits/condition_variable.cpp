// ok: the consumer is notified after its condition has become true
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
std::condition_variable changed;
bool ready = false;
int result = 0;

void produce() {
    std::lock_guard lock(mutex);
    result = 42;
    ready = true;
    changed.notify_one();
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
