// The kernel gives each process 16 random bytes (AT_RANDOM). glibc makes the stack canary and the pointer guard from
// them, so they reach stacks, jmp_bufs and the heap. They have to be equal in all processes of a program, or its memory
// would differ from process to process. The same holds for the address of the vDSO.
//
// The loader sets both guards before it relocates the first library. No code of a library has run by then, and no frame
// of the loader holds a canary. An IFUNC resolver of the shim therefore replaces them in time: the loader calls it
// while it relocates the shim. This needs no tracer, so it also works under gdb, in containers, and after exec.
#include "preload/base/kernels_bytes.h"

#include <elf.h>

extern "C" void* __libc_stack_end;

namespace raddle::kernels_bytes {

namespace {

// The canary has a zero byte first, as with the kernel: overlong texts end there.
constexpr std::uint64_t fixed_canary = 0x9d3c6b1fa852e700, fixed_guard = 0x5be8a0f7136cd294;

// Two words at any address. The resolver runs before calls to libc are possible, so it copies by itself.
struct [[gnu::packed, gnu::may_alias]] Words {
    std::uint64_t canary, guard;
};

std::uint64_t read_canary() {
    std::uint64_t word;
    __asm__ volatile("movq %%fs:0x28, %0" : "=r"(word));
    return word;
}

std::uint64_t read_pointer_guard() {
    std::uint64_t word;
    __asm__ volatile("movq %%fs:0x30, %0" : "=r"(word));
    return word;
}

// The loader keeps a copy of the pointer guard for its own jmp_bufs. None is in use while it relocates libraries.
void replace_in_loader(std::uint64_t loader, std::uint64_t old_guard) {
    const auto* header = reinterpret_cast<const Elf64_Ehdr*>(loader);
    const auto* segments = reinterpret_cast<const Elf64_Phdr*>(loader + header->e_phoff);
    for (std::uint32_t i = 0; i < header->e_phnum; ++i) {
        if (segments[i].p_type != PT_LOAD || (segments[i].p_flags & PF_W) == 0) continue;
        const std::uint64_t begin = (loader + segments[i].p_vaddr + 7) & ~std::uint64_t{7};
        const std::uint64_t end = loader + segments[i].p_vaddr + segments[i].p_memsz;
        for (std::uint64_t at = begin; at + 8 <= end; at += 8) {
            auto* word = reinterpret_cast<std::uint64_t*>(at);
            if (*word == old_guard) *word = fixed_guard;
        }
    }
}

// The auxiliary vector lies behind the environment, which lies behind the arguments.
Elf64_auxv_t* auxiliary_vector() {
    if (__libc_stack_end == nullptr) return nullptr;
    auto* word = static_cast<std::uint64_t*>(__libc_stack_end);
    word += 1 + *word + 1;
    while (*word != 0) ++word;
    return reinterpret_cast<Elf64_auxv_t*>(word + 1);
}

void replace() {
    Elf64_auxv_t* entry = auxiliary_vector();
    if (entry == nullptr) return;
    std::uint64_t loader = 0, random = 0;
    for (; entry->a_type != AT_NULL; ++entry) {
        if (entry->a_type == AT_RANDOM) random = entry->a_un.a_val;
        if (entry->a_type == AT_BASE) loader = entry->a_un.a_val;
        // A program that looks for the vDSO would read the real time there.
        if (entry->a_type == AT_SYSINFO_EHDR) entry->a_type = AT_IGNORE;
    }
    if (random == 0) return;
    Words& words = *reinterpret_cast<Words*>(random);
    const Words kernels = words;
    // Another C library may make other things of the bytes.
    constexpr std::uint64_t without_first_byte = ~std::uint64_t{0xff};
    if (read_canary() != (kernels.canary & without_first_byte) || read_pointer_guard() != kernels.guard) return;
    words = {fixed_canary | 0x5a, fixed_guard};
    if (loader != 0 && kernels.guard != 0) replace_in_loader(loader, kernels.guard);
    __asm__ volatile("movq %0, %%fs:0x28" ::"r"(fixed_canary) : "memory");
    __asm__ volatile("movq %0, %%fs:0x30" ::"r"(fixed_guard) : "memory");
}

extern "C" {

static std::uint32_t raddle_fixed() { return 1; }
static std::uint32_t raddle_not_fixed() { return 0; }

static std::uint32_t (*raddle_resolve_fixed())() {
    replace();
    return read_canary() == fixed_canary && read_pointer_guard() == fixed_guard ? raddle_fixed : raddle_not_fixed;
}

static std::uint32_t raddle_ask_fixed() __attribute__((ifunc("raddle_resolve_fixed")));
}

}  // namespace

bool are_fixed() { return raddle_ask_fixed() != 0; }

}  // namespace raddle::kernels_bytes
