// Main spins on a variable of its own stack, which no thread accessed before.
// build: -O1
// expect --exec-timeout 2: ok
#include <atomic>
#include <thread>
int main() {
    std::atomic<int> flag{0};
    std::thread thread([&] { flag = 1; });
    while (flag.load() == 0) {}
    thread.join();
}
