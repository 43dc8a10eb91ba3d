// pthread_once, call_once and statics of functions. An exception or a cancellation that leaves the routine gives the
// initialisation up, and another thread repeats it. The shim has no exceptions, so a frame in assembly has a
// personality routine; every unwinder calls it on its way.
#include <unwind.h>

#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"

// raddle_call_guarded(routine): calls the routine from a frame that notices unwinding.
__asm__(R"(
    .pushsection .text
    .local raddle_call_guarded
    .type raddle_call_guarded, @function
raddle_call_guarded:
    .cfi_startproc
    .cfi_personality 0x1b, raddle_guard_left
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call *%rdi
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size raddle_call_guarded, .-raddle_call_guarded
    .popsection
)");

extern "C" {
void raddle_call_guarded(void (*routine)());
__attribute__((visibility("hidden"), used)) _Unwind_Reason_Code raddle_guard_left(int version, _Unwind_Action actions,
                                                                                  _Unwind_Exception_Class,
                                                                                  _Unwind_Exception*, _Unwind_Context*);
}

namespace raddle {

namespace {

void give_up(Guarded& guarded) {
    Action action = of(Operation::once_end);
    action.object = guarded.object;
    action.set_abandoned(1);
    act(action);
}

// A control with value 0 in reused memory is new. The machine may still know the old one at this address.
constexpr int done = 2;  // the value that glibc uses

void renew_if_new(const int* once, const Action& use) {
    const ObjectSlot slot = scheduler::machine().find_object(use.object);
    if (slot == no_slot || *once == done) return;
    const ObjectRecord& known = scheduler::machine().object(slot);
    if (known.kind != Kind::once || !known.flag) return;
    Action reset = use;
    reset.operation = Operation::once_end;
    reset.set_abandoned(1);
    act(reset);
}

int run_once(int* once, void (*routine)()) {
    const Action begin = on(Operation::once_begin, once);
    renew_if_new(once, begin);
    if (act(begin).result == 0) return 0;
    Thread& me = scheduler::current();
    Guarded guarded{me.guarded, begin.object, give_up};
    me.guarded = &guarded;
    raddle_call_guarded(routine);
    me.guarded = guarded.outer;
    *once = done;
    act(on(Operation::once_end, once));
    return 0;
}

}  // namespace

namespace hooks {

int pthread_once(pthread_once_t* once, void (*routine)()) { return run_once(once, routine); }
void call_once(once_flag* once, void (*routine)()) { run_once(reinterpret_cast<int*>(once), routine); }

int __cxa_guard_acquire(std::int64_t* guard) {
    if (*reinterpret_cast<char*>(guard) != 0) return 0;
    return act(on(Operation::once_begin, guard)).result != 0 ? 1 : 0;
}

void __cxa_guard_release(std::int64_t* guard) {
    act(on(Operation::once_end, guard));
    // Compiled code calls the shim only if the guard's first byte is 0, and reading it is no event. With other
    // threads it therefore stays 0, so that every use of the static is an event.
    if (phase != Phase::scheduled) *reinterpret_cast<char*>(guard) = 1;
}

void __cxa_guard_abort(std::int64_t* guard) {
    Action action = on(Operation::once_end, guard);
    action.set_abandoned(1);
    act(action);
}

}  // namespace hooks

}  // namespace raddle

_Unwind_Reason_Code raddle_guard_left(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                                      _Unwind_Context*) {
    using namespace raddle;
    if ((actions & _UA_CLEANUP_PHASE) != 0) {
        Thread& me = scheduler::current();
        if (Guarded* guarded = me.guarded; guarded != nullptr) {
            me.guarded = guarded->outer;
            guarded->left(*guarded);
        }
    }
    return _URC_CONTINUE_UNWIND;
}
