// conformance: std::exception_ptr, std::current_exception, std::rethrow_exception
#include "check.h"
#include <exception>
#include <stdexcept>
#include <thread>

// Thrown in one thread, caught in two others.
static std::exception_ptr error;

static void thrower()
{
    try {
        throw std::out_of_range("far");
    } catch (...) {
        error = std::current_exception();
    }
}

static void catcher(int *caught)
{
    try {
        std::rethrow_exception(error);
    } catch (const std::out_of_range &e) {
        CHECK_STR(e.what(), "far");
        *caught = 1;
    }
}

int main()
{
    int caught[2] = {0, 0};
    std::thread(thrower).join();
    CHECK(error);
    std::thread a(catcher, &caught[0]), b(catcher, &caught[1]);
    a.join();
    b.join();
    CHECK_EQ(caught[0] + caught[1], 2);
    return ok();
}
