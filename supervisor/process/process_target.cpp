#include "supervisor/process/process_target.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "supervisor/process/channel/focus.h"
#include "supervisor/process/channel/shared_channel.h"
#include "supervisor/process/channel/waiting.h"
#include "supervisor/process/event_teller.h"
#include "supervisor/process/fork_choice.h"
#include "supervisor/process/last_execution.h"
#include "supervisor/process/launch/capture.h"
#include "supervisor/process/launch/doctor.h"
#include "supervisor/process/launch/guardian.h"
#include "supervisor/process/launch/kernel_view.h"
#include "supervisor/process/launch/origin.h"
#include "supervisor/process/launch/user_libraries.h"
#include "supervisor/process/not_looked_at.h"
#include "supervisor/process/same_execution.h"
#include "supervisor/process/silence.h"
#include "supervisor/process/stuck_threads.h"
#include "supervisor/process/verdict.h"
#include "supervisor/trace/long_waits.h"

namespace raddle {

namespace {

using WhileHeld = ProcessTarget::WhileHeld;
using channel::Channel;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

bool concluded(const Channel& channel) {
    return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(&channel.result.end), __ATOMIC_ACQUIRE) != 0;
}

}  // namespace

class ProcessTarget::Implementation {
public:
    explicit Implementation(ProcessOptions options)
        : options_(std::move(options)),
          fixture_(options_.fixture, options_.directory, options_.environment),
          output_(options_.output, 1, options_.capture_limit),
          errors_(options_.errors, 2, options_.capture_limit) {
        if (options_.argv.empty()) throw BadInput("no program to run; name one after --");
        path_ = find_executable(options_.argv[0]);
        if (fixture_.directory() != options_.directory) {
            path_ = std::filesystem::absolute(path_).string();
            options_.directory = fixture_.directory();
        }
        stand_in_ = stand_in_for(path_, options_.shim);
        if (options_.threads == Threads::kernel) use_kernel_threads("as was asked for");
        const std::string input = options_.input.empty() ? "/dev/null" : options_.input;
        input_ = ::open(input.c_str(), O_RDONLY | O_CLOEXEC);
        if (input_ < 0) throw BadInput(input + ": cannot be read: " + std::strerror(errno));
    }
    ~Implementation() {
        kill_server();
        ::close(input_);
    }

    Execution run(const Plan& plan) {
        if (plan.prefix.size() > channel::most_events || plan.sleeping.size() > channel::most_sleeping ||
            plan.weights.size() > channel::most_weights)
            throw BadInput("a plan of " + std::to_string(plan.prefix.size()) +
                           " steps is longer than can be carried out");
        if (options_.code && options_.code->epoch() != epoch_) kill_server();
        if (has_outgrown_focus()) kill_server();
        const bool check = is_check_due();
        Execution execution = run_once(plan, {false, check});
        // An execution shows the libraries, and its choices were those of a smaller focus.
        for (; has_outgrown_focus(); execution = run_once(plan, {false, check})) kill_server();
        if (is_stuck_) execution = run_stuck_again(plan, std::move(execution));
        if (options_.threads == Threads::automatic && channel_ && (*channel_)->result.wants_kernel_threads != 0) {
            kill_server();
            use_kernel_threads(execution.message);
            execution = run_once(plan, {false, false});
        }
        if (!check_signals_ && channel_ &&
            ((*channel_)->result.wants_signal_checks != 0 || (is_first_ && execution.verdict == Verdict::diverged)))
            execution = run_with_checks(plan, std::move(execution));
        is_first_ = false;
        ++since_launch_;
        if (check && restored_ && !execution.is_void) return checked(plan, std::move(execution));
        return execution;
    }

    Execution run_held(const Plan& plan, const WhileHeld& while_held) {
        while_held_ = while_held;
        Execution execution = run_once(plan, {false, false});
        while_held_ = nullptr;
        return execution;
    }

    std::vector<Call> calls() const { return channel_ ? read_calls(**channel_) : std::vector<Call>(); }
    const std::string& directory() const { return options_.directory; }

    Restarts restarts() const {
        Restarts all = restarts_;
        all.launched = launches_;
        if (channel_) all += restarts_in(**channel_);
        return all;
    }

    Restart restart() const {
        Restart all = restart_;
        all.way = fork_.way();
        all.why = fork_.why();
        return all;
    }

    const channel::StackArea* stacks() const { return channel_ ? channel_->stacks() : nullptr; }

    std::string output_text_, errors_text_;
    channel::Crash crash_{};
    std::shared_ptr<const Modules> modules_ = std::make_shared<Modules>();
    std::uint64_t launches_ = 0, accesses_ = 0;
    Counts visible_accesses_;
    bool is_stuck_ = false;          // the last execution made no progress
    std::atomic<pid_t> server_ = 0;  // atomic: another thread that gives up waiting may ask which process to kill

private:
    struct Wish {
        bool fresh;   // the process was just forked
        bool digest;  // compute the digest of its memory at the end
    };

    bool has_outgrown_focus() const { return options_.focus && options_.focus->epoch() != focus_epoch_; }

    // Nothing is said about an execution that made no progress before it was run again. A thread may have spun on its
    // own stack, whose accesses are not followed at first.
    Execution run_stuck_again(const Plan& plan, Execution execution) {
        if (options_.code && computed_ && options_.code->follow_stacks()) {
            execution.is_void = true;
            return execution;
        }
        return run_once(plan, {false, false});
    }

    Execution run_once(const Plan& plan, Wish wish) {
        if (server_ == 0) {  // processes of the last server may have written after their last execution
            output_.drain();
            errors_.drain();
        }
        output_.begin();
        errors_.begin();
        events_.begin_run(!wish.fresh);
        const std::uint64_t restored_before = channel_ ? (*channel_)->restarts.restored : 0;
        const std::optional<ProcessEnd> process_end = carry_out_undisturbed(plan, wish);
        if (!process_end) {
            Execution lost;
            lost.verdict = Verdict::uncontrolled;
            lost.message = "the process that raddle forks the program from was killed, again and again";
            return lost;
        }
        is_stuck_ = !process_end->ended, computed_ = process_end->computes;
        Channel& channel = **channel_;
        restored_ = channel.restarts.restored > restored_before;
        digest_ =
            wish.digest && channel.restarts.has_digest != 0 ? std::optional(channel.restarts.digest) : std::nullopt;
        output_text_ = output_.end();
        errors_text_ = errors_.end();
        fork_.learn(**channel_);
        // An exec lets the kernel choose again.
        if (restart_.addresses != Addresses::fixed && channel::load(channel.replaced) != 0)
            restart_.addresses = Addresses::of_each_launch;
        long_waits_.forget_after(shared_steps_);
        Observed observed = read_channel(channel, last_.beginning(shared_steps_));
        channel_->release_events(observed.known_events, observed.events.size());
        // The target overwrote memory of ours, so it cannot be restored.
        if (observed.damaged) kill_server();
        crash_ = observed.crash;
        accesses_ = observed.accesses;
        visible_accesses_ = {observed.visible_accesses, observed.visible_breakpoints};
        events_.tell(**channel_);
        // The loader has no name for the executable.
        if (!observed.modules.empty() && observed.modules[0].path.empty()) observed.modules[0].path = path_;
        if (observed.modules != *modules_) {
            modules_ = std::make_shared<Modules>(observed.modules);
            if (options_.code) options_.code->learn_libraries(user_libraries(*modules_, options_.directory));
            if (options_.focus) options_.focus->learn(*modules_, options_.directory);
        }
        const std::string not_looked_at = options_.code ? not_looked_at_in(observed, *options_.code) : "";
        last_.note(observed);
        const FreeWrites free_writes = std::move(observed.free_writes);
        Execution execution = execution_of(std::move(observed), *process_end);
        execution.modules = modules_;
        execution.output = output_text_;
        execution.errors = errors_text_;
        execution.not_looked_at = not_looked_at;
        if (options_.code) {
            options_.code->take_from(**channel_, epoch_);
            execution.is_void = plan.epoch != epoch_ || options_.code->epoch() != epoch_;
        }
        execution.leaves_output_open = !execution.is_void && output_order_.is_newly_open(execution, free_writes);
        execution.waits_long = !execution.is_void && long_waits_.are_newly_in(execution);
        return execution;
    }

    bool is_check_due() const {
        return options_.restore != Restore::never && is_checked(since_launch_ + 1, options_.check_every);
    }

    // Repeats the execution in fresh processes. After a difference no restored process can be trusted.
    Execution checked(const Plan& plan, Execution restored) {
        const auto digest = digest_;
        const std::uint64_t launch = launches_;
        Execution fresh = run_once(plan, {true, true});
        ++restarts_.checked;
        if (launches_ != launch) return restored;  // launches differ: the kernel gives each its own random bytes
        const auto differs = difference(restored, digest, fresh, digest_);
        if (!differs || restored.verdict == Verdict::uncontrolled || fresh.verdict == Verdict::uncontrolled)
            return restored;
        const auto fresh_digest = digest_;
        const Execution another = run_once(plan, {true, true});
        if (launches_ != launch) return restored;
        if (const auto by_itself = difference(fresh, fresh_digest, another, digest_)) {
            // Restoring is not to blame: two fresh processes differ already.
            compare_digests_ = false;
            if (!difference(fresh, {}, another, {}) && !difference(restored, {}, fresh, {})) return restored;
            fresh.message = "two fresh processes differ under the same schedule: " + *by_itself;
        } else {
            ++restarts_.differed;
            options_.restore = Restore::never;
            kill_server();
            fresh.message = "a process put back to its start differs from a fresh one: " + *differs +
                            "; what was found so far is in doubt, run it again with --restart fork";
        }
        fresh.verdict = Verdict::diverged;
        return fresh;
    }

    std::optional<std::string> difference(const Execution& one, std::optional<std::uint64_t> one_digest,
                                          const Execution& other, std::optional<std::uint64_t> other_digest) const {
        if (auto events = first_difference(one, other)) return events;
        const bool comparable = compare_digests_ && one_digest && other_digest;
        return comparable && *one_digest != *other_digest ? std::optional<std::string>("its memory at the end")
                                                          : std::nullopt;
    }

    // A SIGKILL may come from outside. A program that kills itself does so at the same step again. Nothing if the
    // server was killed again and again.
    std::optional<ProcessEnd> carry_out_undisturbed(const Plan& plan, Wish wish) {
        std::optional<ProcessEnd> process_end;
        std::optional<std::size_t> killed_after;
        for (int attempt = 0; attempt < 3; ++attempt) {
            fixture_.before_execution();
            process_end = carry_out(plan, wish);
            if (!process_end) continue;
            const std::optional<std::size_t> killed_now = events_before_kill(**channel_, *process_end);
            if (!killed_now || killed_now == killed_after) break;
            killed_after = killed_now;
        }
        return process_end;
    }

    // Nothing if the server died before it took this plan.
    std::optional<ProcessEnd> carry_out(const Plan& plan, Wish wish) {
        const bool fresh = server_ == 0;
        if (fresh) prepare_channel();
        shared_steps_ = last_.shared_with(plan.prefix);
        channel_->write(plan, options_.max_steps, shared_steps_);
        (*channel_)->plan.fresh = wish.fresh ? 1 : 0;
        (*channel_)->plan.digest = wish.digest ? 1 : 0;
        (*channel_)->plan.hold = while_held_ ? 1 : 0;
        Channel& channel = **channel_;
        const std::uint32_t request = channel::load(channel.request) + 1;
        channel::store(channel.request, request);
        if (fresh)
            start();
        else
            wake(channel.request);
        return watch(channel, request, fresh);
    }

    // The threads have to check for signals from the start: the execution ended for that reason, or it is a repetition,
    // and the threads of the recorded execution checked. In the second case they check from now on if that is true.
    Execution run_with_checks(const Plan& plan, Execution without) {
        const bool is_wanted = (*channel_)->result.wants_signal_checks != 0;
        kill_server();
        check_signals_ = true;
        Execution with = run_once(plan, {false, false});
        if (is_wanted || with.verdict != Verdict::diverged) return with;
        kill_server();
        check_signals_ = false;
        return without;
    }

    // A process with kernel threads cannot be restored.
    void use_kernel_threads(std::string why) {
        options_.threads = Threads::kernel;
        options_.restore = Restore::never;
        restart_.kernel_threads = true;
        restart_.why_threads = std::move(why);
    }

    void prepare_channel() {
        if (channel_) restarts_ += restarts_in(**channel_);
        since_launch_ = 0;
        using Areas = SharedChannel::Areas;
        if (!channel_ || stale_)
            channel_ = std::make_unique<SharedChannel>(options_.take_stacks ? Areas::stacks : Areas::none);
        stale_ = false;
        focus_epoch_ = options_.focus ? options_.focus->epoch() : 0;
        channel_->prepare(options_, {.fork_at = fork_.next(),
                                     .bind_now = bind_now_,
                                     .external_clients = fixture_.has_background(),
                                     .has_stand_in = !stand_in_.empty(),
                                     .check_signals = check_signals_});
    }

    void start() {
        if (launches_ == 0) refuse_if_never_controllable(path_);
        Launch how;
        how.path = path_;
        how.stand_in = stand_in_;
        how.channel = channel_->file();
        how.input = input_;
        how.output = output_.descriptor();
        how.errors = errors_.descriptor();
        how.bind_now = bind_now_;
        ::lseek(input_, 0, SEEK_SET);
        if (options_.code) {
            epoch_ = options_.code->epoch();
            how.code = options_.code->describe();
        }
        const Launched launched = launch(options_, how);
        server_ = launched.process;
        restart_.addresses = std::max(restart_.addresses, launched.addresses);
        if (how.code >= 0) ::close(how.code);
        ++launches_;
    }

    std::optional<ProcessEnd> watch(Channel& channel, std::uint32_t request, bool fresh) {
        Progress progress;
        Silence silence;
        auto last_progress = steady_clock::now();
        const auto hardly_any = std::min<milliseconds>(milliseconds{500}, options_.exec_timeout / 2);
        microseconds slice = milliseconds{1};
        for (;;) {
            const std::uint32_t reply = channel::load(channel.reply);
            if (reply == request) return ProcessEnd::with(static_cast<int>(channel.result.wait_status));
            wait_for_change(channel.reply, reply, slice);
            if (channel::load(channel.reply) == request) continue;
            int status = 0;
            if (::waitpid(server_, &status, WNOHANG) == server_) return end_of_server(channel, status, fresh);
            // A target that fills its pipe waits for this.
            const bool writes = output_.drain() | errors_.drain();
            // After the verdict, only microseconds of work remain.
            slice = writes               ? milliseconds{1}
                    : concluded(channel) ? microseconds{100}
                                         : std::min<microseconds>(slice * 2, milliseconds{20});
            events_.tell(channel);
            if (while_held_ && channel::load(channel.held) != 0) {
                while_held_(running_process(channel), read_held_stacks(channel));
                channel::store(channel.held, 0);
                wake(channel.held);
                continue;
            }
            const Progress now = progress_of(channel);
            if (!(now == progress)) {
                progress = now;
                silence.begin_anew();
                last_progress = steady_clock::now();
                continue;
            }
            if (steady_clock::now() - last_progress < hardly_any) continue;  // looking costs time
            silence.look(activity_of(running_process(channel), server_), steady_clock::now());
            if (silence.lasts(options_.exec_timeout)) return give_up(channel, silence);
        }
    }

    pid_t running_process(const Channel& channel) const {
        const auto stage = static_cast<channel::Stage>(channel::load(channel.stage));
        const auto executor = static_cast<pid_t>(channel::load(channel.executor));
        return stage == channel::Stage::serving ? executor : server_.load();
    }

    // Nothing if the server died before it took the plan.
    std::optional<ProcessEnd> end_of_server(Channel& channel, int status, bool fresh) {
        const auto stage = static_cast<channel::Stage>(channel::load(channel.stage));
        clear_session();
        const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        if (stage == channel::Stage::launched && killed) return std::nullopt;
        // Exit status of the loader; with lazy binding the missing symbol might never be needed.
        constexpr int symbol_missing = 127;
        const bool in_loader = stage == channel::Stage::launched || channel.replacement[0] != 0;
        if (in_loader && stage != channel::Stage::serving && bind_now_ && WIFEXITED(status) &&
            WEXITSTATUS(status) == symbol_missing) {
            bind_now_ = false;
            return std::nullopt;
        }
        if (stage == channel::Stage::launched)
            throw CannotRun(CannotRun::Reason::not_controllable, why_not_controlled(path_, status));
        if (stage == channel::Stage::serving || !fresh) {
            stale_ = true;  // its child may still write for a moment
            return std::nullopt;
        }
        return ProcessEnd::with(status);
    }

    ProcessEnd give_up(Channel& channel, const Silence& silence) {
        ProcessEnd process_end;
        process_end.patience = options_.exec_timeout;
        process_end.computes = silence.computes();
        const pid_t stuck = running_process(channel);
        process_end.stuck_in = describe_activity(stuck, server_, options_.threads == Threads::kernel);
        // Without a description it is no process of the target.
        if (!process_end.stuck_in.empty()) process_end.standing = stuck_threads(channel, stuck, options_, path_);
        if (!process_end.stuck_in.empty() && channel_->stacks() != nullptr) ask_for_stack(stuck, *channel_->stacks());
        kill_server();
        if (static_cast<channel::Stage>(channel::load(channel.stage)) == channel::Stage::launched)
            throw CannotRun(CannotRun::Reason::not_controllable,
                            why_not_controlled(path_, 0) + first_of(process_end.standing));
        stale_ = true;
        return process_end;
    }

    void kill_server() {
        if (server_ == 0) return;
        if (channel_) count_processor_time_below(server_, running_process(**channel_));  // nobody waits for these
        ::kill(server_, SIGKILL);
        while (::waitpid(server_, nullptr, 0) < 0 && errno == EINTR) {}
        clear_session();
    }

    // The launched process leads its own session and group; this kills the rest of the group.
    void clear_session() {
        ::kill(-server_, SIGKILL);
        guardian::forget(server_);
        server_ = 0;
    }

    ProcessOptions options_;
    ForkChoice fork_{options_.fork_at};
    Fixture fixture_;
    Capture output_, errors_;
    OutputOrder output_order_{options_.machine};
    LongWaits long_waits_{options_.machine};
    std::string path_, stand_in_;
    int input_ = -1;
    EventTeller events_{options_, path_};
    Restart restart_;    // without the choice of the fork
    Restarts restarts_;  // of earlier channels, and of checks
    std::uint64_t since_launch_ = 0;
    bool restored_ = false;  // the last execution ran in a restored process
    bool compare_digests_ = true;
    std::optional<std::uint64_t> digest_;
    bool bind_now_ = !asks_to_bind_now(options_);
    std::uint64_t epoch_ = 0;  // epoch of the server's code
    std::uint64_t focus_epoch_ = 0;
    bool is_first_ = true;  // nothing was executed yet
    bool check_signals_ = false;
    bool computed_ = false;  // the last execution made no progress, and computed meanwhile
    bool stale_ = false;     // a process that escaped might still write to the channel
    WhileHeld while_held_;   // during run_held()
    LastExecution last_;
    std::uint32_t shared_steps_ = 0;  // that the plan in the channel shares with it
    std::unique_ptr<SharedChannel> channel_;
};

ProcessTarget::ProcessTarget(ProcessOptions options)
    : implementation_(std::make_unique<Implementation>(std::move(options))) {}
ProcessTarget::~ProcessTarget() = default;

Execution ProcessTarget::run(const Plan& plan) { return implementation_->run(plan); }
Execution ProcessTarget::run_held(const Plan& plan, const WhileHeld& while_held) {
    return implementation_->run_held(plan, while_held);
}
std::vector<Call> ProcessTarget::calls() const { return implementation_->calls(); }
const std::string& ProcessTarget::output() const { return implementation_->output_text_; }
const std::string& ProcessTarget::errors() const { return implementation_->errors_text_; }
const std::string& ProcessTarget::directory() const { return implementation_->directory(); }
const channel::Crash& ProcessTarget::crash() const { return implementation_->crash_; }
const Modules& ProcessTarget::modules() const { return *implementation_->modules_; }
Restart ProcessTarget::restart() const { return implementation_->restart(); }
const channel::StackArea* ProcessTarget::stacks() const { return implementation_->stacks(); }
std::uint64_t ProcessTarget::launches() const { return implementation_->launches_; }
bool ProcessTarget::made_no_progress() const { return implementation_->is_stuck_; }
std::uint64_t ProcessTarget::accesses() const { return implementation_->accesses_; }
ProcessTarget::Counts ProcessTarget::visible_accesses() const { return implementation_->visible_accesses_; }
Restarts ProcessTarget::restarts() const { return implementation_->restarts(); }
int ProcessTarget::server() const { return implementation_->server_; }

}  // namespace raddle
