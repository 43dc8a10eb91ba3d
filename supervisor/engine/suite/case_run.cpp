#include "supervisor/engine/suite/case_run.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "store/store_error.h"
#include "supervisor/base/descriptor.h"
#include "supervisor/base/free_memory.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/run.h"
#include "supervisor/engine/suite/suite_store.h"

namespace raddle {

namespace {

constexpr char goes_on = '+', is_done = '.';  // before the result

// The settings of `raddle run` for this test.
Settings settings_for(const CaseOrder& order, const Settings& suite) {
    Settings settings(command::run);
    for (const SettingRow& row : settings_of(command::run)) {
        const bool is_of_both = find_setting(row.name, command::test) != nullptr;
        if (is_of_both && suite.given(row)) settings.offer(row, suite.all(row), suite.origin(row));
    }
    settings.give_program(order.test.program);
    std::vector<std::string> environment = suite.all("env");
    environment.insert(environment.end(), order.test.environment.begin(), order.test.environment.end());
    if (!environment.empty()) settings.decide("env", environment);
    if (!order.test.directory.empty()) settings.decide("chdir", {order.test.directory});
    if (!order.test.expected_exits.empty() && !suite.given("expect-exit"))
        settings.decide("expect-exit", order.test.expected_exits);
    settings.decide("campaign", {order.directory});
    settings.decide("max-time", {std::to_string(order.time.count()) + "ms"});
    settings.decide("jobs", {std::to_string(order.processors.size())});
    if (!suite.given("memory-limit")) {
        const std::uint64_t at_once =
            suite.given("jobs") ? count_of(suite.text("jobs")) : std::max(std::thread::hardware_concurrency(), 1u);
        const std::uint64_t megabytes = free_memory() / 4 / at_once >> 20;
        settings.decide("memory-limit", {std::to_string(std::max<std::uint64_t>(megabytes, 64)) + "M"});
    }
    settings.decide("quiet", {});
    settings.disregard("verbose");
    const std::string strategy = suite.given("strategy") ? suite.text("strategy") : "portfolio";
    if (find_setting("bound", command::test)->is_for(strategy)) settings.decide("bound", {suite.text("bound")});
    if (order.is_rebuilt) settings.decide("rebase", {});
    return settings;
}

// Keeps the process to its processors, so that tests that run at the same time do not share one.
void keep_to(const std::vector<int>& processors) {
    cpu_set_t chosen;
    CPU_ZERO(&chosen);
    for (const int one : processors)
        if (one >= 0) CPU_SET(one, &chosen);
    if (CPU_COUNT(&chosen) > 0) ::sched_setaffinity(0, sizeof chosen, &chosen);
}

class ThreadWatch final : public Observer {
public:
    void executed(const Plan&, const Execution& execution, Strategy&) override {
        has_executed_ = true;
        saw_two_ = saw_two_ || !has_one_thread(execution);
    }
    bool saw_one(bool before) const { return has_executed_ ? !saw_two_ : before; }

private:
    bool has_executed_ = false, saw_two_ = false;
};

TestEnding ending_of(const RunReport& report) {
    switch (report.verdict) {
        case CampaignVerdict::ok: return TestEnding::passed;
        case CampaignVerdict::bug: return TestEnding::failed;
        case CampaignVerdict::incomplete: return TestEnding::incomplete;
        case CampaignVerdict::diverged: return TestEnding::diverged;
        case CampaignVerdict::uncontrollable: return TestEnding::uncontrolled;
    }
    return TestEnding::error;
}

TestBug test_bug_of(const Bug& bug) {
    const Finding& finding = bug.simplest();
    return {.kind = name_of(finding.verdict),
            .preemptions = finding.preemptions,
            .message = finding.message,
            .brief = bug.explained ? bug.explained->brief : "",
            .directory = bug.filed ? bug.filed->directory : "",
            .schedule = text_of(finding.schedule)};
}

std::string reason_of(const RunReport& report, TestEnding ending) {
    const CampaignResult& result = report.result;
    if (result.failure) return text_of(result.failure);
    if (ending == TestEnding::diverged) {
        const std::vector<Bug>& doubtful = result.disagreements.empty() ? result.unstable : result.disagreements;
        if (!doubtful.empty()) return doubtful.front().simplest().message;
    }
    const std::vector<std::string> reasons = result.incomplete_because();
    return reasons.empty() ? "" : "because " + reasons.front();
}

TestResult result_of(const RunReport& report, const CaseOrder& order, bool has_one_thread) {
    const CampaignResult& result = report.result;
    TestResult test;
    test.name = order.test.name;
    test.directory = order.directory;
    test.ending = ending_of(report);
    if (test.ending != TestEnding::passed && test.ending != TestEnding::failed)
        test.because = reason_of(report, test.ending);
    for (const Bug& bug : result.bugs) test.bugs.push_back(test_bug_of(bug));
    test.executions = result.coverage.executions;
    test.graphs = result.coverage.graphs;
    test.exhausted = result.coverage.exhausted;
    test.complete_to = result.coverage.complete_to;
    test.has_focus = !report.focus.empty();
    test.seconds = result.seconds;
    test.cpu_seconds = result.cpu_seconds;
    test.has_one_thread = has_one_thread && test.graphs <= 1;
    if (!result.suppressed.empty())
        test.remarks.push_back(counted(result.suppressed.size(), "known bug") + " suppressed");
    if (report.native) test.remarks.push_back(report.native->text);
    for (const TriedBug& old : report.old_bugs)
        test.remarks.push_back(words_of(name_of(old.before.found.verdict)) + " found before " + old.text);
    return test;
}

// Time is up, but the search is not done.
bool may_go_on_after(const RunReport& report) {
    return report.verdict == CampaignVerdict::incomplete && report.result.end == CampaignEnd::time;
}

TestResult failed_run(const CaseOrder& order, TestEnding ending, const std::string& why) {
    TestResult test;
    test.name = order.test.name;
    test.ending = ending;
    test.because = why;
    std::error_code error;
    if (std::filesystem::exists(order.directory, error)) test.directory = order.directory;
    return test;
}

// In the child. Never returns: the objects of a run may still be in use.
[[noreturn]] void explore(const CaseOrder& order, const Settings& suite, Interruption& interruption, int out) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    keep_to(order.processors);
    TestResult test;
    bool may_go_on = false;
    try {
        Run run(settings_for(order, suite), interruption, [](const std::string&) {});
        ThreadWatch threads;
        const RunReport& report = run.explore(interruption, {&threads});
        test = result_of(report, order, threads.saw_one(order.had_one_thread));
        may_go_on = may_go_on_after(report);
        write_all(out, (may_go_on ? goes_on : is_done) + text_of(test));
        if (report.result.left_behind > 0) run.kill_all();
        if (report.result.left_behind > 0) std::_Exit(0);
    } catch (const CannotRun& error) {
        write_all(out, is_done + text_of(failed_run(order, TestEnding::uncontrolled, error.what())));
    } catch (const StoreError& error) {
        write_all(out, is_done + text_of(failed_run(order, TestEnding::unusable, error.what())));
    } catch (const BadInput& error) {
        write_all(out, is_done + text_of(failed_run(order, TestEnding::uncontrolled, error.what())));
    } catch (const std::exception& error) {
        write_all(out, is_done + text_of(failed_run(order, TestEnding::error, error.what())));
    }
    std::_Exit(0);
}

}  // namespace

CaseRun::CaseRun(CaseOrder order, const Settings& settings, Interruption& interruption) : order_(std::move(order)) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw BadInput("no pipe to be had: " + std::string(std::strerror(errno)));
    process_ = ::fork();
    if (process_ == 0) {
        ::close(ends[0]);
        explore(order_, settings, interruption, ends[1]);
    }
    const int why_not = errno;
    ::close(ends[1]);
    descriptor_ = ends[0];
    if (process_ < 0) {
        ::close(descriptor_);
        throw BadInput("no process to be had for a test: " + std::string(std::strerror(why_not)));
    }
}

CaseRun::~CaseRun() {
    ::close(descriptor_);
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
    }
}

void CaseRun::send(int signal) const {
    if (process_ > 0) ::kill(process_, signal);
}

bool CaseRun::read() {
    std::array<char, 65536> part;
    const ssize_t size = ::read(descriptor_, part.data(), part.size());
    if (size < 0) return errno != EINTR && errno != EAGAIN;
    text_.append(part.data(), static_cast<std::size_t>(size));
    return size == 0;
}

TestResult CaseRun::result() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {}
    process_ = -1;
    if (!text_.empty()) {
        try {
            TestResult test = test_result_from(text_.substr(1));
            may_go_on_ = text_[0] == goes_on;
            if (order_.test.is_death_test)
                test.remarks.push_back("a death test: its child processes run outside raddle");
            return test;
        } catch (const BadInput&) {}
    }
    return failed_run(order_, TestEnding::error,
                      "the process of its campaign ended " +
                          (WIFSIGNALED(status) ? "by signal " + std::to_string(WTERMSIG(status))
                                               : "with status " + std::to_string(WEXITSTATUS(status))) +
                          " without a result");
}

}  // namespace raddle
