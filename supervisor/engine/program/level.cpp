#include "supervisor/engine/program/level.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "store/build_id.h"
#include "supervisor/base/text.h"
#include "supervisor/binary/decode/elf_code.h"
#include "supervisor/campaign/repetition.h"
#include "supervisor/engine/program/process_settings.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// Decoding takes some ten microseconds an instruction.
constexpr std::uint64_t most_code = 1 << 20;
// An execution may take so many times as long; a short one is always affordable.
constexpr double most_times_as_long = 10;
constexpr Seconds always_affordable{0.02};
// The rough cost of analysing an event.
constexpr Seconds cost_of_event{5e-6};
constexpr std::chrono::milliseconds most_time{3000};
constexpr std::chrono::milliseconds most_silence{500};
constexpr std::uint64_t most_steps = 50000;
constexpr int most_epochs = 6;
constexpr std::uint64_t draws = 3;

// Libraries with threads that meet in memory and wait by their own system calls: only both together make sense.
constexpr const char* runtimes[] = {"libgomp.so", "libomp.so"};

std::vector<std::string> runtimes_of(const ProcessOptions& process) {
    std::vector<std::string> found;
    for (const std::filesystem::path& file :
         files_loaded_by(find_executable(process.argv.at(0)), wanted_environment(process)))
        if (std::any_of(std::begin(runtimes), std::end(runtimes),
                        [&](const char* name) { return file.filename().string().starts_with(name); }))
            found.push_back(file.string());
    return found;
}

std::uint64_t code_size(const std::string& executable) {
    const code::ElfCode elf(executable);
    std::uint64_t size = 0;
    for (const code::Range& function : elf.functions()) size += function.end - function.begin;
    return size;
}

// Executions at one level, and the time of the shortest.
class Trial {
public:
    explicit Trial(const ProcessOptions& options) : options_(options), target_(options) {}

    Execution run(const Plan& plan) {
        const Clock::time_point begin = Clock::now();
        Execution execution = target_.run(plan);
        const Seconds cost = Clock::now() - begin + static_cast<double>(execution.events.size()) * cost_of_event;
        // The first one launches the program.
        if (++executions_ > 1) shortest_ = std::min(shortest_.value_or(cost), cost);
        return execution;
    }
    Seconds cost() const { return shortest_.value_or(Seconds{0}); }
    std::uint64_t epoch() const { return options_.code ? options_.code->epoch() : 0; }

private:
    const ProcessOptions options_;
    ProcessTarget target_;
    int executions_ = 0;
    std::optional<Seconds> shortest_;
};

Plan drawn(std::uint64_t seed, std::uint64_t epoch, std::uint64_t max_steps) {
    Plan plan;
    if (seed > 0) plan.tail = {.kind = TailKind::random, .seed = seed};
    plan.max_steps = max_steps;
    plan.epoch = epoch;
    return plan;
}

bool has_one_thread(const Execution& execution) {
    return std::all_of(execution.events.begin(), execution.events.end(),
                       [&](const Event& event) { return event.thread == execution.events.front().thread; });
}

// Looks for a reason against exploring memory accesses; finds nothing if they can be explored.
class Obstacle {
public:
    Obstacle(ProcessOptions calls, std::vector<std::string> libraries, std::chrono::milliseconds time,
             const std::function<bool()>& is_interrupted)
        : calls_(std::move(calls)),
          libraries_(std::move(libraries)),
          is_interrupted_(is_interrupted),
          end_(Clock::now() + time) {
        calls_.exec_timeout = std::min(calls_.exec_timeout, most_silence);
        calls_.max_steps = std::min(calls_.max_steps, most_steps);
        calls_.output = calls_.errors = Output::discard;
    }

    std::optional<std::string> find() {
        const std::string executable = find_executable(calls_.argv.at(0));
        if (const std::uint64_t size = code_size(executable); size > most_code)
            return "its code is large (" + counted(size / 1024, "KiB", "KiB") + ")";
        Seconds by_calls{};
        {
            Trial trial(calls_);
            const Execution first = trial.run(drawn(0, 0, calls_.max_steps));
            if (has_one_thread(first)) return "no second thread was seen";
            // An endless execution may wait for memory that this level does not see.
            if (is_repeatable(first.verdict)) trial.run(drawn(0, 0, calls_.max_steps));
            by_calls = std::max(trial.cost(), Seconds{1e-6});
            ends_well_ = first.verdict == Verdict::ok;
        }
        if (is_late()) return late;
        ProcessOptions seen = calls_;
        seen.code = std::make_shared<InstrumentedCode>(executable, libraries_, MemoryLevel::races);
        code_ = seen.code;
        if (code_->candidates() == 0) return "no instruction of it can be followed";
        Trial trial(seen);
        for (int epochs = 0; epochs < most_epochs; ++epochs) {
            const std::uint64_t epoch = trial.epoch();
            executions_.clear();
            if (const auto found = find_in(trial)) return found;
            if (trial.cost() > std::max(by_calls * most_times_as_long, always_affordable))
                return "an execution would take " +
                       counted(static_cast<std::uint64_t>(trial.cost() / by_calls), "time", "times") + " as long";
            if (epoch != trial.epoch()) continue;
            if (const auto found = find_afresh(seen)) return found;
            if (epoch == trial.epoch()) break;
        }
        return std::nullopt;  // the campaign finds the rest
    }

    // The code in its initial state: the campaign finds the shared accesses itself.
    std::shared_ptr<InstrumentedCode> code() const { return code_ ? code_->anew() : nullptr; }

private:
    // One execution with no preemption, then some at random, as long as the visible set does not grow.
    std::optional<std::string> find_in(Trial& trial) {
        const std::uint64_t epoch = trial.epoch();
        for (std::uint64_t seed = 0; seed <= draws && !hangs_ && epoch == trial.epoch(); ++seed)
            if (const auto found = find_in(trial, seed)) return found;
        return std::nullopt;
    }

    std::optional<std::string> find_in(Trial& trial, std::uint64_t seed) {
        if (is_late()) return late;
        Execution execution = trial.run(drawn(seed, trial.epoch(), calls_.max_steps));
        if (execution.is_void) return std::nullopt;
        if (is_repeatable(execution.verdict)) {
            // The program may depend on something else that changes, such as its process id in /proc.
            if (seed == 0 && ends_well_ && execution.verdict != Verdict::ok) return "with them, it ends otherwise";
            executions_.push_back(std::move(execution));
            return std::nullopt;
        }
        if (seed == 0) return "with them, an execution does not come to its end";
        hangs_ = true;  // a random schedule may hang at any level
        return std::nullopt;
    }

    // Numbers of the kernel in memory, for one, differ from process to process.
    std::optional<std::string> find_afresh(const ProcessOptions& options) {
        Trial fresh(options);
        for (const Execution& before : executions_) {
            if (is_late()) return late;
            const Execution again = fresh.run(repetition_of(drawn(0, fresh.epoch(), calls_.max_steps), before));
            if (again.is_void) return std::nullopt;
            if (difference_between(before, again)) return "what it has in memory differs from process to process";
        }
        return std::nullopt;
    }

    static constexpr const char* late = "looking at them takes long";
    bool is_late() const { return Clock::now() > end_ || is_interrupted_(); }

    ProcessOptions calls_;
    const std::vector<std::string> libraries_;
    const std::function<bool()>& is_interrupted_;
    const Clock::time_point end_;
    std::shared_ptr<InstrumentedCode> code_;
    std::vector<Execution> executions_;
    bool hangs_ = false;
    bool ends_well_ = false;  // at the level of calls, without preemptions
};

}  // namespace

Level find_level(const Settings& settings, const std::string& kept, const std::function<bool()>& is_interrupted) {
    for (const SettingRow& row : setting_rows)
        if (row.is_part_of(belongs::memory) && settings.given(row)) return {name_of(MemoryLevel::races), ""};
    if (settings.text("independence") == name_of(Independence::values)) return {name_of(MemoryLevel::races), ""};
    if (kept == name_of(MemoryLevel::sync)) return {kept, "as when the campaign began"};
    if (settings.given("schedule")) return {name_of(MemoryLevel::sync), ""};
    const auto time =
        settings.given("max-time") ? std::min(most_time, duration_of(settings.text("max-time"))) : most_time;
    try {
        const ProcessOptions process = process_options(settings);
        const std::vector<std::string> libraries = runtimes_of(process);
        if (!kept.empty()) return {kept, "", libraries};
        Obstacle obstacle(process, libraries, time, is_interrupted);
        if (const auto found = obstacle.find()) return {name_of(MemoryLevel::sync), *found};
        return {name_of(MemoryLevel::races), "", libraries, obstacle.code()};
    } catch (const CannotRun&) {
        return {name_of(MemoryLevel::sync), ""};  // the campaign says why
    }
}

void settle(Settings& settings, const Level& level) {
    if (level.name == name_of(MemoryLevel::sync)) return;
    const bool asked = settings.given("races");
    settings.decide("memory", {level.name});
    if (!level.libraries.empty()) settings.decide("instrument", level.libraries);
    if (!asked) settings.decide("races", {"explore"});
}

}  // namespace raddle
