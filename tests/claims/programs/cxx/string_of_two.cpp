// Two threads append to one string without a lock: one of the texts can be lost.
// build: -std=c++20 -O2
// expect: exit_status
#include <string>
#include <thread>

int main() {
    std::string text;
    const auto append = [&] { text.append("ab"); };
    std::thread one(append), other(append);
    one.join();
    other.join();
    return text != "abab";
}
