// bug: a call_once takes a lock whose owner waits for the same call_once; preemptions: 1
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace {

std::recursive_mutex settings_mutex;
std::map<std::string, int> settings;
std::once_flag defaults_once;

// Not inlined: with two copies, the lock would have two source locations.
__attribute__((noinline)) void set(const std::string& name, int value) {
    std::lock_guard lock(settings_mutex);
    settings[name] = value;
}

void set_defaults() {
    set("width", 80);
    set("height", 25);
}

int get(const std::string& name) {
    std::lock_guard lock(settings_mutex);
    std::call_once(defaults_once, set_defaults);
    return settings[name];
}

}  // namespace

int main() {
    int width = 0;
    std::thread starter([] { std::call_once(defaults_once, set_defaults); });
    std::thread reader([&] { width = get("width"); });
    starter.join();
    reader.join();
    return width == 80 ? 0 : 1;
}
