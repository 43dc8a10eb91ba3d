// Two threads write to the streams of C++: each piece goes to the stream of C below.
// modes: default kernel
// expect: ok "the order in which threads write output was not explored"
// expect --outcomes: outcomes "ok: ab1" "ok: a1b" "ok: ba1"
#include <iostream>
#include <thread>

int main() {
    std::thread one([] { std::cout << "a" << 1; });
    std::thread other([] { std::cout << "b"; });
    one.join();
    other.join();
}
