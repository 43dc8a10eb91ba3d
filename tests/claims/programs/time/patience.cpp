// Waits of a second and more do not run out while something else can happen; shorter ones may. Sleeps and polls are waits, too.
// modes: default
// expect --strategy bounded: ok "no thread is held up for 1 s or more"
// expect --strategy bounded -- sleep: ok "no thread is held up for 1 s or more"
// expect --strategy bounded -- poll: ok "no thread is held up for 1 s or more"
// expect --strategy bounded -- semaphore: ok "no thread is held up for 1 s or more"
// expect --strategy bounded --patience none: assertion
// expect --strategy bounded --patience none -- sleep: assertion
// expect --strategy bounded --patience none -- poll: assertion
// expect --strategy bounded --patience none -- semaphore: assertion
// expect --strategy bounded -- short: assertion
// expect --strategy bounded --patience 100ms -- short: ok "no thread is held up for 100 ms or more"
// expect --strategy optimal: assertion
#include <poll.h>
#include <semaphore.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <string>
#include <thread>
using namespace std::chrono_literals;
static std::mutex mutex;
static std::condition_variable changed;
static sem_t posted;
static int ends[2];
static bool done;
static void answer() {
    {
        std::lock_guard<std::mutex> lock(mutex);
        done = true;
    }
    changed.notify_one();
    sem_post(&posted);
    assert(write(ends[1], "x", 1) == 1);
}
static bool is_answered(const std::string& form) {
    if (form == "sleep") {
        sleep(2);
        std::lock_guard<std::mutex> lock(mutex);
        return done;
    }
    if (form == "poll") {
        pollfd end = {ends[0], POLLIN, 0};
        return poll(&end, 1, 5000) == 1;
    }
    if (form == "semaphore") {
        timespec limit;
        clock_gettime(CLOCK_REALTIME, &limit);
        limit.tv_sec += 5;
        return sem_timedwait(&posted, &limit) == 0;
    }
    std::unique_lock<std::mutex> lock(mutex);
    const auto most = form == "short" ? std::chrono::milliseconds(100) : std::chrono::milliseconds(5000);
    return changed.wait_for(lock, most, [] { return done; });
}
int main(int words, char** word) {
    assert(pipe(ends) == 0 && sem_init(&posted, 0, 0) == 0);
    std::thread thread(answer);
    assert(is_answered(words > 1 ? word[1] : ""));
    thread.join();
    return 0;
}
