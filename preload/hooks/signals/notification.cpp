#include "preload/hooks/signals/notification.h"

#include <pthread.h>

#include <cstring>

#include "preload/hooks/signals/signals.h"
#include "preload/intercept/real.h"

namespace raddle::notification {

namespace {

void start_program_thread(const sigevent& event) {
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    // The routine's argument is passed in the same register as a thread's argument.
    auto routine = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(event.sigev_notify_function));
    hooks::pthread_create(&thread, &attr, routine, event.sigev_value.sival_ptr);
    pthread_attr_destroy(&attr);
}

}  // namespace

void send(const sigevent& event, int code, int timer) {
    if (event.sigev_notify == SIGEV_NONE) return;
    if (event.sigev_notify == SIGEV_THREAD) return start_program_thread(event);
    if (!signals::is_signal(event.sigev_signo)) return;
    siginfo_t info;
    std::memset(&info, 0, sizeof info);
    info.si_signo = event.sigev_signo;
    info.si_code = code;
    if (code == SI_TIMER) {
        info.si_timerid = timer;
    } else {
        info.si_pid = hooks::getpid();
        info.si_uid = static_cast<uid_t>(raw::call(SYS_getuid));
    }
    info.si_value = event.sigev_value;
    signals::send_by_timer(info, event.sigev_notify == SIGEV_THREAD_ID ? event._sigev_un._tid : 0);
}

bool start_thread(void* (*body)(void*), void* argument) {
    pthread_attr_t attr;
    sigset_t all;
    sigfillset(&all);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setsigmask_np(&attr, &all);
    pthread_t thread;
    const int error = hooks::pthread_create(&thread, &attr, body, argument);
    pthread_attr_destroy(&attr);
    return error == 0;
}

}  // namespace raddle::notification
