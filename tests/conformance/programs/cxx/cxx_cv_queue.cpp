// conformance: std::condition_variable, std::mutex, std::deque
#include "check.h"
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

// A closable queue, two consumers: one consumer gets the item, then both get the end.
class Queue {
public:
    void push(int item)
    {
        std::lock_guard lock(m);
        items.push_back(item);
        c.notify_one();
    }
    void close()
    {
        std::lock_guard lock(m);
        closed = true;
        c.notify_all();
    }
    std::optional<int> pop()
    {
        std::unique_lock lock(m);
        c.wait(lock, [this] { return closed || !items.empty(); });
        if (items.empty())
            return std::nullopt;
        int item = items.front();
        items.pop_front();
        return item;
    }

private:
    std::mutex m;
    std::condition_variable c;
    std::deque<int> items;
    bool closed = false;
};

int main()
{
    Queue queue;
    int sums[2] = {0, 0};
    auto consume = [&](int me) {
        while (auto item = queue.pop())
            sums[me] += *item;
    };
    std::thread a(consume, 0), b(consume, 1);
    queue.push(3);
    queue.close();
    a.join();
    b.join();
    CHECK_EQ(sums[0] + sums[1], 3);
    return ok();
}
