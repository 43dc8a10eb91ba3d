#include "preload/base/jump.h"

#include <cstring>

#include "preload/base/raw.h"

namespace raddle {

namespace {

struct [[gnu::packed]] Jump {
    unsigned char code[6] = {0xff, 0x25, 0, 0, 0, 0};  // jmp *0(%rip)
    const void* target;
};

}  // namespace

void write_jump(std::uint64_t function, const void* target) {
    constexpr std::uint64_t page = 4096;
    const std::uint64_t begin = function & ~(page - 1), end = (function + sizeof(Jump) + page - 1) & ~(page - 1);
    if (raw::failed(raw::call(SYS_mprotect, begin, end - begin, PROT_READ | PROT_WRITE | PROT_EXEC))) return;
    Jump jump;
    jump.target = target;
    std::memcpy(reinterpret_cast<void*>(function), &jump, sizeof jump);
    raw::call(SYS_mprotect, begin, end - begin, PROT_READ | PROT_EXEC);
}

}  // namespace raddle
