// The table of cancellation points (preload/hooks/threads/cancellation_points.def) has every function of the lists of
// POSIX and glibc, and the shim stands in front of each of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "preload/intercept/cancellation.h"

namespace raddle::testing {
namespace {

using cancellation::How;
using cancellation::List;

// POSIX.1-2017, 2.9.5: cancellation points shall occur. STREAMS (getmsg, putmsg …) do not exist on Linux.
const std::set<std::string> kPosix = {"accept",
                                      "aio_suspend",
                                      "clock_nanosleep",
                                      "close",
                                      "connect",
                                      "creat",
                                      "fcntl",
                                      "fdatasync",
                                      "fsync",
                                      "lockf",
                                      "mq_receive",
                                      "mq_send",
                                      "mq_timedreceive",
                                      "mq_timedsend",
                                      "msgrcv",
                                      "msgsnd",
                                      "msync",
                                      "nanosleep",
                                      "open",
                                      "openat",
                                      "pause",
                                      "poll",
                                      "pread",
                                      "pselect",
                                      "pthread_cond_timedwait",
                                      "pthread_cond_wait",
                                      "pthread_join",
                                      "pthread_testcancel",
                                      "pwrite",
                                      "read",
                                      "readv",
                                      "recv",
                                      "recvfrom",
                                      "recvmsg",
                                      "select",
                                      "sem_timedwait",
                                      "sem_wait",
                                      "send",
                                      "sendmsg",
                                      "sendto",
                                      "sigsuspend",
                                      "sigtimedwait",
                                      "sigwait",
                                      "sigwaitinfo",
                                      "sleep",
                                      "tcdrain",
                                      "wait",
                                      "waitid",
                                      "waitpid",
                                      "write",
                                      "writev"};

// Functions of glibc 2.36 that make their system call by SYSCALL_CANCEL, or wait as one of POSIX does.
const std::set<std::string> kGlibc = {"accept4",
                                      "epoll_pwait",
                                      "epoll_pwait2",
                                      "epoll_wait",
                                      "fallocate",
                                      "open64",
                                      "openat64",
                                      "ppoll",
                                      "pread64",
                                      "preadv",
                                      "pwrite64",
                                      "pwritev",
                                      "recvmmsg",
                                      "sendmmsg",
                                      "sync_file_range",
                                      "system",
                                      "usleep",
                                      "wait3",
                                      "wait4",
                                      "cnd_wait",
                                      "cnd_timedwait",
                                      "thrd_join",
                                      "thrd_sleep",
                                      "sem_clockwait",
                                      "pthread_cond_clockwait",
                                      "pthread_clockjoin_np",
                                      "pthread_timedjoin_np",
                                      "fflush",
                                      "fgets",
                                      "fread",
                                      "fwrite",
                                      "getline",
                                      "vfprintf"};

std::set<std::string> names_in(List list) {
    std::set<std::string> found;
    for (const cancellation::Point& point : cancellation::points)
        if (point.list == list) found.insert(point.name);
    return found;
}

TEST(CancellationPoints, AreThoseOfPosix) { EXPECT_EQ(names_in(List::posix), kPosix); }

TEST(CancellationPoints, IncludeThoseOfGlibc) {
    const std::set<std::string> known = names_in(List::glibc);
    for (const std::string& name : kGlibc) EXPECT_EQ(known.count(name), 1u) << name;
}

TEST(CancellationPoints, StandOnceInTheTable) {
    std::set<std::string> names;
    for (const cancellation::Point& point : cancellation::points)
        EXPECT_TRUE(names.insert(point.name).second) << point.name << " stands twice";
}

const std::set<std::string> kIntercepted = {
#define RADDLE_ACTION(type, name, ...) #name,
#define RADDLE_HOOK(type, name, ...) #name,
#define RADDLE_DESCRIPTOR_CALL(type, name, ...) #name,
#include "preload/intercept/functions.def"
};
const std::set<std::string> kRefused = {
#define RADDLE_REFUSE(name, why) #name,
#include "preload/intercept/functions.def"
};

TEST(CancellationPoints, AreIntercepted) {
    for (const cancellation::Point& point : cancellation::points) {
        const std::set<std::string>& table = point.how == How::refused ? kRefused : kIntercepted;
        EXPECT_EQ(table.count(point.name), 1u)
            << point.name << " is not in functions.def, so nothing tests for a request";
    }
}

// Calls that POSIX and glibc do not list: no thread may be cancelled in them.
TEST(CancellationPoints, AreNoOthers) {
    for (const char* name :
         {"posix_spawn", "posix_spawnp", "fork", "popen", "dup", "dup2", "pipe", "socket", "shutdown", "listen",
          "epoll_ctl", "pthread_mutex_lock", "pthread_barrier_wait", "lseek", "ftruncate"}) {
        const auto same = [&](const cancellation::Point& point) { return std::string(point.name) == name; };
        EXPECT_TRUE(std::none_of(std::begin(cancellation::points), std::end(cancellation::points), same)) << name;
    }
}

}  // namespace
}  // namespace raddle::testing
