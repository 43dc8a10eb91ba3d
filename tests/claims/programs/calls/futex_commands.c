// The commands of futex() besides wait and wake: WAKE_OP (all of Qt 5), BITSET, REQUEUE, CMP_REQUEUE, LOCK_PI.
// expect -- op: ok
// expect -- lost: deadlock
// expect -- bitset: ok
// expect -- requeue: ok
// expect -- compare: ok
// expect -- pi: ok
// expect -- twice: assertion
// expect -- unknown: ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int a, b, owner, inside;
static const char* how;

static long futex(atomic_int* word, int command, int value, long count, atomic_int* other, int value3) {
    return syscall(SYS_futex, word, command, value, count, other, value3);
}

static void lock_pi(void) {
    int none = 0;
    if (!atomic_compare_exchange_strong(&owner, &none, (int)syscall(SYS_gettid)))
        assert(futex(&owner, FUTEX_LOCK_PI_PRIVATE, 0, 0, NULL, 0) == 0);
}
static void unlock_pi(void) {
    int me = (int)syscall(SYS_gettid);
    if (!atomic_compare_exchange_strong(&owner, &me, 0))
        assert(futex(&owner, FUTEX_UNLOCK_PI_PRIVATE, 0, 0, NULL, 0) == 0);
}

static void* wait_for_change(void* unused) {
    if (strcmp(how, "pi") == 0) {
        lock_pi();
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        unlock_pi();
    } else if (strcmp(how, "bitset") == 0) {
        while (a == 0) futex(&a, FUTEX_WAIT_BITSET_PRIVATE, 0, 0, NULL, 2);
    } else {
        while (a == 0) futex(&a, FUTEX_WAIT_PRIVATE, 0, 0, NULL, 0);
    }
    return unused;
}

static void change_and_wake(void) {
    const int set_b = FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0);
    if (strcmp(how, "op") == 0) {
        a = 1;
        futex(&a, FUTEX_WAKE_OP_PRIVATE, 1, 1, &b, set_b);
        assert(b == 1);
    } else if (strcmp(how, "lost") == 0) {  // the word of the waiter is the one that is compared: b has the value 1
        b = 1;
        a = 1;
        futex(&b, FUTEX_WAKE_OP_PRIVATE, 1, 1, &a, FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0));
    } else if (strcmp(how, "twice") == 0) {  // a changes before the call: sometimes there is nobody to wake
        a = 1;
        assert(futex(&a, FUTEX_WAKE_OP_PRIVATE, 1, 1, &b, set_b) == 1);
    } else if (strcmp(how, "bitset") == 0) {
        a = 1;
        futex(&a, FUTEX_WAKE_BITSET_PRIVATE, 1, 0, NULL, 1);
        futex(&a, FUTEX_WAKE_BITSET_PRIVATE, 1, 0, NULL, 2);
    } else if (strcmp(how, "requeue") == 0) {
        a = 1;
        futex(&a, FUTEX_REQUEUE_PRIVATE, 0, 1, &b, 0);
        futex(&b, FUTEX_WAKE_PRIVATE, 1, 0, NULL, 0);
    } else if (strcmp(how, "compare") == 0) {
        assert(futex(&a, FUTEX_CMP_REQUEUE_PRIVATE, 0, 1, &b, 7) == -1 && errno == EAGAIN);
        a = 1;
        futex(&a, FUTEX_CMP_REQUEUE_PRIVATE, 0, 1, &b, 1);
        futex(&b, FUTEX_WAKE_PRIVATE, 1, 0, NULL, 0);
    } else if (strcmp(how, "unknown") == 0) {
        assert(futex(&a, FUTEX_FD, 0, 0, NULL, 0) == -1 && errno == ENOSYS);
        a = 1;
        futex(&a, FUTEX_WAKE_PRIVATE, 1, 0, NULL, 0);
    } else {
        wait_for_change(NULL);
    }
}

int main(int count, char** values) {
    how = count > 1 ? values[1] : "op";
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_change, NULL);
    change_and_wake();
    pthread_join(thread, NULL);
    return 0;
}
