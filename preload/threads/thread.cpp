#include "preload/threads/thread.h"

extern "C" void* __libc_stack_end;

namespace raddle::thread_table {

namespace {
Thread table[count];
}  // namespace

Thread& main() { return table[0]; }
Thread& at(std::uint32_t arena) { return table[arena]; }

Thread* add(ThreadId parent, std::uint32_t number) {
    std::uint32_t arena = thread_arena::preferred_index(parent, number);
    for (std::uint32_t tried = 0; tried < count; ++tried, arena = arena + 1 == count ? 1 : arena + 1) {
        Thread& thread = table[arena];
        if (arena == 0 || (thread.known && (!thread.ended || thread.holds_memory))) continue;
        thread = Thread{};
        thread.id = child_of(parent, number);
        thread.arena = arena;
        thread.known = true;
        return &thread;
    }
    return nullptr;
}

Thread* find(pthread_t handle) {
    if (main().context.self == reinterpret_cast<void*>(handle)) return &main();
    if (thread_arena::contains(handle)) {
        Thread& thread = table[thread_arena::index_of(handle)];
        if (thread.known && handle_of(thread) == handle) return &thread;
    }
    // The stack is the program's (perhaps a block of its heap), and other threads may have had it before. The latest
    // thread counts.
    Thread* found = nullptr;
    for (Thread& thread : table)
        if (thread.known && thread.context.stack_is_users && handle_of(thread) == handle &&
            (found == nullptr || thread.slot > found->slot))
            found = &thread;
    return found;
}

Thread* find(ThreadId id) {
    for (Thread& thread : table)
        if (thread.known && thread.id == id) return &thread;
    return nullptr;
}

}  // namespace raddle::thread_table

namespace raddle {

std::uint64_t end_of_stack(const Thread& thread, std::uint64_t pointer) {
    if (thread.context.stack == nullptr) {
        const auto end = reinterpret_cast<std::uint64_t>(__libc_stack_end);
        return end - pointer < (std::uint64_t{1} << 30) ? end : 0;
    }
    const auto begin = reinterpret_cast<std::uint64_t>(thread.context.stack);
    return pointer - begin < thread.context.stack_bytes ? begin + thread.context.stack_bytes : 0;
}

}  // namespace raddle
