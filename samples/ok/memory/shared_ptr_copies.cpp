// ok: each thread has its own copy of the shared_ptr; only the reference count is shared
// build: -O2
// run: --memory races --races explore
#include <cassert>
#include <memory>
#include <thread>

struct Settings {
    ~Settings() { valid = 0; }
    volatile int valid = 1;
};

void look(std::shared_ptr<Settings> mine) { assert(mine->valid == 1); }

int main() {
    std::shared_ptr<Settings> current = std::make_shared<Settings>();
    std::thread reader(look, current), other(look, current);
    current = std::make_shared<Settings>();
    reader.join();
    other.join();
    assert(current->valid == 1);
}
