/* conformance: pidfd_open, pidfd_send_signal to the own process and to a child, waitid with P_PIDFD */
#include "check.h"
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

int main(void)
{
    sigset_t usr1;
    siginfo_t info;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK_EQ(sigprocmask(SIG_BLOCK, &usr1, NULL), 0);
    int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    CHECK(self >= 0);
    CHECK_EQ(syscall(SYS_pidfd_send_signal, self, 0, NULL, 0), 0);
    CHECK_EQ(syscall(SYS_pidfd_send_signal, self, SIGUSR1, NULL, 0), 0);
    CHECK_EQ(sigwaitinfo(&usr1, &info), SIGUSR1);
    CHECK_EQ(info.si_pid, getpid());
    CHECK_EQ(close(self), 0);
    pid_t child = fork();
    if (child == 0) {
        for (;;)
            pause();
    }
    int other = (int)syscall(SYS_pidfd_open, child, 0);
    CHECK(other >= 0);
    CHECK_EQ(syscall(SYS_pidfd_send_signal, other, SIGKILL, NULL, 0), 0);
    CHECK_EQ(waitid(3 /* P_PIDFD */, (id_t)other, &info, WEXITED), 0);
    CHECK_EQ(info.si_pid, child);
    CHECK_EQ(info.si_status, SIGKILL);
    CHECK_ERRNO(syscall(SYS_pidfd_send_signal, other, 0, NULL, 0), ESRCH);
    return ok();
}
