#include "supervisor/process/outside/stopped_process.h"

#include <libunwind-ptrace.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "supervisor/base/text.h"
#include "supervisor/process/launch/kernel_view.h"

namespace raddle {

namespace {

constexpr std::size_t most_stopped = 1024;
// A thread in an uninterruptible sleep may never stop. One that runs stops as soon as it gets a processor, for which it
// may have to wait for long.
constexpr std::chrono::milliseconds until_stopped{1000}, until_stopped_if_runnable{60'000}, moment_to_run{1};

std::vector<pid_t> threads_of(pid_t process) {
    std::vector<pid_t> threads;
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", error)) {
        const pid_t id = static_cast<pid_t>(std::strtol(task.path().filename().c_str(), nullptr, 10));
        if (id > 0 && threads.size() < most_stopped) threads.push_back(id);
    }
    return threads;
}

std::string refusal(int error) {
    std::string text = "the stacks of its threads could not be taken: ptrace: ";
    if (error == EPERM)
        return text +
               "not permitted (another debugger has the process, or this system forbids it: docker run "
               "--cap-add SYS_PTRACE, sysctl kernel.yama.ptrace_scope)";
    return text + std::strerror(error);
}

}  // namespace

StoppedProcess::StoppedProcess(pid_t process) : process_(process) {
    std::size_t unstoppable = 0;
    int refused = 0;
    // Threads may come while others are being stopped.
    for (bool has_new = true; has_new && refused == 0;) {
        has_new = false;
        const std::size_t known = threads_.size();
        for (const pid_t id : threads_of(process)) {
            if (has_thread(id) || threads_.size() >= most_stopped) continue;
            Thread thread;
            thread.id = id;
            thread.activity = describe_thread(process, id);
            if (!seize(thread)) {
                if (errno != ESRCH) refused = errno;
                continue;
            }
            threads_.push_back(thread);
            has_new = true;
        }
        const auto until = Clock::now() + until_stopped;
        for (std::size_t i = known; i < threads_.size(); ++i) {
            if (!wait_for_stop(threads_[i], until)) {
                ++unstoppable;
                continue;
            }
            read_registers(threads_[i]);
            if (memory_ == nullptr) memory_ = ::_UPT_create(threads_[i].id);
        }
    }
    if (refused != 0)
        gap_ = refusal(refused);
    else if (unstoppable > 0)
        gap_ = counted(unstoppable, "thread") + " cannot be stopped, as the kernel is at work for it";
}

StoppedProcess::~StoppedProcess() {
    if (memory_ != nullptr) ::_UPT_destroy(memory_);
    for (Thread& thread : threads_) {
        if (!thread.seized) continue;
        if (!thread.stopped && !wait_for_stop(thread, Clock::now())) continue;
        ::ptrace(PTRACE_DETACH, thread.id, nullptr, thread.signal);
    }
}

bool StoppedProcess::has_thread(pid_t id) const {
    return std::any_of(threads_.begin(), threads_.end(), [&](const Thread& one) { return one.id == id; });
}

bool StoppedProcess::seize(Thread& thread) {
    if (::ptrace(PTRACE_SEIZE, thread.id, nullptr, nullptr) != 0) return false;
    thread.seized = true;
    return ::ptrace(PTRACE_INTERRUPT, thread.id, nullptr, nullptr) == 0;
}

bool StoppedProcess::wait_for_stop(Thread& thread, Clock::time_point until) const {
    for (;;) {
        int status = 0;
        const pid_t answered = ::waitpid(thread.id, &status, __WALL | WNOHANG);
        if (answered == thread.id) {
            thread.stopped = WIFSTOPPED(status);
            if (!thread.stopped) thread.seized = false;  // it is gone
            thread.signal = thread.stopped && status >> 16 == 0 ? WSTOPSIG(status) : 0;
            return thread.stopped;
        }
        if (answered < 0 && errno != EINTR) {
            thread.seized = false;
            return false;
        }
        const auto now = Clock::now();
        if (now >= until + until_stopped_if_runnable || (now >= until && !is_runnable(process_, thread.id)))
            return false;
        ::usleep(200);
    }
}

void StoppedProcess::read_registers(Thread& thread) {
    user_regs_struct all{};
    if (::ptrace(PTRACE_GETREGS, thread.id, nullptr, &all) != 0) return;
    thread.registers = {all.rax, all.rdx, all.rcx, all.rbx, all.rsi, all.rdi, all.rbp, all.rsp, all.r8,
                        all.r9,  all.r10, all.r11, all.r12, all.r13, all.r14, all.r15, all.rip};
    thread.control_block = all.fs_base;
}

bool StoppedProcess::read(std::uint64_t address, void* into, std::size_t bytes) const {
    const iovec local = {into, bytes};
    const iovec remote = {std::bit_cast<void*>(address), bytes};
    return ::process_vm_readv(process_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

bool StoppedProcess::read_word(std::uint64_t address, std::uint64_t& word) const {
    unw_word_t value = 0;
    if (memory_ == nullptr || ::_UPT_access_mem(nullptr, address, &value, 0, memory_) != 0) return false;
    word = value;
    return true;
}

bool StoppedProcess::let_run(std::size_t number) {
    Thread& thread = threads_[number];
    if (!thread.stopped || ::ptrace(PTRACE_CONT, thread.id, nullptr, thread.signal) != 0) return false;
    thread.stopped = false;
    ::usleep(static_cast<useconds_t>(std::chrono::microseconds(moment_to_run).count()));
    if (::ptrace(PTRACE_INTERRUPT, thread.id, nullptr, nullptr) != 0 ||
        !wait_for_stop(thread, Clock::now() + until_stopped))
        return false;
    read_registers(thread);
    return true;
}

std::vector<pid_t> descendants_of(pid_t process, std::size_t most) {
    std::vector<pid_t> found;
    std::vector<pid_t> parents = {process};
    for (std::size_t at = 0; at < parents.size() && found.size() < most; ++at) {
        for (const pid_t thread : threads_of(parents[at])) {
            std::ifstream children("/proc/" + std::to_string(parents[at]) + "/task/" + std::to_string(thread) +
                                   "/children");
            for (pid_t child = 0; found.size() < most && children >> child;) {
                found.push_back(child);
                parents.push_back(child);
            }
        }
    }
    return found;
}

}  // namespace raddle
