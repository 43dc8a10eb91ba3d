// How a thread is made, parked and resumed. Exactly one runs at any time; who that is, the scheduler says. Threads are
// fibers of the process's only kernel thread (fibers.cpp), or each a kernel thread of its own that waits for its turn
// (kernel_threads.cpp). Stack and control block are made in the same way for both.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::backend {

enum class Kind : std::uint32_t { fibers, kernel_threads };

extern Kind kind;  // set before the first thread

// What a backend keeps of a thread.
struct Strand {
    void* stack_pointer;        // while parked as a fiber: where its saved registers lie
    void* self;                 // its thread control block, which is also its pthread_t
    char* stack;                // the stack as the thread's owner sees it, guard not included
    std::size_t stack_bytes;
    std::size_t guard_bytes;
    bool stack_is_users;
    std::uint32_t turn;         // of a kernel thread: whether it may go on
    std::uint64_t signals_blocked;  // of a kernel thread while it waits for its turn
    void (*entry)(void*);       // of a kernel thread that has not begun
    void* argument;
};

struct Shape {
    char* users_stack;          // null: the backend maps one that ends at `stack_end`
    std::uint64_t stack_end;
    std::size_t stack_bytes;
    std::size_t guard_bytes;
    std::uint32_t number;       // its territory, and the kernel's name of the thread: distinct among the living
};

// Null, or why this system's C library cannot be worked with.
const char* prepare();
void adopt_main(Strand& main);

// A parked thread that will call entry(argument) and must end in finish(). False if there is no memory for it.
bool spawn(Strand& strand, const Shape& shape, void (*entry)(void*), void* argument);
void switch_to(Strand& from, Strand& to);
// The running code is this thread's from now on, on whatever stack.
void become(const Strand& strand);
// As switch_to, and `from` never goes on.
[[noreturn]] void finish(Strand& from, Strand& to);
// A parked one never goes on.
void finish_parked(Strand& strand);
// Of a thread that finished. Its stack stays as it is until another thread takes its place, as with glibc.
void release(Strand& strand);

// Is this code running on the thread the scheduler believes is running?
inline bool is_current(const Strand& strand) {
    void* self;
    __asm__("movq %%fs:16, %0" : "=r"(self));
    return self == strand.self;
}

// The name of a thread for the kernel and for who looks at the process from outside.
void show_name(const Strand& strand, const char* name);
// What a thread's control block calls it; as a kernel thread, the kernel too.
std::int32_t tid_of(const Strand& strand);
// Words in main's control block that the kernel writes to.
struct KernelsWords {
    const std::uint64_t* first;
    std::uint32_t count;
};
KernelsWords kernels_words();
// What glibc does first in a new thread.
void initialise_current();
// How many bytes below a thread's control block its thread-local variables take.
std::size_t thread_local_bytes();
// C++ thread_local objects of the current thread are destroyed.
void run_thread_local_destructors();

}  // namespace raddle::backend
