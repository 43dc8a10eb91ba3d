// A std::barrier: its phase is a byte, loaded and stored through atomic references.
#include <barrier>
#include <thread>
static int data;
int main() {
    std::barrier barrier(2);
    std::thread other([&] {
        data = 7;
        barrier.arrive_and_wait();
    });
    barrier.arrive_and_wait();
    const int seen = data;
    other.join();
    return seen == 7 ? 0 : 1;
}
