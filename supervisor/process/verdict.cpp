#include "supervisor/process/verdict.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstring>

#include "supervisor/base/text.h"
#include "supervisor/model/tool_objects.h"
#include "supervisor/process/sanitizer_report.h"

namespace raddle {

namespace {

std::string signal_name(int signal) {
    const char* name = ::sigabbrev_np(signal);
    return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

// By the program itself; other fatal signals are faults of an instruction.
bool was_sent(const channel::Crash& crash) { return static_cast<std::int32_t>(crash.code) <= 0; }

std::string crash_message(const channel::Crash& crash) {
    const std::string thread = name_of(crash.thread);
    const std::string signal = signal_name(static_cast<int>(crash.signal));
    if (was_sent(crash)) return "killed by " + signal;
    if (crash.in_stack_guard != 0) return signal + " in " + thread + ": its stack is full";
    if (crash.signal == SIGSEGV || crash.signal == SIGBUS)
        return signal + " in " + thread + " at address " + hexadecimal(crash.address);
    return signal + " in " + thread;
}

std::string misuse_message(const Event& event) {
    const std::string text = name_of(event.thread) + " " + text_of_misuse(event);
    return traits(event.action.operation).kind == Kind::memory ? text
                                                               : text + " (" + name_of(event.action.operation) + ")";
}

std::string waiting_message(const std::vector<Pending>& pending) {
    std::string text;
    for (const Pending& thread : pending) {
        if (text.size() > 400) return text + ", …";
        const ObjectId& object = thread.action.object;
        const bool for_signal = object.space() == Space::tool &&
                                (object.offset == tool::signals_of_thread || object.offset == tool::signals_of_process);
        text += (text.empty() ? "" : ", ") + name_of(thread.thread) + " in " +
                (for_signal ? "signal_wait" : std::string(name_of(thread.action.operation)));
    }
    return "nobody can go on: " + text;
}

std::string stuck_message(const Observed& observed, const ProcessEnd& process_end) {
    std::string text =
        "no action for " + std::to_string(process_end.patience.count()) + " ms: " + name_of(observed.last_thread);
    text += process_end.stuck_in.empty() ? " does not come back" : " " + process_end.stuck_in;
    const auto last = std::find_if(observed.events.rbegin(), observed.events.rend(),
                                   [&](const Event& event) { return event.thread == observed.last_thread; });
    if (last != observed.events.rend()) text += std::string(" after ") + name_of(last->action.operation);
    return text;
}

constexpr const char* not_followed = "raddle could not follow there; it has to be dynamically linked, and not setuid";

// The call site of the action of this kind that ended the process: there is one, near the end.
std::uint64_t site_of_end(const Events& events, Operation operation) {
    const auto found = std::find_if(events.rbegin(), events.rend(),
                                    [&](const Event& event) { return event.action.operation == operation; });
    return found == events.rend() ? 0 : found->action.site;
}

// For a process whose end the shim did not see.
void set_verdict_by_status(const Observed& observed, const ProcessEnd& process_end, Execution& execution) {
    const int status = process_end.wait_status;
    if (!WIFSIGNALED(status)) {
        execution.verdict = Verdict::uncontrolled;
        execution.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
        execution.message =
            observed.replacement.empty()
                ? "the process ended where raddle could not see it, with status " +
                      std::to_string(execution.exit_status)
                : "the program replaced itself (exec) by " + observed.replacement + ", which " + not_followed;
        return;
    }
    const int signal = WTERMSIG(status);
    execution.verdict = signal == SIGABRT ? Verdict::assertion : Verdict::crash;
    execution.message = observed.message.empty() ? "killed by " + signal_name(signal) : observed.message;
}

// The external events of an execution, for people.
std::string external_events_message(std::uint32_t external_events) {
    struct Row {
        std::uint32_t event;
        const char* text;
    };
    constexpr Row rows[] = {
        {channel::external_event::child_stuck,
         "the threads of a child process wait for each other for ever (--follow-forks may be able to test it)"},
        {channel::external_event::child_threads,
         "a child process has threads, which are not explored (--follow-forks tests it instead of its parent)"},
        {channel::external_event::child_locks,
         "a child that was forked beside other threads takes a mutex, and whether they had it then is not explored"},
        {channel::external_event::child_objects, "another process may use an object that the program uses"},
        {channel::external_event::child_memory,
         "the program accessed memory that a child process shares, which has its own speed"},
        {channel::external_event::late_cancel,
         "a library that the program loaded by itself cancels a thread, so not all cancellation points are explored"},
        {channel::external_event::signal,
         "a signal from outside, a child's end among them, was taken at the moment when it came"},
        {channel::external_event::child_ended, "the program looked whether a child had ended, which has its own speed"},
        {channel::external_event::replaced,
         "after its first thread the program replaced itself (exec), and what it became is not tested"},
        {channel::external_event::file_changes,
         "the program watches files (inotify): the order of their changes and its reads is not explored"},
        {channel::external_event::ready,
         "the program looked whether something outside was ready, which has its own speed"},
    };
    std::string text;
    for (const Row& row : rows)
        if ((external_events & row.event) != 0) text += (text.empty() ? "" : "; ") + std::string(row.text);
    return text;
}

void judge_by_report(const Observed& observed, Execution& execution) {
    const SanitizerReport report = read_sanitizer_report(observed.message, observed.modules);
    execution.verdict = Verdict::sanitizer;
    execution.message = report.message;
    execution.site = report.site;
    if (execution.site == 0 && observed.crash.instruction != 0)
        execution.site = site_code_at(observed.modules, observed.crash.instruction);
}

void judge_by_end(const Observed& observed, const ProcessEnd& process_end, Execution& execution) {
    using channel::End;
    switch (observed.end) {
        case End::running: set_verdict_by_status(observed, process_end, execution); break;
        case End::exited:
            execution.verdict = execution.exit_status != 0 ? Verdict::exit_status : Verdict::ok;
            if (execution.exit_status != 0) execution.message = "exit status " + std::to_string(execution.exit_status);
            execution.site = site_of_end(observed.events, Operation::process_exit);
            break;
        case End::finished: execution.verdict = Verdict::ok; break;
        case End::deadlock:
            execution.verdict = Verdict::deadlock;
            execution.message = waiting_message(observed.pending);
            break;
        case End::livelock:
            execution.verdict = Verdict::livelock;
            execution.message = waiting_message(observed.pending);
            break;
        case End::failed:
            execution.verdict = Verdict::assertion;
            execution.site = site_of_end(observed.events, Operation::fail);
            break;
        case End::step_limit: execution.verdict = Verdict::step_limit; break;
        case End::thread_limit: execution.verdict = Verdict::thread_limit; break;
        case End::record_full: execution.verdict = Verdict::step_limit; break;
        case End::stopped: execution.verdict = Verdict::stopped; break;
        case End::diverged: execution.verdict = Verdict::diverged; break;
        case End::abandoned: execution.verdict = Verdict::abandoned; break;
        case End::uncontrolled: execution.verdict = Verdict::uncontrolled; break;
        case End::out_of_memory: execution.verdict = Verdict::uncontrolled; break;
        case End::crash:
            execution.verdict = Verdict::crash;
            execution.message = crash_message(observed.crash);
            // The exact instruction of a stack overflow means nothing.
            if (was_sent(observed.crash))
                execution.site = site_of_end(observed.events, Operation::process_crash);
            else if (observed.crash.in_stack_guard == 0)
                execution.site = site_code_at(observed.modules, observed.crash.instruction);
            break;
        case End::sanitizer: judge_by_report(observed, execution); break;
        case End::count_: break;
    }
}

// The thread that failed had used freed memory.
bool misused_freed_memory(const Events& events) {
    const auto failed = std::find_if(events.begin(), events.end(),
                                     [](const Event& event) { return event.action.operation == Operation::fail; });
    return failed != events.end() && std::any_of(events.begin(), failed, [&](const Event& event) {
               return event.thread == failed->thread && touches_freed_memory(event);
           });
}

}  // namespace

std::optional<std::size_t> events_before_kill(const channel::Channel& channel, const ProcessEnd& process_end) {
    const int status = process_end.wait_status;
    if (!process_end.ended || !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) return std::nullopt;
    return read_events_so_far(channel, 0).events.size();
}

Execution execution_of(Observed observed, const ProcessEnd& process_end) {
    Execution execution;
    execution.message = observed.message;
    execution.exit_status = observed.exit_status;
    execution.external_event = external_events_message(observed.external_events);
    if (!observed.missing_call.empty())
        execution.missing_call = "raddle answers " + observed.missing_call +
                                 " with ENOSYS, as older kernels do: what the program does with it is not explored";
    if (observed.cut_after_end)
        execution.cut_short =
            "raddle could not find out all that other threads could have done before the process ended";
    const bool misused = observed.first_misuse < observed.events.size();

    if (observed.damaged) {
        execution.verdict = Verdict::uncontrolled;
        execution.message = "the program wrote over memory that raddle shares with it";
    } else if (!process_end.ended) {
        execution.verdict = Verdict::uncontrolled;
        execution.message = stuck_message(observed, process_end);
        execution.standing = process_end.standing;
        if (!observed.replacement.empty())
            execution.message += "; it replaced itself (exec) by " + observed.replacement + ", which " + not_followed;
    } else if (observed.end != channel::End::uncontrolled &&
               (observed.external_events & channel::external_event::child_objects) != 0) {
        // The child ended there, so everything after it means nothing.
        execution.verdict = Verdict::uncontrolled;
        execution.message = "a child process uses an object (a lock, a semaphore …) that the program uses, too";
    } else {
        judge_by_end(observed, process_end, execution);
        // A signal killed it during its clean-up, after its end was judged.
        const bool died = WIFSIGNALED(process_end.wait_status);
        if (died && (execution.verdict == Verdict::ok || execution.verdict == Verdict::exit_status))
            set_verdict_by_status(observed, process_end, execution);
    }
    const bool weaker = execution.verdict == Verdict::ok || execution.verdict == Verdict::exit_status ||
                        execution.verdict == Verdict::deadlock || execution.verdict == Verdict::livelock;
    // A thread that uses freed memory fails then.
    const bool ended_by_it = execution.verdict == Verdict::assertion && misused_freed_memory(observed.events);
    if (misused && (weaker || ended_by_it)) {
        execution.verdict = Verdict::misuse;
        execution.message = misuse_message(observed.events[observed.first_misuse]);
    }
    execution.events = std::move(observed.events);
    execution.pending = std::move(observed.pending);
    return execution;
}

}  // namespace raddle
