#include <cstring>
#include <mutex>
#include <thread>

static std::mutex from, to;

int main(int count, char** words) {
    const bool both_ways = count > 1 && std::strcmp(words[1], "both_ways") == 0;
    std::thread other([&] {
        const std::lock_guard first(both_ways ? to : from);
        const std::lock_guard second(both_ways ? from : to);
    });
    {
        const std::lock_guard first(from);
        const std::lock_guard second(to);
    }
    other.join();
}
