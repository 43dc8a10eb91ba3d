// The fork server. It holds the target's memory as it was at the fork point and never runs the target's code again.
// It dies with the supervisor, its child dies with it, and it keeps no descriptor.
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "preload/canonical.h"
#include "preload/irregular/descriptors.h"
#include "preload/raw.h"
#include "preload/restart/restart.h"
#include "preload/scheduler.h"

namespace raddle::restart {

namespace {

using channel::Channel;

bool ruled_out = false;

// Descriptors share their position with the server's: where a child read from one, the next has to find it rewound.
struct Positions {
    static constexpr int most = 64;
    int descriptor[most];
    long position[most];
    int count = 0;

    void note() {
        for (int fd = 0; fd < 256 && count < most; ++fd) {
            struct stat status;
            if (fd == 1 || fd == 2 || raw::failed(raw::call(SYS_fstat, fd, &status)) || !S_ISREG(status.st_mode)) continue;
            descriptor[count] = fd;
            position[count] = raw::call(SYS_lseek, fd, 0L, 1L);
            if (!raw::failed(position[count])) ++count;
        }
    }
    void restore() const {
        for (int i = 0; i < count; ++i) raw::call(SYS_lseek, descriptor[i], position[i], 0L);
    }
};

long fork_quietly() {
    return raw::call(SYS_clone, 0L, 0L, 0L, 0L, 0L);  // no signal when it ends: the target may have a handler for it
}

bool supervisor_lives(const Channel& channel) {
    return raw::call(SYS_getppid) == static_cast<long>(channel.settings.supervisor_pid);
}

// Comes back in a child.
void serve(Channel& channel) {
    static channel::Result at_fork_point;
    static channel::ThreadRow main_row;
    static Positions positions;
    at_fork_point = channel.result;
    main_row = channel.threads[0];
    positions.note();
    const long server = raw::call(SYS_getpid);
    constexpr std::uint64_t second = 1000000000;
    for (;;) {
        const std::uint32_t request = channel::load(channel.request);
        const long child = fork_quietly();
        if (child == 0) {
            raw::call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
            if (raw::call(SYS_getppid) != server) raw::exit_process(0);
            return;
        }
        int status = 0;
        if (raw::failed(child)) {
            std::strcpy(channel.result.message, "the system refused another process (fork)");
            channel.result.message_length = static_cast<std::uint32_t>(std::strlen(channel.result.message));
            channel.result.end = channel::End::out_of_memory;
        } else {
            channel::store(channel.executor, static_cast<std::uint32_t>(child));
            while (raw::call(SYS_wait4, child, &status, __WALL, nullptr) == -EINTR) {}
        }
        channel.result.wait_status = static_cast<std::uint32_t>(status);
        channel.result.has_wait_status = 1;
        channel::store(channel.reply, request);
        raw::futex_wake(&channel.reply);
        while (channel::load(channel.request) == request) {
            raw::futex_wait(&channel.request, request, second);
            if (!supervisor_lives(channel)) raw::exit_process(0);
        }
        positions.restore();
        channel.result = at_fork_point;
        channel.threads[0] = main_row;
    }
}

}  // namespace

void rule_out_fork_server() { ruled_out = true; }

namespace {

// Comes back in the process that is to carry out a plan: a child of the server, or this one, if it cannot be one.
void serve_if_possible() {
    Channel& channel = *scheduler::shared();
    const channel::Obstacle obstacle = ruled_out ? channel::Obstacle::child : fds::obstacle_to_forking();
    channel.obstacle = static_cast<std::uint32_t>(obstacle);
    if (obstacle != channel::Obstacle::none) return;
    scheduler::publish_modules();
    channel::store(channel.stage, static_cast<std::uint32_t>(channel::Stage::serving));
    serve(channel);
}

bool is_asked_for(channel::ForkAt place) { return scheduler::shared()->settings.fork_at == place; }

}  // namespace

void fork_point() {
    if (is_asked_for(channel::ForkAt::first_thread)) serve_if_possible();
    scheduler::take_up_plan();
}

void fork_at_start() {
    if (is_asked_for(channel::ForkAt::start)) serve_if_possible();
}

}  // namespace raddle::restart
