// Each thread has streams and strings of its own, and the standard stream may be shared: nothing meets.
// build: -std=c++20 -O2
// expect: ok
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

static void work(int number) {
    std::ostringstream text;
    text << "thread " << number << " and " << 1.5;
    std::string longer = text.str() + " are written by one thread each";
    try {
        throw std::runtime_error(longer);
    } catch (const std::exception& error) {
        if (longer != error.what()) std::abort();
    }
    std::cout << number << ' ' << longer << '\n';
}

int main() {
    std::thread one(work, 1), other(work, 2);
    one.join();
    other.join();
}
