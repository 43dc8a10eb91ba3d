/* conformance: gethostname, uname, getpid, getppid, getuid, getcwd, getpagesize, isatty, getrlimit, getrusage */
#include "check.h"
#include <sys/resource.h>
#include <sys/utsname.h>

/* The properties of the process are the same in every thread. */
struct identity {
    char host[65], cwd[4096];
    struct utsname system;
    pid_t pid, ppid, pgid, sid;
    uid_t uid, euid;
    gid_t gid;
    struct rlimit files;
};

static void *look(void *p)
{
    struct identity *i = (struct identity *)p;
    struct rusage usage;
    CHECK_EQ(gethostname(i->host, sizeof i->host), 0);
    CHECK_EQ(uname(&i->system), 0);
    CHECK_STR(i->host, i->system.nodename);
    CHECK(getcwd(i->cwd, sizeof i->cwd) == i->cwd);
    i->pid = getpid();
    i->ppid = getppid();
    i->pgid = getpgrp();
    i->sid = getsid(0);
    i->uid = getuid();
    i->euid = geteuid();
    i->gid = getgid();
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &i->files), 0);
    CHECK_EQ(getpagesize(), sysconf(_SC_PAGESIZE));
    CHECK_EQ(getrusage(RUSAGE_SELF, &usage), 0);
    CHECK_EQ(getrusage(RUSAGE_THREAD, &usage), 0);
    return p;
}

int main(void)
{
    static struct identity here, there;
    look(&here);
    join(start(look, &there));
    CHECK(memcmp(&here, &there, sizeof here) == 0);
    return ok();
}
