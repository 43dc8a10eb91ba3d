#include "supervisor/process/launch/kernel_view.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>

#include "supervisor/base/files.h"
#include "supervisor/base/processor_time.h"

namespace raddle {

namespace {

struct Look {
    char state = 0;
    int parent = 0;
    long system_call = -1;  // the one it is in

    bool waits_for_its_turn() const { return state != 'R' && system_call == SYS_futex; }
};

std::filesystem::path folder_of(pid_t process) { return "/proc/" + std::to_string(process); }
std::filesystem::path folder_of(pid_t process, pid_t thread) {
    return folder_of(process) / "task" / std::to_string(thread);
}

std::optional<std::chrono::nanoseconds> processor_time_of(pid_t process) {
    clockid_t clock;
    timespec time{};
    if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return std::nullopt;
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::optional<Look> look_at(const std::filesystem::path& folder) {
    const std::string text = content_of(folder / "stat").value_or("");
    const std::size_t name_end = text.rfind(')');
    Look look;
    if (name_end == std::string::npos ||
        std::sscanf(text.c_str() + name_end + 1, " %c %d", &look.state, &look.parent) != 2)
        return std::nullopt;
    std::ifstream call(folder / "syscall");
    if (!(call >> look.system_call)) look.system_call = -1;
    return look;
}

}  // namespace

std::string describe_activity(pid_t process, pid_t server, bool has_kernel_threads) {
    const std::filesystem::path folder = folder_of(process);
    std::optional<Look> look = look_at(folder);
    if (!look || (process != server && look->parent != server)) return {};
    std::error_code error;
    std::ptrdiff_t tasks = 0;
    for (const auto& task : std::filesystem::directory_iterator(folder / "task", error)) {
        ++tasks;
        if (const auto other = look_at(task.path()); has_kernel_threads && other && look->waits_for_its_turn())
            look = other;
    }
    if (tasks > 1 && !has_kernel_threads) return "hangs, with threads that raddle did not start";
    if (look->state == 'R') return "computes or spins";
    if (look->system_call >= 0) return "is blocked in system call " + std::to_string(look->system_call);
    return "is blocked in the kernel";
}

void count_processor_time_below(pid_t server, pid_t process) {
    constexpr int most_generations = 3;  // with --follow-forks, the program's server is a child of the launched process
    constexpr std::chrono::nanoseconds second = std::chrono::seconds(1);
    const long ticks_a_second = ::sysconf(_SC_CLK_TCK);
    std::chrono::nanoseconds all{0};
    for (int generation = 0; process > 1 && process != server; ++generation) {
        const std::string text = content_of(folder_of(process) / "stat").value_or("");
        const std::size_t name_end = text.rfind(')');
        int parent = 0;
        long children_user = 0, children_system = 0;
        const auto own = processor_time_of(process);
        if (generation == most_generations || name_end == std::string::npos ||
            std::sscanf(text.c_str() + name_end + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %ld %ld",
                        &parent, &children_user, &children_system) != 3 ||
            !own)
            return;
        all += *own + second / ticks_a_second * (children_user + children_system);
        process = parent;
    }
    if (process == server) add_processor_seconds(std::chrono::duration<double>(all).count());
}

bool is_runnable(pid_t process, pid_t thread) {
    const std::optional<Look> look = look_at(folder_of(process, thread));
    return look && look->state == 'R';
}

std::string describe_thread(pid_t process, pid_t thread) {
    const std::optional<Look> look = look_at(folder_of(process, thread));
    if (!look) return "has ended";
    if (look->state == 'R') return "runs";
    if (look->state == 'Z') return "has ended, and nobody has waited for it";
    const std::string deeply = look->state == 'D' ? " and cannot be interrupted" : "";
    if (look->system_call >= 0) return "is blocked in system call " + std::to_string(look->system_call) + deeply;
    return "sleeps in the kernel" + deeply;
}

std::optional<Activity> activity_of(pid_t process, pid_t server) {
    const std::filesystem::path folder = folder_of(process);
    const std::optional<Look> look = look_at(folder);
    const auto processor_time = processor_time_of(process);
    if (!look || (process != server && look->parent != server) || !processor_time) return std::nullopt;
    Activity activity;
    activity.processor_time = *processor_time;
    activity.is_runnable = look->state == 'R';
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator(folder / "task", error)) {
        if (const auto other = look_at(task.path()); other && other->state == 'R') activity.is_runnable = true;
        std::ifstream times(task.path() / "schedstat");  // processor time, then time in the queue for a processor
        long long used = 0, delayed = 0;
        if (times >> used >> delayed) activity.processor_delay += std::chrono::nanoseconds(delayed);
    }
    return activity;
}

}  // namespace raddle
