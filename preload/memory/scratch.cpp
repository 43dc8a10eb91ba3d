#include "preload/memory/scratch.h"

#include <bit>

#include "preload/base/fixed_memory.h"
#include "preload/schedule/scheduler.h"

namespace raddle::memory::scratch {

namespace {

struct Free {
    Free* next;
};
Free* blocks[64];  // by the logarithm of their size

constexpr std::size_t smallest = 64;
std::size_t whole(std::size_t bytes) { return bytes <= smallest ? smallest : std::bit_ceil(bytes); }
Free*& list_of(std::size_t bytes) { return blocks[std::countr_zero(whole(bytes))]; }

}  // namespace

unsigned char* take(std::size_t bytes) {
    Free*& list = list_of(bytes);
    if (Free* const block = list; block != nullptr) {
        list = block->next;
        return reinterpret_cast<unsigned char*>(block);
    }
    void* const fresh = fixed_memory::grow(nullptr, 0, whole(bytes));
    if (fresh == nullptr)
        scheduler::end_with(channel::End::out_of_memory, "no memory is left for the tables of raddle's shim");
    return static_cast<unsigned char*>(fresh);
}

void give_back(unsigned char* block, std::size_t bytes) {
    if (block == nullptr) return;
    auto* const unused = reinterpret_cast<Free*>(block);
    Free*& list = list_of(bytes);
    unused->next = list;
    list = unused;
}

}  // namespace raddle::memory::scratch
