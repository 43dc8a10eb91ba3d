// An allocator for tables of many megabytes with random look-ups. It uses large pages if the system has some: with
// small pages each look-up misses the TLB, too.
#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace raddle {

template <typename Value>
struct LargePages {
    using value_type = Value;

    LargePages() = default;
    template <typename Other>
    LargePages(const LargePages<Other>&) {}

    Value* allocate(std::size_t count) {
        if (count * sizeof(Value) < worthwhile) return static_cast<Value*>(::operator new(count * sizeof(Value)));
        const std::size_t bytes = (count * sizeof(Value) + page - 1) / page * page;
        void* memory = std::aligned_alloc(page, bytes);
        if (memory == nullptr) throw std::bad_alloc();
        ::madvise(memory, bytes, MADV_HUGEPAGE);  // a failure only costs speed
        return static_cast<Value*>(memory);
    }
    void deallocate(Value* memory, std::size_t count) {
        if (count * sizeof(Value) < worthwhile)
            ::operator delete(memory);
        else
            std::free(memory);
    }

    friend bool operator==(const LargePages&, const LargePages&) { return true; }

private:
    static constexpr std::size_t page = std::size_t{2} << 20;
    static constexpr std::size_t worthwhile = 2 * page;
};

}  // namespace raddle
