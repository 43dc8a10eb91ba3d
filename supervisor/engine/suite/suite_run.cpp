#include "supervisor/engine/suite/suite_run.h"

#include <poll.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>

#include "store/store_error.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/bugs/report_header.h"
#include "supervisor/engine/bugs/suppressed.h"
#include "supervisor/engine/gathered_report.h"
#include "supervisor/engine/suite/case_run.h"
#include "supervisor/engine/suite/selection.h"
#include "supervisor/engine/suite/suite_store.h"

namespace raddle {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds shortest_turn{1000};
constexpr int tick_in_milliseconds = 250;

std::vector<int> usable_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> processors;
    if (::sched_getaffinity(0, sizeof set, &set) == 0)
        for (int one = 0; one < CPU_SETSIZE; ++one)
            if (CPU_ISSET(one, &set)) processors.push_back(one);
    if (processors.empty()) processors.push_back(-1);
    return processors;
}

// The places at which executions run at the same time. With more places than processors, none is kept to one (-1).
std::vector<int> places_of(const Settings& settings) {
    std::vector<int> processors = usable_processors();
    const std::size_t wanted =
        settings.given("jobs") ? static_cast<std::size_t>(count_of(settings.text("jobs"))) : processors.size();
    if (wanted > processors.size() || settings.given("no-pin")) return std::vector<int>(wanted, -1);
    processors.resize(wanted);
    return processors;
}

class SuiteRun {
public:
    SuiteRun(const TestSuite& suite, const Settings& settings, Interruption& interruption, const SuiteEvents& events)
        : suite_(suite),
          settings_(settings),
          interruption_(interruption),
          events_(events),
          store_(suite_directory(settings)),
          begin_(Clock::now()),
          test_time_(duration_of(settings.text("test-time"))),
          free_(places_of(settings)),
          places_(free_.size()),
          results_(suite.tests.size()),
          files_(suite.tests.size()) {
        if (settings.given("max-time")) deadline_ = begin_ + duration_of(settings.text("max-time"));
    }

    SuiteReport run() {
        for (std::size_t i = 0; i < suite_.tests.size(); ++i)
            if (!settle_without_run(i)) waiting_.push_back(i);
        while (true) {
            begin_turns();
            if (running_.empty()) break;
            wait();
        }
        for (std::size_t i = 0; i < suite_.tests.size(); ++i)
            if (!results_[i].is_done) finish(i, unfinished(i));
        SuiteReport report;
        const CampaignReport header = empty_report();
        report.tool = header.tool;
        report.made_at = header.made_at;
        report.host = header.host;
        report.name = suite_.name;
        report.program = suite_.program;
        report.framework = suite_.framework;
        report.directory = store_.directory().string();
        report.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
        for (Progress& one : results_) report.tests.push_back(std::move(one.result));
        return report;
    }

private:
    struct Progress {
        TestResult result;  // of the last turn
        bool had_turn = false;
        bool is_done = false;  // no more turns
    };
    struct Turn {
        std::size_t test;
        std::unique_ptr<CaseRun> run;
    };

    // Skipped, unchanged, and impossible tests need no campaign.
    bool settle_without_run(std::size_t number) {
        const TestCase& test = suite_.tests[number];
        TestResult result;
        result.name = test.name;
        if (!test.skipped.empty()) {
            result.because = test.skipped;
            finish(number, result);
            return true;
        }
        try {
            files_[number] = file_ids_of(test, settings_);
        } catch (const BadInput& error) {
            result.ending = TestEnding::uncontrolled;
            result.because = error.what();
            finish(number, result);
            return true;
        }
        const KeptTest* kept = store_.find(test.name);
        if (!settings_.given("changed") || kept == nullptr || kept->files != files_[number]) return false;
        result = kept->result;
        result.is_unchanged = true;
        finish(number, result);
        return true;
    }

    bool is_interrupted() const { return interruption_.signal() != 0; }
    std::size_t open() const { return waiting_.size() + again_.size() + running_.size(); }

    milliseconds left() const {
        return deadline_
                   ? std::max(milliseconds{0}, std::chrono::duration_cast<milliseconds>(*deadline_ - Clock::now()))
                   : milliseconds::max();
    }

    // First every test has a turn. With --max-time, the time that is left then goes to those with something unknown, in
    // equal parts.
    milliseconds turn_of(bool is_first, std::size_t workers) const {
        if (!deadline_) return test_time_;
        const auto sharing = static_cast<std::int64_t>(open() + 1);
        const milliseconds share = left() * static_cast<std::int64_t>(places_ / workers) / sharing;
        const milliseconds turn = std::max(shortest_turn, is_first ? std::min(test_time_, share) : share);
        return std::min(turn, left());
    }

    void begin_turns() {
        while (!free_.empty() && !is_interrupted() && left() > milliseconds{0}) {
            if (waiting_.empty()) std::swap(waiting_, again_);
            if (waiting_.empty()) return;
            const std::size_t number = waiting_.front();
            // Few tests that are left have several workers each.
            const std::size_t workers = std::clamp<std::size_t>(places_ / open(), 1, free_.size());
            waiting_.pop_front();
            begin_turn(number, workers);
        }
    }

    void begin_turn(std::size_t number, std::size_t workers) {
        const TestCase& test = suite_.tests[number];
        const KeptTest* kept = store_.find(test.name);
        Progress& progress = results_[number];
        CaseOrder order;
        order.test = test;
        order.directory = store_.campaign_of(test.name).string();
        order.time = turn_of(!progress.had_turn, workers);
        order.is_rebuilt = !progress.had_turn && kept != nullptr && kept->files != files_[number];
        order.had_one_thread = kept != nullptr && kept->result.has_one_thread;
        for (std::size_t i = 0; i < workers; ++i) {
            order.processors.push_back(free_.back());
            free_.pop_back();
        }
        running_.push_back({number, std::make_unique<CaseRun>(std::move(order), settings_, interruption_)});
    }

    void wait() {
        std::vector<pollfd> ends;
        for (const Turn& turn : running_) ends.push_back({turn.run->descriptor(), POLLIN, 0});
        const int ready = ::poll(ends.data(), ends.size(), tick_in_milliseconds);
        if (is_interrupted() && !has_passed_signal_) {
            has_passed_signal_ = true;  // a signal for this process alone is meant for all
            for (const Turn& turn : running_) turn.run->send(interruption_.signal());
        }
        if (ready > 0)
            for (std::size_t i = ends.size(); i-- > 0;)
                if (ends[i].revents != 0 && running_[i].run->read()) end_turn(i);
        if (events_.tick) {
            std::vector<std::string> names;
            for (const Turn& turn : running_) names.push_back(turn.run->order().test.name);
            events_.tick(done_, suite_.tests.size(), names);
        }
    }

    void end_turn(std::size_t at) {
        const Turn turn = std::move(running_[at]);
        running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(at));
        Progress& progress = results_[turn.test];
        const double earlier = progress.result.cpu_seconds;
        progress.result = turn.run->result();
        progress.result.cpu_seconds += earlier;
        progress.had_turn = true;
        for (const int processor : turn.run->order().processors) free_.push_back(processor);
        if (progress.result.ending != TestEnding::unusable && progress.result.ending != TestEnding::error)
            store_.keep(progress.result, files_[turn.test]);
        if (turn.run->may_go_on() && deadline_ && !is_interrupted())
            again_.push_back(turn.test);
        else
            finish(turn.test, progress.result);
    }

    // Time ran out, or a signal came.
    TestResult unfinished(std::size_t number) const {
        if (results_[number].had_turn) return results_[number].result;
        TestResult result;
        result.name = suite_.tests[number].name;
        result.ending = TestEnding::incomplete;
        result.because = is_interrupted() ? "because raddle was interrupted before it began"
                                          : "because the time ended before it began (--max-time)";
        return result;
    }

    void finish(std::size_t number, const TestResult& result) {
        results_[number] = {result, true, true};
        ++done_;
        if (events_.done) events_.done(result, done_, suite_.tests.size());
    }

    const TestSuite& suite_;
    const Settings& settings_;
    Interruption& interruption_;
    const SuiteEvents& events_;
    SuiteStore store_;
    const Clock::time_point begin_;
    const milliseconds test_time_;
    std::optional<Clock::time_point> deadline_;
    std::vector<int> free_;
    const std::size_t places_;
    std::vector<Progress> results_;
    std::vector<FileIds> files_;
    std::deque<std::size_t> waiting_, again_;
    std::vector<Turn> running_;
    std::size_t done_ = 0;
    bool has_passed_signal_ = false;
};

}  // namespace

TestSuite selected_suite(const Settings& settings) {
    TestSuite suite = listed_suite(settings);
    suite.tests = selected(suite.tests, settings);
    return suite;
}

SuiteReport run_suite(const TestSuite& suite, const Settings& settings, Interruption& interruption,
                      const SuiteEvents& events) {
    return SuiteRun(suite, settings, interruption, events).run();
}

void explain_bugs(SuiteReport& report, const Settings& settings, const Notices& say) {
    const Suppressions suppressions = suppressions_of(settings, say);
    for (TestResult& test : report.tests) {
        if (test.bugs.empty() && test.ending != TestEnding::diverged) continue;
        try {
            test.report = std::make_shared<const CampaignReport>(gathered_report(test.directory, suppressions));
        } catch (const BadInput& error) {
            say(test.name + ": its bugs are in the report without an explanation: " + error.what());
        }
    }
}

}  // namespace raddle
