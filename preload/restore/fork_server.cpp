// The fork server. It holds the program's memory as it was at the fork point and never runs the program's code again.
// It dies with the supervisor, and its child dies with it. It keeps no descriptors. There is one child at a time. A
// child runs one plan, or many if it can put itself back (restorable_child.cpp).
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "preload/base/raw.h"
#include "preload/restore/address_space.h"
#include "preload/restore/callbacks.h"
#include "preload/restore/file_positions.h"
#include "preload/restore/preserved.h"
#include "preload/restore/restore.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"

// raddle_call_on(void* stack, void (*function)()): calls the function on another stack.
__asm__(R"(
    .pushsection .text
    .local raddle_call_on
    .type raddle_call_on, @function
raddle_call_on:
    pushq %rbp
    movq %rsp, %rbp
    movq %rdi, %rsp
    call *%rsi
    movq %rbp, %rsp
    popq %rbp
    ret
    .size raddle_call_on, .-raddle_call_on
    .popsection
)");
extern "C" void raddle_call_on(void* stack, void (*function)());

namespace raddle::restore {

namespace {

using channel::Channel;
using channel::Restore;

constexpr std::uint32_t most_discarded_in_a_row = 3;

bool ruled_out = false;
std::uint64_t shared_at_start = 0;  // the shim's own shared memory

// The size of the writable shared mappings. All forked copies of this process would write to them.
std::uint64_t shared_bytes() {
    std::uint64_t bytes = 0;
    const auto add = [](const Mapping& mapping, void* sum) {
        if (mapping.shared && mapping.writable) *static_cast<std::uint64_t*>(sum) += mapping.end - mapping.begin;
        return true;
    };
    for_each_mapping(add, &bytes);
    return bytes;
}

long fork_quietly() {
    return raw::call(SYS_clone, 0L, 0L, 0L, 0L,
                     0L);  // without a signal at its end: the program may have a handler for SIGCHLD
}

bool supervisor_lives(const Channel& channel) {
    const std::uint32_t parent =
        channel.keeper != 0 ? channel.keeper : channel.settings.supervisor_pid;  // the parent dies with the supervisor
    return raw::call(SYS_getppid) == static_cast<long>(parent);
}

void refuse(Channel& channel, const char* why) {
    const std::size_t length = std::strlen(why);
    std::memcpy(channel.result.message, why, length + 1);
    channel.result.message_length = static_cast<std::uint32_t>(length);
    channel.result.end = channel::End::out_of_memory;
}

void await_request(Channel& channel) {
    constexpr std::uint64_t second = 1000000000;
    for (;;) {
        const std::uint32_t done = channel::load(channel.reply);
        if (channel::load(channel.request) != done) return;
        raw::futex_wait(&channel.request, done, second);
        if (!supervisor_lives(channel)) raw::exit_process(0);
    }
}

// The child has ended: during a plan, or between two plans.
void account_for(Channel& channel, int status) {
    if (channel::load(channel.reply) != channel::load(channel.taken)) {
        channel.result.wait_status = static_cast<std::uint32_t>(status);
        channel.result.has_wait_status = 1;
        channel.restarts.has_digest = 0;
        ++channel.restarts.in_a_row;
        channel::store(channel.reply, channel::load(channel.request));
        raw::futex_wake(&channel.reply);
    }
    if (channel.settings.restore == Restore::while_worthwhile && channel.restarts.in_a_row >= most_discarded_in_a_row)
        channel.restarts.given_up = 1;
}

// Returns in a child. Runs on the preserved stack, so that no child finds traces of the server on its own stack.
void serve() {
    Channel& channel = *scheduler::shared();
    static channel::Result at_fork_point;
    static channel::ThreadRow main_row;
    static std::uint32_t module_count;
    static FilePositions positions;
    at_fork_point = channel.result;
    main_row = channel.threads[0];
    module_count = channel.module_count;
    positions.note();
    if (preserved() != nullptr) {
        preserved()->result_at_start = at_fork_point;
        preserved()->main_at_start = main_row;
        preserved()->modules_at_start = module_count;
    }
    const long server = raw::call(SYS_getpid);
    for (;;) {
        const std::uint32_t request = channel::load(channel.request);
        channel::store(channel.taken, request);
        if (preserved() != nullptr) preserved()->request = request;
        ++channel.restarts.forked;
        channel.restarts.began_after = 0;
        const long child = fork_quietly();
        if (child == 0) {
            raw::call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
            if (raw::call(SYS_getppid) != server) raw::exit_process(0);
            inline_calls::watch_here();
            channel::store(channel.executor, static_cast<std::uint32_t>(raw::call(SYS_getpid)));
            return;
        }
        int status = 0;
        if (raw::failed(child)) {
            refuse(channel, "the system refused to fork another process");
        } else {
            channel::store(channel.executor, static_cast<std::uint32_t>(child));
            while (raw::call(SYS_wait4, child, &status, __WALL, nullptr) == -EINTR) {}
        }
        account_for(channel, status);
        await_request(channel);
        positions.restore();
        channel.result = at_fork_point;
        channel.threads[0] = main_row;
        channel.module_count = module_count;
    }
}

void serve_and_become_restorable(Channel& channel) {
    scheduler::publish_modules();
    channel::store(channel.stage, static_cast<std::uint32_t>(channel::Stage::serving));
    if (channel.settings.restore != Restore::never && !map_preserved()) channel.restarts.given_up = 1;
    if (preserved() == nullptr) return serve();
    raddle_call_on(preserved()->stack_top(), serve);
    if (channel.restarts.given_up == 0) become_restorable();
}

// Returns in the process that runs a plan: a child of the server, or this process if it cannot become a server.
void serve_if_possible() {
    Channel& channel = *scheduler::shared();
    channel::Obstacle obstacle = ruled_out ? channel::Obstacle::child : fds::obstacle_to_forking();
    if (obstacle == channel::Obstacle::none && shared_bytes() != shared_at_start)
        obstacle = channel::Obstacle::shared_memory;
    channel.obstacle = static_cast<std::uint32_t>(obstacle);
    if (obstacle == channel::Obstacle::none) serve_and_become_restorable(channel);
}

bool is_wanted(channel::ForkAt point) { return scheduler::shared()->settings.fork_at == point; }

}  // namespace

void rule_out_fork_server() { ruled_out = true; }

void fork_point() {
    scheduler::record_held_locks();
    memory::arm_loaded_modules();
    if (is_wanted(channel::ForkAt::first_thread)) serve_if_possible();
    if (!scheduler::is_target()) scheduler::note_external_event(channel::external_event::child_threads);
    scheduler::start_plan();
}

void fork_at_start() {
    shared_at_start = shared_bytes();
    if (is_wanted(channel::ForkAt::start)) serve_if_possible();
}

}  // namespace raddle::restore
