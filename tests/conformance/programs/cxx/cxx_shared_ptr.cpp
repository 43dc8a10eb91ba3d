// conformance: std::shared_ptr, std::weak_ptr, std::atomic<std::shared_ptr>
#include "check.h"
#include <memory>
#include <mutex>
#include <thread>

// The reference count stays correct across threads; the last owner destroys the object, in any thread.
static int destroyed;

struct Object {
    int value = 42;
    ~Object() { destroyed++; }
};

int main()
{
    auto owner = std::make_shared<Object>();
    std::weak_ptr<Object> weak = owner;
    auto body = [](std::shared_ptr<Object> mine) {
        for (int i = 0; i < 3; i++) {
            std::shared_ptr<Object> copy = mine;
            CHECK_EQ(copy->value, 42);
        }
    };
    std::thread a(body, owner), b(body, owner);
    owner.reset();
    a.join();
    b.join();
    CHECK_EQ(destroyed, 1);
    CHECK(weak.expired());
    std::atomic<std::shared_ptr<int>> slot(std::make_shared<int>(1));
    std::thread([&slot] { slot.store(std::make_shared<int>(2)); }).join();
    CHECK_EQ(*slot.load(), 2);
    return ok();
}
