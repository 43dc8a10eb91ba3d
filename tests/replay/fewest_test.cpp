// "No schedule with fewer preemptions", against brute force: the executions of every schedule of small random programs
// say how few preemptions each bug really needs.
#include <gtest/gtest.h>

#include <map>

#include "replay/explain/race_verdict_target.h"
#include "replay/schedule/minimize.h"
#include "supervisor/campaign/campaign.h"
#include "supervisor/trace/bug_key.h"
#include "supervisor/trace/data_races.h"
#include "tests/sharing_program.h"

namespace raddle::testing {
namespace {

constexpr std::uint64_t most_schedules = 3000;

// The executions of one bug with the fewest and with the most preemptions.
struct Extremes {
    std::uint32_t fewest = 0, most = 0;
    Execution dear;
};
using Truth = std::map<BugKey, Extremes>;

void add(Truth& truth, const Execution& execution, const BugKey& key, const MachineOptions& machine) {
    const std::uint32_t preemptions = cost_of(execution, machine).preemptions;
    const auto [known, is_new] = truth.try_emplace(key, Extremes{preemptions, preemptions, execution});
    if (is_new) return;
    Extremes& bug = known->second;
    bug.fewest = std::min(bug.fewest, preemptions);
    if (preemptions <= bug.most) return;
    bug.most = preemptions;
    bug.dear = execution;
}

// Nothing if the program has too many schedules.
std::optional<Truth> brute_force(const RandomProgram& program, const MachineOptions& machine) {
    WithSites target(program, machine);
    StrategyOptions options;
    options.machine = machine;
    const auto every_schedule = make_strategy("dfs", options);
    Truth truth;
    for (std::uint64_t tried = 0; const auto plan = every_schedule->next(); ++tried) {
        if (tried == most_schedules) return std::nullopt;
        const Execution execution = target.run(*plan);
        every_schedule->learn(*plan, execution);
        if (is_bug(execution.verdict)) add(truth, execution, {execution.verdict, bug_key_of(execution)}, machine);
        for (const DataRace& race : races_back_to_back(execution)) {
            const std::string text = text_of(execution, race);
            Execution judged = execution;
            set_race_verdict(judged, [&](const std::string& one) { return one == text; });
            if (judged.verdict == Verdict::race) add(truth, judged, {Verdict::race, text}, machine);
        }
    }
    return truth;
}

IsWantedRace wanted(const BugKey& key) {
    if (key.first != Verdict::race) return {};
    return [text = key.second](const std::string& one) { return one == text; };
}

struct Counts {
    std::size_t bugs = 0, claims = 0, races = 0, claims_on_races = 0, with_preemptions = 0;
};

void expect_true_claims(const RandomProgram& program, const MachineOptions& machine, std::uint64_t executions,
                        Counts& counts) {
    const std::optional<Truth> truth = brute_force(program, machine);
    if (!truth) return;
    WithSites target(program, machine);
    for (const auto& [key, known] : *truth) {
        RaceVerdictTarget judged(target, wanted(key));
        MinimizeOptions options;
        options.search.machine = machine;
        options.max_executions = executions;
        options.max_time = std::chrono::hours(1);
        const MinimizeResult simple = minimize(judged, known.dear, options);
        const bool is_race = key.first == Verdict::race;
        ++counts.bugs;
        counts.races += is_race ? 1 : 0;
        ASSERT_GE(simple.cost.preemptions, known.fewest);
        if (!simple.fewest) continue;
        ++counts.claims;
        counts.claims_on_races += is_race ? 1 : 0;
        counts.with_preemptions += known.fewest > 0 ? 1 : 0;
        ASSERT_EQ(simple.cost.preemptions, known.fewest)
            << name_of(key.first) << ": " << key.second << ", seed " << program.seed << "\n"
            << to_text(program);
    }
}

std::uint64_t programs() { return std::getenv("RADDLE_NIGHTLY") != nullptr ? 20'000 : 300; }

TEST(Fewest, IsTrueOfEveryBugOfRandomPrograms) {
    Counts counts;
    for (std::uint64_t seed = 1; seed <= programs(); ++seed) {
        MachineOptions machine;
        machine.independence = seed % 2 == 0 ? Independence::plain : Independence::fine;
        expect_true_claims(random_program(seed), machine, 4000, counts);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(counts.claims, counts.bugs / 2) << "of " << counts.bugs;
    EXPECT_GT(counts.with_preemptions, programs() / 30);
}

TEST(Fewest, IsTrueOfEveryRaceOfRandomPrograms) {
    Counts counts;
    for (std::uint64_t seed = 1; seed <= programs(); ++seed) {
        expect_true_claims(sharing_program(seed), {}, 4000, counts);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(counts.claims_on_races, counts.races / 2) << "of " << counts.races;
    EXPECT_GT(counts.with_preemptions, programs() / 30);
}

TEST(Fewest, IsTrueWithinASmallBudget) {
    Counts counts;
    for (std::uint64_t seed = 1; seed <= programs(); ++seed) {
        expect_true_claims(seed % 2 == 0 ? random_program(seed) : sharing_program(seed), {}, 12, counts);
        if (HasFatalFailure()) return;
    }
    EXPECT_LT(counts.claims, counts.bugs) << "twelve executions prove little";
}

// The claims of a whole campaign, with bounds and budgets.
TEST(Fewest, IsTrueInCampaigns) {
    std::size_t claims = 0, bugs = 0;
    for (std::uint64_t seed = 1; seed <= programs(); ++seed) {
        const RandomProgram program = seed % 3 == 0 ? sharing_program(seed) : random_program(seed);
        const std::optional<Truth> truth = brute_force(program, {});
        if (!truth) continue;
        CampaignOptions options;
        options.keep_going = true;
        options.repeat = false;
        options.races = std::make_shared<RaceWatch>(MachineOptions{});
        if (seed % 4 == 0) options.max_executions = 1 + seed % 50;
        if (seed % 4 == 1) options.bound = static_cast<std::uint32_t>(seed % 3);
        StrategyOptions search;
        search.max_bound = options.bound;
        Campaign campaign([&] { return std::make_unique<WithSites>(program, MachineOptions{}); },
                          make_strategy(seed % 5 == 0 ? "cb-dfs" : "bounded", search), options);
        const CampaignResult result = campaign.run({});
        for (const Bug& bug : result.bugs) {
            ++bugs;
            if (!proves_fewest_preemptions(result, bug.found)) continue;
            ++claims;
            ASSERT_EQ(bug.found.preemptions, truth->at(key_of(bug.found)).fewest)
                << name_of(bug.found.verdict) << ": " << bug.found.key << ", seed " << seed << "\n"
                << to_text(program);
        }
    }
    EXPECT_GT(claims, bugs / 4) << "of " << bugs;
}

}  // namespace
}  // namespace raddle::testing
