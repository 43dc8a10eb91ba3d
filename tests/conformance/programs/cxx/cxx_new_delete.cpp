// conformance: operator new, operator delete, std::bad_alloc
#include "check.h"
#include <cstdint>
#include <limits>
#include <new>
#include <thread>

struct alignas(128) Wide {
    char bytes[128];
};

static volatile size_t huge = std::numeric_limits<ptrdiff_t>::max();

static char *volatile many;  // volatile: the compiler may drop an allocation that is never read

static void body(int **out)
{
    auto wide = new Wide;
    CHECK_EQ(reinterpret_cast<uintptr_t>(wide) % 128, 0);
    delete wide;
    try {
        many = new char[huge];
        CHECK(!"no memory is that large");
    } catch (const std::bad_alloc &) {
    }
    many = new (std::nothrow) char[huge];
    CHECK(many == nullptr);
    *out = new int[100]();
}

int main()
{
    int *a_made, *b_made;
    std::thread a(body, &a_made), b(body, &b_made);
    a.join();
    b.join();
    CHECK(a_made != b_made && a_made[99] == 0);
    delete[] a_made; // allocated by another thread
    std::thread([b_made] { delete[] b_made; }).join();
    return ok();
}
