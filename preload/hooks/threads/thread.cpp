// Creating, joining and ending threads. pthread_exit and cancellation unwind to the entry of a thread: it registers
// itself as the outermost cleanup buffer, and glibc's unwinding ends there.
#include "preload/hooks/threads/thread.h"

#include <csetjmp>
#include <cstring>

#include "preload/base/sanitizer.h"
#include "preload/hooks/signals/signals.h"
#include "preload/hooks/system/inline_calls.h"
#include "preload/hooks/threads/scheduling.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/memory/memory.h"
#include "preload/restore/restore.h"

extern "C" int __sigsetjmp(__jmp_buf_tag*, int) noexcept __attribute__((returns_twice));

namespace raddle {

using scheduler::current;
using scheduler::machine;

namespace {

// Clears the caller-saved registers: they would tell of the thread that ran before, and registers belong to a
// thread's state (memory/spinning.cpp).
void run_routine(void* thread) {
    auto& me = *static_cast<Thread*>(thread);
    __asm__ volatile(
        "xorl %%ecx, %%ecx\n\txorl %%edx, %%edx\n\txorl %%esi, %%esi\n\txorl %%r8d, %%r8d\n\txorl %%r9d, %%r9d\n\t"
        "xorl %%r10d, %%r10d\n\txorl %%r11d, %%r11d" ::
            : "cc", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11");
    me.result = me.routine(me.argument);
}

// Sites name an instruction by an address behind its beginning.
const void* behind_beginning_of(void* (*routine)(void*)) {
    return reinterpret_cast<const char*>(reinterpret_cast<void*>(routine)) + 1;
}

void enter(void* argument) {
    backend::initialise_current();
    run_until_left(run_routine, argument);
    end_thread();
}

backend::Shape shape_of(const pthread_attr_t* attr, const Thread& thread) {
    backend::Shape shape{};
    pthread_attr_t defaults;
    if (attr == nullptr) pthread_getattr_default_np(&defaults);
    const pthread_attr_t* chosen = attr != nullptr ? attr : &defaults;
    void* stack = nullptr;
    std::size_t stack_bytes = 0;
    pthread_attr_getstacksize(chosen, &shape.stack_bytes);
    pthread_attr_getguardsize(chosen, &shape.guard_bytes);
    // With a stack of its own, the attribute has an address. Otherwise glibc returns null plus the size.
    if (attr != nullptr && pthread_attr_getstack(attr, &stack, &stack_bytes) == 0 && stack_bytes != 0 &&
        reinterpret_cast<std::uintptr_t>(stack) + stack_bytes != 0) {
        shape.users_stack = static_cast<char*>(stack);
        shape.stack_bytes = stack_bytes;
    }
    if (attr == nullptr) pthread_attr_destroy(&defaults);
    shape.stack_end = thread_arena::end_of(thread.arena) - 4096;
    shape.number = thread.arena;
    return shape;
}

int create(Thread*& made, const pthread_attr_t* attr, void* (*routine)(void*), void* argument) {
    if (phase == Phase::ended) return EAGAIN;
    inline_calls::watch();
    if (phase == Phase::alone) {
        restore::be_ready();
        if (phase == Phase::alone) restore::fork_point();
    }
    Thread& me = current();
    Thread* child = thread_table::add(me.id, machine().thread(me.slot).children + 1);
    if (child == nullptr)
        scheduler::end_with(channel::End::uncontrolled,
                            "the program has more threads at once than raddle can control (4,096)");
    child->routine = routine;
    child->argument = argument;
    std::memcpy(child->name, me.name, sizeof child->name);
    child->processors = me.processors;
    cpu_set_t processors;
    if (attr != nullptr && pthread_attr_getaffinity_np(attr, sizeof processors, &processors) == 0 &&
        CPU_COUNT(&processors) != CPU_SETSIZE && bind_to_processors(*child, sizeof processors, &processors) != 0) {
        child->known = false;
        return EINVAL;
    }
    if (const int error = scheduling::begin(*child, me, attr); error != 0) {
        child->known = false;
        return error;
    }
    const backend::Shape shape = shape_of(attr, *child);
    if (shape.stack_bytes > thread_arena::stack_bytes - 65536 && shape.users_stack == nullptr)
        scheduler::end_with(channel::End::uncontrolled,
                            "the program asks for a thread's stack of 2 GiB or more, which raddle cannot give");
    if (!backend::spawn(child->context, shape, enter, child)) {
        child->known = false;
        return EAGAIN;
    }
    child->holds_memory = true;
    sigset_t mask;
    const bool has_mask = attr != nullptr && pthread_attr_getsigmask_np(attr, &mask) == 0;
    signals::inherit(*child, has_mask ? &mask : nullptr);
    int detach_state = PTHREAD_CREATE_JOINABLE;
    if (attr != nullptr) pthread_attr_getdetachstate(attr, &detach_state);
    child->detached = detach_state == PTHREAD_CREATE_DETACHED;
    made = child;
    return 0;
}

void announce_creation(Thread& child) {
    Action action = on_thread(Operation::thread_create, child);
    action.set_detached(child.detached ? thread_detached : 0);
    act(action);
    scheduler::introduce(child);
}

void give_memory_back(Thread& thread) {
    if (!thread.holds_memory || !thread.ended) return;
    thread.holds_memory = false;
    backend::release(thread.context);
}

int join(pthread_t handle, void** result, const Action& action, Thread* target) {
    (void)handle;
    const ActionOutcome outcome = act(action);
    if (outcome.effect != Effect::done || outcome.result != 0) return static_cast<int>(outcome.result);
    if (result != nullptr) *result = target->result;
    if (target != &thread_table::main()) give_memory_back(*target);
    return 0;
}

// Runs below all frames that have ended: other threads may still write there.
void end_frames(void* top) {
    const Thread& me = current();
    const void* const code = me.leaving ? call_site : behind_beginning_of(me.routine);
    memory::frames::end_below(reinterpret_cast<std::uint64_t>(top), code);
}

}  // namespace

void run_until_left(void (*body)(void*), void* argument) {
    memory::frames::begin();
    __pthread_unwind_buf_t buffer;
    std::memset(&buffer, 0, sizeof buffer);
    if (__sigsetjmp(reinterpret_cast<__jmp_buf_tag*>(buffer.__cancel_jmp_buf), 0) == 0) {
        __pthread_register_cancel(&buffer);
        body(argument);
        __pthread_unregister_cancel(&buffer);
    }
    memory::frames::call_below_shared(end_frames);
}

void end_thread() {
    Thread& me = current();
    me.leaving = true;
    backend::run_thread_local_destructors();
    run_key_destructors();
    memory::frames::end_thread_locals(behind_beginning_of(me.routine));
    call_site = nullptr;
    signals::take_last_signals();
    Action action = of(Operation::thread_exit);
    action.set_thread_result(reinterpret_cast<std::int64_t>(me.result));
    act(action);
    // Only main gets here, after all threads have ended: the process ends as by exit(0).
    real::exit(0);
}

namespace hooks {

int pthread_create(pthread_t* thread, const pthread_attr_t* attr, void* (*routine)(void*), void* argument) {
    // AddressSanitizer keeps a record of each thread. Its function calls this one again.
    static void* site_of_program = nullptr;
    if (sanitizer::address_sanitizer.create_thread != nullptr) [[unlikely]] {
        if (!sanitizer::is_library_code(call_site)) {
            site_of_program = call_site;
            return sanitizer::address_sanitizer.create_thread(thread, attr, routine, argument);
        }
        call_site = site_of_program;
    }
    Thread* child = nullptr;
    if (const int error = create(child, attr, routine, argument); error != 0) return error;
    *thread = handle_of(*child);
    announce_creation(*child);
    return 0;
}

int pthread_join(pthread_t handle, void** result) {
    Thread* target = thread_table::find(handle);
    if (target == nullptr) return ESRCH;
    return join(handle, result, point(on_thread(Operation::thread_join, *target)), target);
}

int pthread_tryjoin_np(pthread_t handle, void** result) {
    Thread* target = thread_table::find(handle);
    if (target == nullptr) return ESRCH;
    return join(handle, result, on_thread(Operation::thread_tryjoin, *target), target);
}

int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* time) {
    return hooks::pthread_clockjoin_np(handle, result, CLOCK_REALTIME, time);
}

int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock, const timespec* time) {
    if (time == nullptr) return hooks::pthread_join(handle, result);
    if (const int error = bad_time(clock, time)) return error;
    Thread* target = thread_table::find(handle);
    if (target == nullptr) return ESRCH;
    return join(handle, result, point(until(on_thread(Operation::thread_join, *target), clock, time)), target);
}

int pthread_detach(pthread_t handle) {
    Thread* target = thread_table::find(handle);
    if (target == nullptr) return ESRCH;
    const ActionOutcome outcome = act(on_thread(Operation::thread_detach, *target));
    if (outcome.result != 0) return static_cast<int>(outcome.result);
    target->detached = true;
    if (target != &current() && target != &thread_table::main()) give_memory_back(*target);
    return 0;
}

void pthread_exit(void* result) {
    Thread& me = current();
    me.result = result;
    me.leaving = true;
    real::pthread_exit(result);
}

int thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
    // An int is returned in the lower half of the register for a pointer.
    const int error = hooks::pthread_create(
        thread, nullptr, reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(routine)), argument);
    return error == EAGAIN ? static_cast<int>(thrd_error) : as_thrd::refused(error);
}

int thrd_join(thrd_t thread, int* result) {
    void* value = nullptr;
    const int error = hooks::pthread_join(thread, &value);
    if (error == 0 && result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
    return as_thrd::refused(error);
}

int thrd_detach(thrd_t thread) { return as_thrd::refused(hooks::pthread_detach(thread)); }

void thrd_exit(int result) { pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(result))); }

}  // namespace hooks

}  // namespace raddle
