// Campaigns of programs in memory: what ends them, what they count, and what they do when a target fails.
#include "supervisor/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

#include "tests/model_program.h"
#include "tests/programs.h"

namespace raddle {
namespace {

using namespace raddle::testing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TargetFactory in_memory(Code program) {
    return [=] { return std::make_unique<ModelProgram>(program); };
}

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

CampaignResult run(Code program, const std::string& strategy, CampaignOptions options = {}, StrategyOptions search = {}) {
    Campaign campaign(in_memory(std::move(program)), make_strategy(strategy, search), options);
    return campaign.run({});
}

// A program in memory, with something to do before each run.
class Scripted : public Target {
public:
    Scripted(Code program, std::function<void()> before) : program_(std::move(program)), before_(std::move(before)) {}
    Execution run(const Plan& plan) override {
        before_();
        return program_.run(plan);
    }

private:
    ModelProgram program_;
    std::function<void()> before_;
};

// ---- what is explored

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

TEST(Campaign, IsCompleteUpToTheBoundAskedFor) {
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
    // Sampling is finished when it has drawn its samples, but has not seen everything.
    const CampaignResult result = run(locks(2, 2), "random", {}, samples(20));
    EXPECT_EQ(result.end, CampaignEnd::finished);
    EXPECT_EQ(result.coverage.executions, 20u);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(exit_code_of(verdict_of(result)), 3);
}

// ---- budgets

TEST(Campaign, EndsAfterSoManyExecutions) {
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
    Campaign campaign(in_memory(locks(8, 8)), make_strategy("optimal", {}), {.jobs = 2, .max_time = std::chrono::milliseconds(100)});
    const CampaignResult result = campaign.run({});
    EXPECT_EQ(result.end, CampaignEnd::time);
    EXPECT_THAT(result.incomplete_because(), Contains("the budget of time ended"));
    EXPECT_GE(result.seconds, 0.1);
    EXPECT_LT(result.seconds, 10);
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

TEST(Campaign, DoesNotWaitForAnExecutionWithoutEnd) {
    const auto release = std::make_shared<std::latch>(1);
    const auto left = std::make_shared<std::latch>(2);
    Campaign campaign(
        [=]() -> std::unique_ptr<Target> {
            return std::make_unique<Scripted>(locks(2, 2), [=] {
                release->wait();
                left->count_down();
            });
        },
        make_strategy("dfs", {}),
        {.jobs = 1, .max_time = std::chrono::milliseconds(10), .patience = std::chrono::milliseconds(50)});
    const CampaignResult result = campaign.run({});
    EXPECT_EQ(result.left_behind, 1u);
    EXPECT_EQ(result.lost, 1u);
    EXPECT_EQ(result.coverage.executions, 0u);
    EXPECT_THAT(result.incomplete_because(), Contains("1 execution was under way at the end"));
    release->count_down();  // what comes of it now is nobody's
    left->arrive_and_wait();
}

// ---- bugs

TEST(Campaign, StopsAtTheFirstBug) {
    const CampaignResult result = run(philosophers(3, Forks::left_first), "bounded");
    EXPECT_EQ(result.end, CampaignEnd::first_bug);
    ASSERT_EQ(result.bugs.size(), 1u);
    EXPECT_EQ(result.bugs[0].first.verdict, Verdict::deadlock);
    EXPECT_EQ(result.bugs[0].first.preemptions, 1u);
    EXPECT_EQ(exit_code_of(verdict_of(result)), 1);

    ModelProgram program(philosophers(3, Forks::left_first));
    Plan again;
    again.prefix = result.bugs[0].first.schedule;
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

// Each schedule of it deadlocks or fails, in turn.
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
    for (const FindingGroup& group : result.bugs) times[group.first.verdict] = group.times;
    EXPECT_EQ(times[Verdict::assertion], 3u);
    EXPECT_EQ(times[Verdict::exit_status], 1u);
}

TEST(Campaign, KeepsTheOneWithTheFewestPreemptions) {
    const CampaignResult result = run(philosophers(2, Forks::left_first), "dfs", {.keep_going = true});
    ASSERT_EQ(result.bugs.size(), 1u);
    EXPECT_GT(result.bugs[0].times, 1u);
    EXPECT_EQ(result.bugs[0].first.preemptions, 1u);
}

TEST(Campaign, SaysHowManyItDidNotKeep) {
    const CampaignResult result = run(one_of_two_bugs(), "dfs", {.keep_going = true, .most_findings = 1});
    EXPECT_EQ(result.bugs.size(), 1u);
    EXPECT_GT(result.dropped, 0u);
}

// ---- what is not seen

TEST(Campaign, NamesWhatWasCut) {
    const CampaignResult result = run(locks(2, 2), "optimal", {}, steps(10));
    ASSERT_FALSE(result.cuts.empty());
    EXPECT_EQ(result.cuts[0].first.verdict, Verdict::step_limit);
    EXPECT_THAT(result.incomplete_because(), ElementsAre(HasSubstr("more steps than allowed")));
    EXPECT_EQ(exit_code_of(verdict_of(result)), 3);
}

// Runs `program`, and says of every n-th execution that it ended with this verdict.
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
    Campaign campaign(sometimes(Verdict::uncontrolled, 3), make_strategy("optimal", {}), {});
    const CampaignResult result = campaign.run({});
    EXPECT_FALSE(result.complete);
    EXPECT_THAT(result.incomplete_because(), Contains(HasSubstr("where raddle cannot see it: as told (")));
    EXPECT_EQ(exit_code_of(verdict_of(result)), 3);
}

TEST(Campaign, IsUncontrollableIfNoneWas) {
    Campaign campaign(sometimes(Verdict::uncontrolled, 1), make_strategy("optimal", {}), {});
    EXPECT_EQ(exit_code_of(verdict_of(campaign.run({}))), 5);
}

TEST(Campaign, IsDivergedIfAnExecutionWasNotTheOnePlanned) {
    for (const char* strategy : {"optimal", "bounded", "dfs"}) {
        Campaign campaign(sometimes(Verdict::diverged, 2), make_strategy(strategy, {}), {});
        const CampaignResult result = campaign.run({});
        ASSERT_FALSE(result.disagreements.empty()) << strategy;
        EXPECT_EQ(result.disagreements[0].first.message, "as told");
        EXPECT_EQ(exit_code_of(verdict_of(result)), 4) << strategy;
    }
}

TEST(Campaign, NoticesItselfThatAScheduleWasNotFollowed) {
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

// ---- failing targets

TEST(Campaign, ReplacesATargetThatFails) {
    for (const unsigned jobs : {1u, 3u}) {
        std::atomic<int> targets{0}, runs{0};
        Campaign campaign(
            [&] {
                ++targets;
                return std::make_unique<Scripted>(locks(3, 2), [&] {
                    if (++runs % 10 == 0) throw std::runtime_error("gone");
                });
            },
            make_strategy("optimal", {}), {.jobs = jobs});
        const CampaignResult result = campaign.run({});
        EXPECT_EQ(result.coverage.graphs, 90u);
        EXPECT_EQ(result.coverage.executions, 90u);  // none twice
        EXPECT_TRUE(result.complete);
        EXPECT_EQ(result.replaced, 9u);              // at the 10th, 20th … 90th of 99 runs
        EXPECT_LE(targets, static_cast<int>(jobs) + 9);
    }
}

TEST(Campaign, GivesUpATargetThatAlwaysFails) {
    for (const unsigned jobs : {1u, 4u}) {
        Campaign campaign([]() -> std::unique_ptr<Target> { throw std::runtime_error("never there"); },
                          make_strategy("optimal", {}), {.jobs = jobs});
        const CampaignResult result = campaign.run({});
        EXPECT_EQ(result.end, CampaignEnd::failed);
        EXPECT_THAT(result.incomplete_because(), Contains("the target failed again and again: never there"));
        EXPECT_EQ(verdict_of(result), CampaignVerdict::incomplete);
    }
}

TEST(Campaign, GivesUpAPlanThatNoTargetSurvives) {
    // The others get on meanwhile: failures are counted for each plan, not only in a row.
    class Poisoned : public Target {
    public:
        explicit Poisoned(std::string& poison) : poison_(poison) {}
        Execution run(const Plan& plan) override {
            const std::string prefix = text_of(plan.prefix);
            if (poison_.empty() && plan.prefix.size() > 8) poison_ = prefix;
            if (!poison_.empty() && prefix == poison_) throw std::runtime_error("poison");
            return program_.run(plan);
        }

    private:
        std::string& poison_;
        ModelProgram program_{locks(2, 2)};
    };
    std::string poison;
    Campaign campaign([&] { return std::make_unique<Poisoned>(poison); }, make_strategy("dfs", {}), {});
    const CampaignResult result = campaign.run({});
    EXPECT_EQ(result.end, CampaignEnd::failed);
    EXPECT_EQ(result.replaced, 3u);
    EXPECT_FALSE(result.complete);
}

TEST(Campaign, DoesNotTryAgainWhatTheUserHasToChange) {
    int tries = 0;
    Campaign campaign(
        [&]() -> std::unique_ptr<Target> {
            ++tries;
            throw BadInput("no such program");
        },
        make_strategy("bounded", {}), {});
    const CampaignResult result = campaign.run({});
    EXPECT_EQ(tries, 1);
    EXPECT_EQ(result.lost, 0u);
    EXPECT_THAT(result.incomplete_because(), ElementsAre("no such program"));
    EXPECT_EQ(exit_code_of(verdict_of(result)), 5);
}

TEST(Campaign, KeepsWhatWasFoundBeforeAFailure) {
    int runs = 0;
    Campaign campaign(
        [&] {
            return std::make_unique<Scripted>(philosophers(3, Forks::left_first), [&] {
                if (++runs > 6) throw BadInput("the disk is gone");
            });
        },
        make_strategy("optimal", {}), {.keep_going = true});
    const CampaignResult result = campaign.run({});
    EXPECT_EQ(result.end, CampaignEnd::failed);
    EXPECT_EQ(result.coverage.executions, 6u);
    EXPECT_NE(verdict_of(result), CampaignVerdict::uncontrollable);
    EXPECT_FALSE(result.complete);
}

TEST(Campaign, HandsOutOurOwnMistakes) {
    Campaign campaign([]() -> std::unique_ptr<Target> { throw BrokenInvariant("1 > 2"); }, make_strategy("bounded", {}), {});
    const CampaignResult result = campaign.run({});
    ASSERT_TRUE(result.failure);
    EXPECT_THROW(std::rethrow_exception(result.failure), BrokenInvariant);
}

// ---- the verdict

TEST(CampaignVerdicts, HaveTheirExitCodes) {
    const FindingGroup bug{{Verdict::deadlock, 0, {}, ""}, 1}, difference{{Verdict::diverged, 0, {}, ""}, 1},
        cut{{Verdict::uncontrolled, 0, {}, ""}, 1};
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

// ---- observers

struct Listener : Observer {
    std::vector<std::string> heard;
    std::uint64_t executions = 0, ticks = 0;
    std::atomic<int> inside{0};
    bool alone = true;

    struct Call {
        explicit Call(Listener& listener) : of(listener) { of.alone = of.alone && ++of.inside == 1; }
        ~Call() { --of.inside; }
        Listener& of;
    };
    void started() override { heard.emplace_back("started"); }
    void executed(const Plan&, const Execution&, const Strategy& strategy) override {
        const Call call(*this);
        EXPECT_EQ(strategy.coverage().executions, ++executions);
    }
    void finding(const Finding& finding) override { heard.emplace_back(name_of(finding.verdict)); }
    void bound_complete(std::uint32_t bound, const Coverage&) override { heard.push_back("bound " + std::to_string(bound)); }
    void tick(const CampaignProgress&) override {
        const Call call(*this);
        ++ticks;
    }
    void ended(const CampaignResult&, const Strategy* strategy) override {
        EXPECT_TRUE(strategy != nullptr);
        heard.emplace_back("ended");
    }
};

TEST(Observers, HearAllInOrderAndOneAtATime) {
    Listener listener;
    // philosophers(3), left fork first: the deadlock takes 1 preemption.
    Campaign campaign(in_memory(philosophers(3, Forks::left_first)), make_strategy("bounded", {}), {.jobs = 3, .keep_going = true});
    const CampaignResult result = campaign.run({&listener});
    ASSERT_GE(listener.heard.size(), 4u);
    EXPECT_EQ(listener.heard.front(), "started");
    EXPECT_EQ(listener.heard.back(), "ended");
    EXPECT_THAT(listener.heard, Contains("bound 0"));
    EXPECT_THAT(listener.heard, Contains("deadlock"));
    EXPECT_EQ(listener.executions, result.coverage.executions);
    EXPECT_GT(listener.ticks, 0u);
    EXPECT_TRUE(listener.alone);
}

TEST(Observers, EndTheCampaignByFailing) {
    struct FullDisk : Observer {
        void executed(const Plan&, const Execution&, const Strategy&) override { throw BadInput("the disk is full"); }
    } disk;
    Campaign campaign(in_memory(locks(2, 2)), make_strategy("bounded", {}), {.jobs = 2});
    const CampaignResult result = campaign.run({&disk});
    EXPECT_EQ(result.end, CampaignEnd::failed);
    EXPECT_THAT(result.incomplete_because(), Contains("the disk is full"));
    EXPECT_EQ(verdict_of(result), CampaignVerdict::incomplete);
}

TEST(Observers, AreToldTheTimeWhileTheSearchWaits) {
    struct Clock : Observer {
        std::latch enough{3};
        int ticks = 0;
        void tick(const CampaignProgress&) override {
            if (ticks++ < 3) enough.count_down();
        }
    } clock;
    Campaign campaign([&] { return std::make_unique<Scripted>(locks(1, 1), [&] { clock.enough.wait(); }); },
                      make_strategy("optimal", {}), {});
    EXPECT_TRUE(campaign.run({&clock}).complete);
}

}  // namespace
}  // namespace raddle
