// ok: an atomic shared_ptr, with an internal spin lock, is copied and replaced
// build: -O2
// run: --memory races --races explore
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>

struct Settings {
    int port = 8080;
};
std::atomic<std::shared_ptr<Settings>> current(std::make_shared<Settings>());

void look() {
    const std::shared_ptr<Settings> mine = current;
    std::printf("%d\n", mine->port);
}

void replace() { current = std::make_shared<Settings>(); }

int main() {
    std::thread reader(look), writer(replace);
    reader.join();
    writer.join();
}
