// ok: a shared_ptr is copied and replaced by an atomic one, which locks itself by spinning
// build: -O2
// run: --memory races --races explore
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Settings {
    ~Settings() { valid = 0; }
    volatile int valid = 1;
};
std::atomic<std::shared_ptr<Settings>> current(std::make_shared<Settings>());
std::weak_ptr<Settings> first = current.load();

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
