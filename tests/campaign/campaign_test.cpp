// Campaigns on programs in memory: their endings, counts and claims.
#include "supervisor/campaign/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

#include "tests/campaign/targets.h"

namespace raddle {
namespace {

using namespace raddle::testing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

StrategyOptions at_most(std::uint32_t bound) {
    StrategyOptions options;
    options.max_bound = bound;
    return options;
}
StrategyOptions samples(std::uint64_t count) {
    StrategyOptions options;
    options.samples = count;
    return options;
}
StrategyOptions steps(std::uint64_t most) {
    StrategyOptions options;
    options.max_steps = most;
    return options;
}

CampaignResult run(Code program, const std::string& strategy, CampaignOptions options = {},
                   StrategyOptions search = {}) {
    Campaign campaign(in_memory(std::move(program)), make_strategy(strategy, search), options);
    return campaign.run({});
}

// Plans one execution, which fails, and finds a simpler schedule of the failure when it is asked for the next one.
class FindsASimplerSchedule : public Strategy {
public:
    std::optional<Plan> next() override {
        if (!planned_) {
            planned_ = true;
            return Plan{};
        }
        if (learned_ && !found_) {
            found_ = true;
            findings_.push_back({Verdict::assertion, 0, {}, "it fails", "here"});
            findings_.back().is_composed = true;
        }
        return std::nullopt;
    }
    void learn(const Plan&, const Execution& execution) override {
        learned_ = true;
        findings_.push_back({Verdict::assertion, 3, execution.schedule(), "it fails", "here"});
    }
    void give_back(const Plan&) override {}
    bool finished() const override { return found_; }
    Coverage coverage() const override { return {}; }
    std::vector<Finding> take_findings() override { return std::exchange(findings_, {}); }
    void save(Writer&) const override {}
    void load(Reader&) override {}

private:
    bool planned_ = false, learned_ = false, found_ = false;
    std::vector<Finding> findings_;
};

TEST(Campaign, ShowsTheSimplerScheduleThatItFindsAfterTheLastExecution) {
    Campaign campaign(in_memory(locks(2, 2)), std::make_unique<FindsASimplerSchedule>(), {.keep_going = true});
    const CampaignResult result = campaign.run({});
    ASSERT_EQ(result.bugs.size(), 1u);
    EXPECT_EQ(result.bugs[0].simplest().preemptions, 0u);
    EXPECT_EQ(result.bugs[0].found.times, 1u);
}

// ---- complete exploration

TEST(Campaign, ExploresEverything) {
    const CampaignResult result = run(locks(2, 2), "optimal");
    EXPECT_EQ(result.end, CampaignEnd::finished);
    EXPECT_EQ(result.coverage.graphs, 6u);  // 4!/(2!2!)
    EXPECT_EQ(result.coverage.executions, 6u);
    EXPECT_TRUE(result.complete);
    EXPECT_THAT(result.incomplete_because(), IsEmpty());
    EXPECT_EQ(exit_code_of(verdict_of(result)), 0);
}

TEST(Campaign, SeesTheSameGraphsWithAnyNumberOfWorkers) {
    for (const char* strategy : {"bounded", "optimal", "source", "dpor"})
        for (const unsigned jobs : {1u, 2u, 5u}) {
            const CampaignResult result = run(locks(3, 2), strategy, {.jobs = jobs});
            EXPECT_EQ(result.coverage.graphs, 90u) << strategy << " with " << jobs;  // 6!/(2!2!2!)
            EXPECT_TRUE(result.complete) << strategy << " with " << jobs;
        }
}

TEST(Campaign, IsCompleteUpToTheGivenBound) {
    // locks(3,2): 6 24 60 90
    const std::size_t graphs[] = {6, 24, 60};
    for (std::uint32_t bound = 0; bound < 3; ++bound) {
        const CampaignResult result = run(locks(3, 2), "bounded", {.bound = bound}, at_most(bound));
        EXPECT_EQ(result.coverage.graphs, graphs[bound]);
        EXPECT_EQ(result.coverage.complete_to, bound);
        EXPECT_FALSE(result.coverage.exhausted);
        EXPECT_EQ(verdict_of(result), CampaignVerdict::ok);
    }
}

TEST(Campaign, DoesNotClaimMoreThanTheStrategy) {
    // Sampling is finished after its last sample, but has not seen everything.
    const CampaignResult result = run(locks(2, 2), "random", {}, samples(20));
    EXPECT_EQ(result.end, CampaignEnd::finished);
    EXPECT_EQ(result.coverage.executions, 20u);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(exit_code_of(verdict_of(result)), 3);
}

// ---- budgets

TEST(Campaign, EndsAfterTheGivenNumberOfExecutions) {
    for (const unsigned jobs : {1u, 3u}) {
        const CampaignResult result = run(locks(3, 2), "optimal", {.jobs = jobs, .max_executions = 10});
        EXPECT_EQ(result.end, CampaignEnd::executions);
        EXPECT_EQ(result.coverage.executions, 10u);
        EXPECT_EQ(result.lost, 0u);
        EXPECT_THAT(result.incomplete_because(), ElementsAre("the budget of executions ended"));
        EXPECT_EQ(exit_code_of(verdict_of(result)), 3);
    }
}

TEST(Campaign, IsCompleteIfTheBudgetIsJustEnough) {
    const CampaignResult result = run(locks(2, 2), "optimal", {.max_executions = 6});
    EXPECT_EQ(result.end, CampaignEnd::finished);
    EXPECT_TRUE(result.complete);
}

TEST(Campaign, EndsWhenTheTimeEnds) {
    Campaign campaign(in_memory(locks(8, 8)), make_strategy("optimal", {}),
                      {.jobs = 2, .max_time = std::chrono::milliseconds(100)});
    const CampaignResult result = campaign.run({});
    EXPECT_EQ(result.end, CampaignEnd::time);
    EXPECT_THAT(result.incomplete_because(), Contains("the budget of time ended"));
    EXPECT_GE(result.seconds, 0.1);
    EXPECT_GT(result.cpu_seconds, 0);
    EXPECT_EQ(verdict_of(result), CampaignVerdict::incomplete);
}

TEST(Campaign, EndsWhenInterrupted) {
    std::stop_source stop;
    Campaign campaign([&] { return std::make_unique<Scripted>(locks(8, 8), [&] { stop.request_stop(); }); },
                      make_strategy("optimal", {}), {});
    const CampaignResult result = campaign.run({}, stop.get_token());
    EXPECT_EQ(result.end, CampaignEnd::interrupted);
    EXPECT_GT(result.coverage.executions, 0u);
    EXPECT_EQ(verdict_of(result), CampaignVerdict::incomplete);
}

// A visible set that grows on request.
class GrowingSet final : public VisibleSet {
public:
    std::uint64_t epoch() const override { return epoch_; }
    void save(Writer&) const override {}
    void load(Reader&) override {}
    void grow() { ++epoch_; }

private:
    std::atomic<std::uint64_t> epoch_{1};
};

// Two executions begin; the first shows that more is visible, so a new search begins. The second ends only after
// the new search has ended, and shows the same.
TEST(Campaign, WaitsForExecutionsOfAnEarlierSearch) {
    struct Course {
        std::shared_ptr<GrowingSet> visible_set = std::make_shared<GrowingSet>();
        std::latch both_begun{2};
        std::atomic<int> begun{0}, in_second{0};
    };
    class Late final : public Target {
    public:
        explicit Late(std::shared_ptr<Course> course) : course_(std::move(course)) {}
        Execution run(const Plan& plan) override {
            Execution execution = program_.run(plan);
            if (plan.epoch == 2) ++course_->in_second;
            if (plan.epoch != 1) return execution;
            const int number = course_->begun++;
            course_->both_begun.arrive_and_wait();
            while (number == 1 && course_->in_second < 6) std::this_thread::yield();
            if (number == 1) std::this_thread::sleep_for(std::chrono::milliseconds(50));
            course_->visible_set->grow();
            execution.is_void = true;
            return execution;
        }

    private:
        std::shared_ptr<Course> course_;
        ModelProgram program_{locks(2, 2)};
    };
    const auto course = std::make_shared<Course>();
    StrategyOptions search = samples(6);
    search.visible_set = course->visible_set;
    Campaign campaign([=] { return std::make_unique<Late>(course); }, make_strategy("random", search),
                      {.jobs = 2, .repeat = false});
    const CampaignResult result = campaign.run({});
    EXPECT_EQ(course->visible_set->epoch(), 3u);
    EXPECT_EQ(result.lost, 0u);
    EXPECT_EQ(result.coverage.executions, 6u);
}

TEST(Campaign, DoesNotWaitForAnEndlessExecution) {
    const auto release = std::make_shared<std::latch>(1);
    const auto left = std::make_shared<std::latch>(2);
    std::stop_source stop;
    Campaign campaign(
        [=]() -> std::unique_ptr<Target> {
            return std::make_unique<Scripted>(locks(2, 2), [=]() mutable {
                stop.request_stop();
                release->wait();
                left->count_down();
            });
        },
        make_strategy("dfs", {}), {.jobs = 1, .patience = std::chrono::milliseconds(50)});
    const CampaignResult result = campaign.run({}, stop.get_token());
    EXPECT_EQ(result.left_behind, 1u);
    EXPECT_EQ(result.lost, 1u);
    EXPECT_EQ(result.coverage.executions, 0u);
    EXPECT_THAT(result.incomplete_because(), Contains("1 execution was under way at the end"));
    release->count_down();  // the result is discarded now
    left->arrive_and_wait();
}

// ---- bugs

TEST(Campaign, StopsAtTheFirstBug) {
    const CampaignResult result = run(philosophers(3, Forks::left_first), "bounded");
    EXPECT_EQ(result.end, CampaignEnd::first_bug);
    ASSERT_EQ(result.bugs.size(), 1u);
    EXPECT_EQ(result.bugs[0].found.verdict, Verdict::deadlock);
    EXPECT_EQ(result.bugs[0].found.preemptions, 1u);
    EXPECT_EQ(exit_code_of(verdict_of(result)), 1);

    ModelProgram program(philosophers(3, Forks::left_first));
    Plan again;
    again.prefix = result.bugs[0].found.schedule;
    EXPECT_EQ(program.run(again).verdict, Verdict::deadlock);
}

TEST(Campaign, KeepsGoingIfAskedTo) {
    const CampaignResult result = run(philosophers(3, Forks::left_first), "optimal", {.keep_going = true});
    EXPECT_EQ(result.end, CampaignEnd::finished);
    EXPECT_EQ(result.coverage.graphs, 7u);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.verdicts.at(Verdict::deadlock), 1u);
    EXPECT_EQ(result.verdicts.at(Verdict::ok), 6u);
    EXPECT_EQ(exit_code_of(verdict_of(result)), 1);
}

// Each of its schedules ends in a deadlock or in a failure, alternately.
Code one_of_two_bugs() {
    return [](Thread& t) -> Body {
        const std::int64_t which = co_await t.choose(3);
        if (which == 0) co_await t.fail();
        if (which == 1) co_await t.exit_process(7);
        co_await t.choose(2);
        co_await t.fail();
    };
}

TEST(Campaign, GroupsBugsOfOneKind) {
    const CampaignResult result = run(one_of_two_bugs(), "dfs", {.keep_going = true});
    ASSERT_EQ(result.bugs.size(), 2u);
    std::map<Verdict, std::uint64_t> times;
    for (const Bug& group : result.bugs) times[group.found.verdict] = group.found.times;
    EXPECT_EQ(times[Verdict::assertion], 3u);
    EXPECT_EQ(times[Verdict::exit_status], 1u);
}

TEST(Campaign, KeepsTheScheduleWithTheFewestPreemptions) {
    const CampaignResult result = run(philosophers(2, Forks::left_first), "dfs", {.keep_going = true});
    ASSERT_EQ(result.bugs.size(), 1u);
    EXPECT_GT(result.bugs[0].found.times, 1u);
    EXPECT_EQ(result.bugs[0].found.preemptions, 1u);
}

TEST(Campaign, CountsTheBugsItDidNotKeep) {
    const CampaignResult result = run(one_of_two_bugs(), "dfs", {.keep_going = true, .most_findings = 1});
    EXPECT_EQ(result.bugs.size(), 1u);
    EXPECT_GT(result.dropped, 0u);
}

// ---- incomplete exploration

TEST(Campaign, NamesExecutionsThatWereCutShort) {
    const CampaignResult result = run(locks(2, 2), "optimal", {}, steps(10));
    ASSERT_FALSE(result.cuts.empty());
    EXPECT_EQ(result.cuts[0].found.verdict, Verdict::step_limit);
    EXPECT_THAT(result.incomplete_because(), ElementsAre(HasSubstr("more steps than allowed")));
    EXPECT_EQ(exit_code_of(verdict_of(result)), 3);
}

// Runs `program`, and reports every n-th execution with this verdict.
TargetFactory sometimes(Verdict verdict, int every) {
    class Sometimes : public Target {
    public:
        Sometimes(Verdict verdict, int every) : program_(locks(2, 2)), verdict_(verdict), every_(every) {}
        Execution run(const Plan& plan) override {
            Execution execution = program_.run(plan);
            if (++runs_ % every_ == 0) {
                execution.verdict = verdict_;
                execution.message = "as told";
            }
            return execution;
        }

    private:
        ModelProgram program_;
        Verdict verdict_;
        int every_;
        int runs_ = 0;
    };
    return [=] { return std::make_unique<Sometimes>(verdict, every); };
}

TEST(Campaign, IsIncompleteIfSomeExecutionsWereNotControlled) {
    Campaign campaign(sometimes(Verdict::uncontrolled, 3), make_strategy("optimal", {}), {.repeat = false});
    const CampaignResult result = campaign.run({});
    EXPECT_FALSE(result.complete);
    EXPECT_THAT(result.incomplete_because(), Contains(HasSubstr("where raddle cannot see it: as told (")));
    EXPECT_EQ(exit_code_of(verdict_of(result)), 3);
}

TEST(Campaign, IsUncontrollableIfNoneWas) {
    Campaign campaign(sometimes(Verdict::uncontrolled, 1), make_strategy("optimal", {}), {});
    EXPECT_EQ(exit_code_of(verdict_of(campaign.run({}))), 5);
}

TEST(Campaign, IsDivergedIfAnExecutionDidNotFollowItsPlan) {
    for (const char* strategy : {"optimal", "bounded", "dfs"}) {
        Campaign campaign(sometimes(Verdict::diverged, 2), make_strategy(strategy, {}), {});
        const CampaignResult result = campaign.run({});
        ASSERT_FALSE(result.disagreements.empty()) << strategy;
        EXPECT_EQ(result.disagreements[0].found.message, "as told");
        EXPECT_EQ(exit_code_of(verdict_of(result)), 4) << strategy;
    }
}

TEST(Campaign, NoticesAScheduleThatWasNotFollowed) {
    class OtherProgramNow : public Target {
    public:
        Execution run(const Plan& plan) override {
            ModelProgram program(first_ ? locks(2, 1) : locks(1, 1));
            first_ = false;
            return program.run(plan.prefix.empty() ? plan : Plan{});
        }

    private:
        bool first_ = true;
    };
    Campaign campaign([] { return std::make_unique<OtherProgramNow>(); }, make_strategy("dfs", {}), {});
    EXPECT_EQ(verdict_of(campaign.run({})), CampaignVerdict::diverged);
}

// ---- the verdict

TEST(CampaignVerdicts, HaveTheirExitCodes) {
    const Bug bug{{{Verdict::deadlock, 0, {}, ""}, 1}}, difference{{{Verdict::diverged, 0, {}, ""}, 1}},
        cut{{{Verdict::uncontrolled, 0, {}, ""}, 1}};
    struct Row {
        const char* what;
        bool complete, bugs, disagreements, cuts;
        int exit_code;
    };
    for (const Row& row : std::initializer_list<Row>{
             {"all explored", true, false, false, false, 0},
             {"budget ended", false, false, false, false, 3},
             {"cut", false, false, false, true, 3},
             {"diverged", false, false, true, false, 4},
             {"diverged and cut", false, false, true, true, 4},
             {"bug", true, true, false, false, 1},
             {"bug, incomplete", false, true, false, true, 1},
             {"bug, diverged", false, true, true, false, 1},
         }) {
        CampaignResult result;
        result.complete = row.complete;
        result.verdicts[Verdict::ok] = 1;
        if (row.bugs) result.bugs = {bug};
        if (row.disagreements) result.disagreements = {difference};
        if (row.cuts) {
            result.cuts = {cut};
            result.verdicts[Verdict::uncontrolled] = 1;
        }
        EXPECT_EQ(exit_code_of(verdict_of(result)), row.exit_code) << row.what;
        EXPECT_EQ(result.incomplete_because().empty(), row.complete) << row.what;
    }
}

}  // namespace
}  // namespace raddle
