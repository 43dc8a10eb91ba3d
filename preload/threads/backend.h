// Makes, parks and resumes the threads of the program. Exactly one thread runs at any time, and the scheduler decides
// which.
//
// There are two kinds. Fibers share the process's only kernel thread (fibers.cpp). With kernel threads, each thread of
// the program is one of the kernel's and waits for its turn (kernel_threads.cpp). Stack and control block are made in
// the same way for both.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::backend {

enum class Kind : std::uint32_t { fibers, kernel_threads };

extern Kind kind;  // set before the first thread

// The backend's part of a thread.
struct ThreadContext {
    void* stack_pointer;  // while parked as a fiber: the address of its saved registers
    void* self;           // its thread control block, which also serves as its pthread_t
    char* stack;          // lowest address of the stack, without the guard
    std::size_t stack_bytes;
    std::size_t guard_bytes;
    bool stack_is_users;
    std::uint32_t turn;             // kernel thread: whether it may go on
    std::uint32_t kernel_id;        // kernel thread: the kernel's id; 0 after its end
    std::uint64_t signals_blocked;  // kernel thread: its signal mask, while it waits for its turn
    void (*entry)(void*);           // kernel thread: its first function, until it begins
    void* argument;
};

// The properties of a new thread.
struct Shape {
    char* users_stack;  // null: the backend maps one that ends at `stack_end`
    std::uint64_t stack_end;
    std::size_t stack_bytes;
    std::size_t guard_bytes;
    std::uint32_t number;  // number of its arena; its thread id follows from it. Unique among living threads
};

// Null, or the reason why the shim cannot work with this C library. Main's control block gets the id `main_id`, and
// those of threads the ids behind it. 0: they keep the kernel's.
const char* prepare(std::int32_t main_id);
// Gives main's control block another id, and returns the one before.
std::int32_t set_id_of_main(std::int32_t id);
void adopt_main(ThreadContext& main);

// Makes a parked thread that will call entry(argument) and must end in finish(). False if there is no memory for it.
bool spawn(ThreadContext& context, const Shape& shape, void (*entry)(void*), void* argument);
void switch_to(ThreadContext& from, ThreadContext& to);
// Makes the calling code part of this thread, whatever stack it is on.
void become(const ThreadContext& context);
// Like switch_to, but `from` never runs again.
[[noreturn]] void finish(ThreadContext& from, ThreadContext& to);
// The parked thread never runs again.
void finish_parked(ThreadContext& context);
// Frees the control block of a finished thread. The stack stays as it is until another thread gets the arena, as with
// glibc.
void release(ThreadContext& context);

// Whether the calling code runs on this thread. False for threads that raddle did not start.
inline bool is_current(const ThreadContext& context) {
    void* self;
    __asm__("movq %%fs:16, %0" : "=r"(self));
    return self == context.self;
}

// Tells the kernel the thread's name, for tools such as ps and gdb.
void show_name(const ThreadContext& context, const char* name);
// Words in main's control block that the kernel writes to (rseq), on systems where this cannot be switched off.
struct KernelsWords {
    const std::uint64_t* first;
    std::uint32_t count;
};
KernelsWords kernels_words();
// The initialisation that glibc does first in a new thread.
void initialise_current();
// Size of a thread's static thread-local variables. They lie right below its control block.
std::size_t thread_local_bytes();
// Destroys the C++ thread_local objects of the current thread.
void run_thread_local_destructors();

}  // namespace raddle::backend
