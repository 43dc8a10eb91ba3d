// A thread spins on a flag that a later thread raises.
// build: -O1
// modes: default races kernel tsan
// expect: ok
#include <atomic>
#include <thread>
static std::atomic<int> flag{0};
int main() {
    std::thread spinner([] {
        while (flag.load() == 0) {}
    });
    std::thread raiser([] { flag = 1; });
    spinner.join();
    raiser.join();
}
