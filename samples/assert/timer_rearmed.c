/* bug: main marks the work as done before it stops the watchdog, and the watchdog may fire in between; preemptions: 2 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, bitten;
static timer_t watchdog;

static void set(int seconds) {
    struct itimerspec time = {.it_value = {seconds, 0}};
    timer_settime(watchdog, 0, &time, NULL);
}

static void bite(union sigval unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    assert(!done);
    bitten = 1;
    pthread_mutex_unlock(&lock);
}

int main(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = bite};
    timer_create(CLOCK_MONOTONIC, &event, &watchdog);
    set(10);
    pthread_mutex_lock(&lock);
    done = !bitten;
    pthread_mutex_unlock(&lock);
    set(0);
    return 0;
}
// run: --patience none
