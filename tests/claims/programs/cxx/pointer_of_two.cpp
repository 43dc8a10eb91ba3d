// The last owner of a shared pointer frees the object; reset() in one thread and a copy in the other need a lock.
// build: -std=c++20 -O2
// modes: default races
// expect: misuse
#include <memory>
#include <string>
#include <thread>

static std::shared_ptr<std::string> shared = std::make_shared<std::string>("a text that is longer than others");

int main() {
    std::thread reader([] {
        const std::shared_ptr<std::string> mine = shared;
        if (mine) (void)mine->size();
    });
    shared.reset();
    reader.join();
}
