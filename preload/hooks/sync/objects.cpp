// Initialisation and destruction. glibc stores the attributes in the object, and an event tells the machine that it
// is new. Destruction leaves a mark in the object (describe.h).
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/intercept/renewed_objects.h"

namespace raddle::hooks {

namespace {
Action made_new(Operation operation, const void* object, std::uint8_t attributes) {
    renewed_objects::forget(object);
    Action action = on(operation, object);
    action.attributes = attributes;
    return action;
}
}  // namespace

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attr) {
    if (const int error = real::pthread_mutex_init(mutex, attr); error != 0) return error;
    mark::make_known(mutex);
    return as_error::of(act(made_new(Operation::mutex_init, mutex, attributes_of(mutex))));
}

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attr) {
    if (const int error = real::pthread_rwlock_init(lock, attr); error != 0) return error;
    mark::make_known(lock);
    return as_error::of(act(made_new(Operation::rwlock_init, lock, attributes_of(lock))));
}

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attr) {
    if (const int error = real::pthread_cond_init(condition, attr); error != 0) return error;
    return as_error::of(act(made_new(Operation::cond_init, condition, 0)));
}

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t*, unsigned count) {
    return as_error::of(act(with_count(on(Operation::barrier_init, barrier), static_cast<int>(count))));
}

int mtx_init(mtx_t* mutex, int type) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    if ((type & mtx_recursive) != 0) pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    return as_thrd::refused(hooks::pthread_mutex_init(reinterpret_cast<pthread_mutex_t*>(mutex), &attr));
}

int pthread_mutex_destroy(pthread_mutex_t* mutex) {
    const ActionOutcome outcome = act(on_mutex(Operation::mutex_destroy, mutex));
    if (outcome.result == 0) {
        mutex->__data.__kind = mark::mutex;
        mutex->__data.__spins = 0;
        renewed_objects::watch(Kind::mutex, mutex);
    }
    return as_error::of(outcome);
}

int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
    const ActionOutcome outcome = act(on_rwlock(Operation::rwlock_destroy, lock));
    if (outcome.result == 0) {
        lock->__data.__readers = mark::rwlock;
        lock->__data.__pad4 = 0;
        renewed_objects::watch(Kind::rwlock, lock);
    }
    return as_error::of(outcome);
}

int pthread_cond_destroy(pthread_cond_t* condition) {
    const ActionOutcome outcome = act(on_condition(Operation::cond_destroy, condition));
    if (outcome.result == 0) {
        condition->__data.__wrefs |= mark::condition;
        renewed_objects::watch(Kind::condition, condition);
    }
    return as_error::of(outcome);
}

void mtx_destroy(mtx_t* mutex) { hooks::pthread_mutex_destroy(reinterpret_cast<pthread_mutex_t*>(mutex)); }

int cnd_init(cnd_t* condition) {
    return as_thrd::refused(hooks::pthread_cond_init(reinterpret_cast<pthread_cond_t*>(condition), nullptr));
}
void cnd_destroy(cnd_t* condition) { hooks::pthread_cond_destroy(reinterpret_cast<pthread_cond_t*>(condition)); }

}  // namespace raddle::hooks
