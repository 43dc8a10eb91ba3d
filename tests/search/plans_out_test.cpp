// Plans that are apart never end in one graph: shown on random programs, by many executions behind random prefixes.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "supervisor/search/plans_out.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/model_program.h"
#include "tests/random_program.h"

namespace raddle::testing {
namespace {

class Prefixes {
public:
    Prefixes(const RandomProgram& program, const MachineOptions& machine)
        : target_(code_of(program), options_of(program, machine)), machine_(machine) {}

    Schedule draw(std::mt19937_64& random) {
        Plan plan;
        plan.tail = {.kind = TailKind::random, .seed = random()};
        Schedule schedule = target_.run(plan).schedule();
        schedule.resize(schedule.empty() ? 0 : random() % schedule.size());
        return schedule;
    }
    // The track of the prefix, as a search has it when it makes the plan.
    void replay(const Schedule& prefix, ReplayMachine& replay) {
        Plan plan;
        plan.prefix = prefix;
        plan.tail.kind = TailKind::stop;
        replayed_ = target_.run(plan);
        replay.begin(replayed_);
        replay.feed_all();
    }
    std::set<Hash128> graphs_behind(const Schedule& prefix, std::mt19937_64& random) {
        std::set<Hash128> graphs;
        for (int i = 0; i < 30; ++i) {
            Plan plan;
            plan.prefix = prefix;
            plan.tail = {.kind = i % 2 == 0 ? TailKind::random : TailKind::pos, .seed = random()};
            const Execution execution = target_.run(plan);
            ReplayMachine replay(machine_);
            replay.begin(execution);
            replay.feed_all();
            graphs.insert(replay.graph());
        }
        return graphs;
    }

private:
    ModelProgram target_;
    const MachineOptions machine_;
    Execution replayed_;
};

TEST(PlansOut, ThatAreApartNeverEndInOneGraph) {
    std::mt19937_64 random(1);
    int apart = 0, together = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        const Independence relation =
            std::vector{Independence::plain, Independence::fine, Independence::values}[seed % 3];
        const MachineOptions machine{.independence = relation};
        const RandomProgram program = random_program(seed);
        Prefixes prefixes(program, machine);
        for (int pair = 0; pair < 5; ++pair) {
            const Schedule one = prefixes.draw(random), other = prefixes.draw(random);
            ReplayMachine at_one(machine), at_other(machine);
            PlansOut out;
            prefixes.replay(one, at_one);
            out.add(1, at_one.track());
            EXPECT_FALSE(out.are_apart_from(at_one.track())) << "a plan is not apart from itself";
            prefixes.replay(other, at_other);
            const bool are_apart = out.are_apart_from(at_other.track());
            out.remove(1);
            EXPECT_TRUE(out.are_apart_from(at_other.track())) << "nothing is out";
            (are_apart ? apart : together) += 1;
            if (!are_apart) continue;
            const std::set<Hash128> graphs = prefixes.graphs_behind(one, random);
            for (const Hash128& graph : prefixes.graphs_behind(other, random))
                ASSERT_FALSE(graphs.contains(graph)) << "seed " << seed << "\n"
                                                     << text_of(one) << "\n"
                                                     << text_of(other) << "\n"
                                                     << to_text(program);
        }
    }
    EXPECT_GT(apart, 200);
    EXPECT_GT(together, 200);
}

}  // namespace
}  // namespace raddle::testing
