// conformance: __cxa_rethrow, std::current_exception, std::throw_with_nested
#include "check.h"
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

// One thread is inside a catch block while another enters and leaves its own: each rethrows its own exception.
static std::mutex m;

static void body(int me)
{
    try {
        try {
            throw me;
        } catch (int value) {
            m.lock();
            m.unlock();
            CHECK_EQ(value, me);
            throw;
        }
    } catch (int value) {
        CHECK_EQ(value, me);
        CHECK(std::current_exception() != nullptr);
        m.lock();
        m.unlock();
    }
    CHECK(std::current_exception() == nullptr);
    try {
        try {
            throw std::runtime_error(std::to_string(me));
        } catch (...) {
            std::throw_with_nested(std::logic_error("outer"));
        }
    } catch (const std::exception &outer) {
        CHECK_STR(outer.what(), "outer");
        try {
            std::rethrow_if_nested(outer);
            CHECK(!"it is nested");
        } catch (const std::exception &inner) {
            CHECK_STR(inner.what(), std::to_string(me).c_str());
        }
    }
}

int main()
{
    std::thread a(body, 1), b(body, 2);
    a.join();
    b.join();
    return ok();
}
