// A function starts a thread with a lambda that captures a variable of the function by reference, and returns.
// modes: default races kernel
// expect: misuse
#include <thread>

static std::thread thread;
static volatile int seen;

[[gnu::noinline]] static void begin(int number) {
    int numbers[4] = {number, number, number, number};
    thread = std::thread([&] { seen = numbers[2]; });
}

int main() {
    begin(4);
    thread.join();
}
