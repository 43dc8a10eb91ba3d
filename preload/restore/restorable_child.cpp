// A child of the fork server that runs many executions. After each one it answers the supervisor, puts itself back to
// the fork point, waits for the next plan, and runs that. It ends if an execution did something that cannot be undone,
// or if the supervisor wants a fresh process. The server then forks another child.
#include <cpuid.h>
#include <sys/prctl.h>

#include <csignal>
#include <cstring>

#include "preload/base/raw.h"
#include "preload/restore/callbacks.h"
#include "preload/restore/preserved.h"
#include "preload/restore/restore.h"
#include "preload/restore/undo.h"
#include "preload/schedule/scheduler.h"
#include "preload/threads/backend.h"

// raddle_remember(void** save, void* stack, void (*go_on)()): saves the caller's registers and calls a function that
// never returns, on another stack. raddle_resume(void* saved): returns from raddle_remember.
// raddle_go_on(const SavedRegisters* saved): goes on behind pass_checkpoint().
__asm__(R"(
    .pushsection .text
    .local raddle_remember
    .type raddle_remember, @function
raddle_remember:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    subq $8, %rsp
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    xorl %ebp, %ebp
    call *%rdx
    ud2
    .size raddle_remember, .-raddle_remember

    .local raddle_resume
    .type raddle_resume, @function
raddle_resume:
    movq %rdi, %rsp
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    cld
    ret
    .size raddle_resume, .-raddle_resume

    .local raddle_go_on
    .type raddle_go_on, @function
raddle_go_on:
    movl $0xe7, %eax
    xorl %edx, %edx
    xrstor64 64(%rdi)
    movq (%rdi), %rsp
    movq 8(%rdi), %rbp
    movq 16(%rdi), %rbx
    movq 24(%rdi), %r12
    movq 32(%rdi), %r13
    movq 40(%rdi), %r14
    movq 48(%rdi), %r15
    cld
    jmp *56(%rdi)
    .size raddle_go_on, .-raddle_go_on
    .popsection
)");

extern "C" {
void raddle_remember(void** save, void* stack, void (*go_on)());
[[noreturn]] void raddle_resume(void* saved);
[[noreturn]] void raddle_go_on(const raddle::restore::SavedRegisters* saved);
}

namespace raddle::restore {

namespace {

using channel::Channel;
using channel::End;

bool active = false;  // this process goes back to its start after each execution
Preserved* preserved_ = nullptr;

void say_why(char (&to)[channel::most_path], const char* why) {
    std::size_t at = 0;
    for (; why[at] != 0 && at + 1 < sizeof to; ++at) to[at] = why[at];
    to[at] = 0;
}

[[noreturn]] void give_up(Channel& channel, const char* why) {
    say_why(channel.restarts.reason, why);
    ++channel.restarts.discarded;
    ++channel.restarts.in_a_row;
    raw::exit_process(0);
}

// Null if the state of the process is known after such an end.
const char* unclean(End end) {
    switch (end) {
        case End::exited:
        case End::finished:
        case End::deadlock:
        case End::livelock:
        case End::failed:
        case End::step_limit:
        case End::stopped:
        case End::diverged:
        case End::abandoned:
        case End::crash:
        case End::thread_limit:
        case End::record_full: return nullptr;
        case End::running:
        case End::uncontrolled:
        case End::sanitizer:  // its runtime was at work, with its locks taken
        case End::out_of_memory:
        case End::count_: break;
    }
    return "raddle had lost control of it";
}

// Asked once: under a hypervisor cpuid takes as long as a short execution.
bool saves_all_registers = false;

bool kernel_saves_all_registers() {
    unsigned a, b, c, d;
    constexpr unsigned xsave_in_use = 1u << 27;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & xsave_in_use) != 0;
}

// Clears the registers that calls do not preserve: they could be saved to memory with values of the execution before.
void clear_registers() {
    alignas(64) static const std::uint32_t initial[144] = {
        0x37f, 0, 0, 0, 0, 0, 0x1f80};  // the initial state, with no component in use
    if (saves_all_registers) __asm__ volatile("xrstor64 %0" ::"m"(initial), "a"(0xe7), "d"(0));
}

void set_signal_mask(std::uint64_t mask) { raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &mask, nullptr, 8L); }

// Goes on at the start or at the last checkpoint.
[[noreturn]] void start() {
    backend::become(scheduler::current().context);
    preserved_->image.mark_start();
    const Checkpoints& checkpoints = preserved_->checkpoints;
    if (!checkpoints.any()) {
        clear_registers();
        raddle_resume(preserved_->registers);
    }
    set_signal_mask(checkpoints.last_signal_mask());
    scheduler::go_on_with_plan();
    raddle_go_on(&checkpoints.last_registers());
}

// Later plans often leave the execution a little earlier. Where the way to the last checkpoint is long, there are
// others on it, each twice as far from the last one as the next: whatever they share, the steps from there on are few.
std::uint64_t next_on_the_way(std::uint64_t position, std::uint64_t last) {
    constexpr std::uint64_t least_way = 1024;
    if (position >= last) return no_checkpoint;
    return last - position < 2 * least_way ? last : position + (last - position) / 2;
}

// Runs on the preserved stack, so that the stack of the thread stays as it is.
[[noreturn]] void make_checkpoint() {
    const std::uint64_t position = preserved_->next_checkpoint;
    preserved_->next_checkpoint = no_checkpoint;
    if (comes_back()) {
        Channel& channel = *scheduler::shared();
        const char* why =
            preserved_->checkpoints.keep(preserved_->image, channel, position, preserved_->kept_registers);
        say_why(channel.restarts.no_checkpoint, why != nullptr ? why : "");
        preserved_->next_checkpoint = next_on_the_way(position, preserved_->last_checkpoint);
    }
    scheduler::go_on_with_plan();
    raddle_go_on(&preserved_->kept_registers);
}

[[noreturn]] void remember() {
    raw::call(SYS_prctl, PR_SET_THP_DISABLE, 1L, 0L, 0L,
              0L);  // the kernel does not track writes to parts of a large page
    preserved_->process = raw::call(SYS_getpid);
    active = true;
    fixed_memory::use_kept(&preserved_->image.kept());
    undo::begin();
    preserved_->next_checkpoint = no_checkpoint;
    if (const char* why = preserved_->image.make()) {
        Channel& channel = *scheduler::shared();
        say_why(channel.restarts.reason, why);
        channel.restarts.given_up = 1;
        active = false;
    }
    start();
}

// A checkpoint is worth its copies if an execution saves so many steps by it.
constexpr std::uint64_t least_distance = 8;

// The execution begins at the last checkpoint whose steps it shares with the execution before, and keeps one where it
// leaves that execution, and others on the way: the search comes back there often.
void choose_checkpoint(const Channel& channel) {
    Checkpoints& checkpoints = preserved_->checkpoints;
    const channel::PlanHeader& plan = channel.plan;
    const bool is_possible = saves_all_registers && depends_on_steps_alone(plan.tail);
    std::uint64_t shared = is_possible ? plan.shared : 0;
    if (shared > plan.prefix_length) shared = plan.prefix_length;
    if (plan.max_steps != 0 && shared > plan.max_steps) shared = plan.max_steps;
    checkpoints.drop_after(preserved_->image, shared);
    const bool is_worthwhile = is_possible && shared >= checkpoints.last_position() + least_distance;
    preserved_->last_checkpoint = shared;
    preserved_->next_checkpoint = is_worthwhile ? next_on_the_way(checkpoints.last_position(), shared) : no_checkpoint;
}

// Ends the process if the request wants a fresh one.
void await_request(const Channel& channel) {
    constexpr std::uint64_t second = 1000000000;
    const std::uint32_t done = preserved_->request;
    while (channel::load(channel.request) == done) {
        raw::futex_wait(&channel.request, done, second);
        if (raw::call(SYS_getppid) != preserved_->server) raw::exit_process(0);
    }
    if (channel.plan.fresh != 0) raw::exit_process(0);
}

void put_back(Channel& channel, bool scan) {
    const char* why = undo::put_back();
    if (why == nullptr) why = preserved_->image.put_back(scan);
    if (why != nullptr) give_up(channel, why);
}

// Everything in the channel that an execution finds at its beginning.
void show_beginning(Channel& channel) {
    ++channel.restarts.restored;
    if (preserved_->checkpoints.any()) {
        ++channel.restarts.resumed;
        preserved_->checkpoints.show(channel);
    } else {
        channel.result = preserved_->result_at_start;
        channel.threads[0] = preserved_->main_at_start;
        channel.module_count = preserved_->modules_at_start;
        channel.restarts.began_after = 0;
    }
    preserved_->request = channel::load(channel.request);
    channel::store(channel.taken, preserved_->request);
}

// Runs on the preserved stack. The supervisor gets its answer first, so it can work while memory is put back. Where
// there are checkpoints, its next plan decides how far the memory goes back.
[[noreturn]] void end_execution() {
    Channel& channel = *scheduler::shared();
    const char* why = unclean(channel.result.end);
    if (why == nullptr) why = undo::reason();
    const bool scan = undo::mappings_may_differ();
    channel.restarts.has_digest = channel.plan.digest;
    if (channel.plan.digest != 0) channel.restarts.digest = preserved_->image.digest(preserved_->left_at);
    channel.result.wait_status = 0;
    channel.result.has_wait_status = 1;
    channel::store(channel.reply, preserved_->request);
    raw::futex_wake(&channel.reply);
    if (why != nullptr) give_up(channel, why);
    const bool can_begin_later = preserved_->checkpoints.any();
    if (!can_begin_later) put_back(channel, scan);
    await_request(channel);
    choose_checkpoint(channel);
    if (can_begin_later) put_back(channel, scan);
    channel.restarts.in_a_row = 0;
    show_beginning(channel);
    start();
}

}  // namespace

Preserved* preserved() { return preserved_; }

CheckpointCall checkpoint_call{};

bool map_preserved() {
    preserved_ = static_cast<Preserved*>(
        raw::map_at(reinterpret_cast<void*>(fixed_memory::preserved), sizeof(Preserved), MAP_FIXED_NOREPLACE));
    if (preserved_ == nullptr) return false;
    preserved_->server = raw::call(SYS_getpid);
    preserved_->image.prepare();
    saves_all_registers = kernel_saves_all_registers();
    resolve_all();  // a lookup on first use would leave traces in one execution only
    return true;
}

void become_restorable() {
    checkpoint_call = {&preserved_->kept_registers, preserved_->stack_top(), make_checkpoint};
    raddle_remember(&preserved_->registers, preserved_->stack_top(), remember);
}

bool comes_back() { return active && raw::call(SYS_getpid) == preserved_->process; }

std::uint32_t execution_number() { return preserved_ != nullptr ? preserved_->request : 0; }

void leave(int status, std::uint64_t stack_pointer) {
    if (!comes_back()) raw::exit_process(status);
    preserved_->left_at =
        stack_pointer != 0 ? stack_pointer : reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    __asm__ volatile("movq %0, %%rsp\n\txorl %%ebp, %%ebp\n\tcall *%1\n\tud2" ::"r"(preserved_->stack_top()),
                     "r"(end_execution)
                     : "memory");
    __builtin_unreachable();
}

void forget() { active = false; }

std::uint64_t next_checkpoint() { return active ? preserved_->next_checkpoint : no_checkpoint; }

bool was_there(const void* begin, std::size_t bytes) {
    return preserved_ != nullptr && preserved_->image.was_there(begin, bytes);
}

// Pages of the start are put back after the execution anyway: clearing them costs less than the page faults would, and
// less than asking the kernel after the execution which pages were written.
void drop(void* begin, std::size_t bytes) {
    constexpr std::size_t most_cleared = 16 << 20;
    constexpr long dont_need = 4;
    if (active && !preserved_->image.expect_discard(begin, bytes)) undo::cannot("free (of too much memory)");
    if (active && bytes <= most_cleared && preserved_->image.was_there(begin, bytes))
        std::memset(begin, 0, bytes);
    else
        raw::call(SYS_madvise, begin, bytes, dont_need);
}

}  // namespace raddle::restore
