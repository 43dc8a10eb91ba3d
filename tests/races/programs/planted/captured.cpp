#include <thread>
int main() {
    int sum = 0;
    std::thread other([&sum] {
        sum = 4;  // race
    });
    sum = 5;  // race
    other.join();
    return sum > 3 ? 0 : 1;
}
