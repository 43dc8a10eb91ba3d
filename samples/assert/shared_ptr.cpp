// bug: one thread copies a shared_ptr while another replaces it, and is left with an object that is gone; preemptions: 1
// build: -O2
// run: --memory races --races explore
#include <cassert>
#include <memory>
#include <thread>

struct Settings {
    ~Settings() { valid = 0; }
    volatile int valid = 1;
};
std::shared_ptr<Settings> current = std::make_shared<Settings>();
std::weak_ptr<Settings> first = current;

void look() {
    const std::shared_ptr<Settings> mine = current;
    assert(mine->valid == 1);
}

void replace() { current = std::make_shared<Settings>(); }

int main() {
    std::thread reader(look), writer(replace);
    reader.join();
    writer.join();
}
