#include <condition_variable>
#include <mutex>
#include <thread>
struct Table {
    int rows = 4;
};
static Table& table() {
    static Table one;
    return one;
}
static std::once_flag once;
static int filled;
int main() {
    std::mutex lock;
    std::condition_variable changed;
    int left = 2;
    const auto work = [&] {
        std::call_once(once, [] { filled = 3; });
        const int sum = filled + table().rows;
        const std::lock_guard held(lock);
        left -= sum == 7 ? 1 : 0;
        changed.notify_one();
    };
    std::thread other(work);
    work();
    {
        std::unique_lock held(lock);
        changed.wait(held, [&] { return left == 0; });
    }
    other.join();
    return 0;
}
