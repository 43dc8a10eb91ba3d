// conformance: std::thread, pthread_create, pthread_join, pthread_detach
#include "check.h"
#include <memory>
#include <string>
#include <thread>
#include <vector>

static void add(int a, int &out) { out += a; }

int main()
{
    int sum = 1;
    std::string text;
    auto owned = std::make_unique<int>(5);
    std::thread none, a(add, 2, std::ref(sum)), b([&text, p = std::move(owned)] { text = std::to_string(*p); });
    CHECK(!none.joinable() && a.joinable());
    CHECK(a.get_id() != b.get_id() && a.get_id() != std::this_thread::get_id());
    CHECK(none.get_id() == std::thread::id());
    a.join();
    CHECK(!a.joinable());
    none = std::move(b);
    none.join();
    CHECK_EQ(sum, 3);
    CHECK_STR(text.c_str(), "5");
    std::vector<std::thread> many;
    std::vector<int> out(3);
    for (int i = 0; i < 3; i++)
        many.emplace_back([&out, i] { out[i] = i; });
    for (auto &t : many)
        t.join();
    CHECK_EQ(out[0] + out[1] + out[2], 3);
    try {
        a.join();
        CHECK(!"join of no thread throws");
    } catch (const std::system_error &e) {
        CHECK(e.code() == std::errc::invalid_argument);
    }
    return ok();
}
