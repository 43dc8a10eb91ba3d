// Cancellation. A thread acts on it at a cancellation point, or at any action if it is asynchronous. glibc unwinds
// the stack, because it knows the cleanup handlers of C and C++.
#include "preload/intercept/callbacks.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"

namespace raddle {

void leave_thread_cancelled() {
    Thread& me = scheduler::current();
    me.leaving = true;
    me.result = PTHREAD_CANCELED;
    real::pthread_exit(PTHREAD_CANCELED);
}

namespace hooks {

int pthread_cancel(pthread_t handle) {
    Thread* target = thread_table::find(handle);
    if (target == nullptr) return ESRCH;
    if (!cancellation::armed) scheduler::note_external_event(channel::external_event::late_cancel);
    const ActionOutcome outcome = act(on_thread(Operation::thread_cancel, *target));
    if (target == &scheduler::current() && target->cancel_asynchronous) hooks::pthread_testcancel();
    return static_cast<int>(outcome.result);
}

int pthread_setcancelstate(int state, int* old) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
    Thread& me = scheduler::current();
    if (old != nullptr) *old = me.cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    me.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    if (!me.cancel_disabled && me.cancel_asynchronous) hooks::pthread_testcancel();
    return 0;
}

int pthread_setcanceltype(int type, int* old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
    Thread& me = scheduler::current();
    if (old != nullptr) *old = me.cancel_asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    me.cancel_asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    if (me.cancel_asynchronous) hooks::pthread_testcancel();
    return 0;
}

// pthread_cleanup_push_defer_np and its pop. The type is stored where glibc stores it: after the two links of the
// list.
void __pthread_register_cancel_defer(__pthread_unwind_buf_t* buffer) {
    __pthread_register_cancel(buffer);
    Thread& me = scheduler::current();
    buffer->__pad[2] = me.cancel_asynchronous ? buffer : nullptr;
    me.cancel_asynchronous = false;
}

void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t* buffer) {
    __pthread_unregister_cancel(buffer);
    if (buffer->__pad[2] == nullptr) return;
    scheduler::current().cancel_asynchronous = true;
    hooks::pthread_testcancel();
}

void pthread_testcancel() {
    const Thread& me = scheduler::current();
    if (me.cancel_disabled || me.leaving) return;
    act(of(Operation::thread_testcancel));
}

}  // namespace hooks

}  // namespace raddle
