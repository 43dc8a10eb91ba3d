// The kernel compares the word of a futex that another thread writes: calls alone do not order the two.
// expect --outcomes: outcomes "ok: e" "ok: t"
// expect --memory sync: incomplete "no call orders the accesses to word"
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned word;

static void *writes(void *unused) {
    word = 1;
    return unused;
}

int main(void) {
    const struct timespec soon = {0, 1000000};
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
    const int timed_out = syscall(SYS_futex, &word, FUTEX_WAIT, 1, &soon, NULL, 0) != 0 && errno == ETIMEDOUT;
    pthread_join(thread, NULL);
    write(1, timed_out ? "t" : "e", 1);
    return 0;
}
