// ok: every thread enters the call_once before it takes the lock
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace {

std::recursive_mutex settings_mutex;
std::map<std::string, int> settings;
std::once_flag defaults_once;

void set(const std::string& name, int value) {
    std::lock_guard lock(settings_mutex);
    settings[name] = value;
}

void set_defaults() {
    set("width", 80);
    set("height", 25);
}

int get(const std::string& name) {
    std::call_once(defaults_once, set_defaults);
    std::lock_guard lock(settings_mutex);
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
