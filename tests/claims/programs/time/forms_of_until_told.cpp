// Two threads work until main, after about a second, says that it is enough: main and the threads wait and work in several forms.
// modes: default
// expect --bound 0: bounded ok
// expect --bound 0 -- naps: bounded ok
// expect --bound 0 -- condition: bounded ok
// expect --bound 0 -- sleepers: bounded ok
// expect --bound 0 -- yielders: bounded ok
// expect --bound 0 -- pollers: bounded ok
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
using namespace std::chrono_literals;
static std::atomic<bool> stop{false};
static std::mutex mutex;
static int count;
static void work(const std::string& form) {
    while (!stop) {
        {
            std::lock_guard<std::mutex> lock(mutex);
            ++count;
        }
        if (form == "sleepers") usleep(1);
        if (form == "yielders") sched_yield();
        if (form == "pollers") poll(nullptr, 0, 1);
    }
}
int main(int words, char** word) {
    const std::string form = words > 1 ? word[1] : "";
    std::thread one(work, form), two(work, form);
    if (form == "naps") {
        for (int i = 0; i < 100; ++i) usleep(10000);
    } else if (form == "condition") {
        std::condition_variable never;
        std::mutex own;
        std::unique_lock<std::mutex> lock(own);
        never.wait_for(lock, 1s, [] { return false; });
    } else {
        std::this_thread::sleep_for(1s);
    }
    stop = true;
    one.join();
    two.join();
    return 0;
}
