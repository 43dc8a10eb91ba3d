// The content of the program's memory as one number: a sum over all words that are not zero, each mixed with its
// address. The sum does not depend on the order or the pieces in which memory was mapped, or on empty pages. Words
// below the stack pointers of threads are left out: the kernel leaves traces there when it calls signal handlers.
#include "preload/base/raw.h"
#include "preload/base/sanitizer.h"
#include "preload/restore/memory_image.h"
#include "preload/schedule/scheduler.h"
#include "preload/threads/backend.h"

extern "C" {
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));
}

namespace raddle::restore {

namespace {

constexpr std::uint64_t largest_of_file = std::uint64_t{64} << 20;

constexpr std::uint64_t part_of(std::uint64_t address, std::uint64_t value) {
    return value == 0 ? 0 : mix64(address * 0x9e3779b97f4a7c15ULL + value) * (address | 1);
}

struct Sum {
    std::uint64_t value = 0;
    std::uint64_t stack_pointer = 0;  // of the thread that ran last
    std::uint64_t main_stack = 0;     // its lowest address
    std::uint64_t main_stack_end = 0;
    std::uint32_t given_end = 0;  // no thread of a later arena has a stack that the program gave to it
    PageMap map;
    const backend::KernelsWords kernels = backend::kernels_words();

    // The lowest address of the thread's stack that is in use.
    std::uint64_t alive_from(const Thread& thread) const {
        if (thread.ended && &thread != &thread_table::main())
            return reinterpret_cast<std::uint64_t>(thread.context.self);
        if (thread.stopped_at != 0) return thread.stopped_at;
        if (&thread == &scheduler::current()) return stack_pointer;
        return reinterpret_cast<std::uint64_t>(thread.context.stack_pointer);
    }

    static bool has_given_stack(const Thread& thread) { return thread.known && thread.context.stack_is_users; }

    void find_given_stacks() {
        for (std::uint32_t arena = 1; arena < thread_arena::count; ++arena)
            if (has_given_stack(thread_table::at(arena))) given_end = arena + 1;
    }

    // The address from which on the page is in use.
    std::uint64_t alive_in(std::uint64_t page) const {
        if (page - main_stack < main_stack_end - main_stack) return alive_from(thread_table::main());
        if (thread_arena::contains(page)) {
            const std::uint32_t arena = thread_arena::index_of(page);
            if (page - thread_arena::start_of(arena) < thread_arena::heap_bytes) return alive_in_given_stack(page);
            const Thread& thread = thread_table::at(arena);
            return thread.known && !thread.context.stack_is_users ? alive_from(thread) : thread_arena::end_of(arena);
        }
        return alive_in_given_stack(page);
    }

    // The same for a page that may lie in a stack which the program gave to a thread.
    std::uint64_t alive_in_given_stack(std::uint64_t page) const {
        for (std::uint32_t arena = 1; arena < given_end; ++arena) {
            const Thread& thread = thread_table::at(arena);
            if (!has_given_stack(thread)) continue;
            const auto stack = reinterpret_cast<std::uint64_t>(thread.context.stack);
            if (page >= stack && page < stack + thread.context.stack_bytes) return alive_from(thread);
        }
        return page;
    }

    void add_page(std::uint64_t page) {
        const std::uint64_t from = alive_in(page);
        for (std::uint64_t address = from > page ? (from + 7) & ~std::uint64_t{7} : page; address < page + page_bytes;
             address += 8)
            if (!is_kernels(address)) value += part_of(address, *reinterpret_cast<const std::uint64_t*>(address));
    }

    // Words that the kernel writes at any time.
    bool is_kernels(std::uint64_t address) const {
        return address - reinterpret_cast<std::uint64_t>(kernels.first) <
               std::uint64_t{kernels.count} * sizeof *kernels.first;
    }
};

bool is_in_shim(std::uint64_t address) {
    return address >= reinterpret_cast<std::uint64_t>(__ehdr_start) && address < reinterpret_cast<std::uint64_t>(_end);
}

bool is_counted(const Mapping& mapping) {
    return mapping.writable && (mapping.rights & 4) != 0 && !mapping.shared && !fixed_memory::is_shims(mapping.begin) &&
           !is_in_shim(mapping.begin) && !sanitizer::is_shadow(mapping.begin);
}

bool add(const Mapping& mapping, void* argument) {
    Sum& sum = *static_cast<Sum*>(argument);
    if (!is_counted(mapping) || (mapping.has_file && mapping.end - mapping.begin > largest_of_file)) return true;
    std::uint64_t entries[512];
    for (std::uint64_t address = mapping.begin; address < mapping.end;) {
        const std::uint64_t left = (mapping.end - address) / page_bytes;
        const std::size_t count = left < 512 ? left : 512;
        if (!sum.map.read(address, entries, count)) return false;
        for (std::size_t i = 0; i < count; ++i, address += page_bytes)
            if (mapping.has_file || is_there(entries[i])) sum.add_page(address);
    }
    return true;
}

bool find_main_stack(const Mapping& mapping, void* argument) {
    Sum& sum = *static_cast<Sum*>(argument);
    if (mapping.is_stack) {
        sum.main_stack = mapping.begin;
        sum.main_stack_end = mapping.end;
    }
    return true;
}

}  // namespace

std::uint64_t MemoryImage::digest(std::uint64_t stack_pointer) const {
    Sum sum;
    sum.stack_pointer = stack_pointer;
    sum.find_given_stacks();
    for_each_mapping(find_main_stack, &sum);
    for_each_mapping(add, &sum);
    return sum.value;
}

}  // namespace raddle::restore
