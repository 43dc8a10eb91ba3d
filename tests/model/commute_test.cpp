// The base of every reduction, on random scenes: two actions commute if they use no object in common, or only share it,
// and neither enables the other. And an action uses no more objects than pending_uses() named before.
#include "tests/model/random_scene.h"

namespace raddle::testing {
namespace {

bool conflict(const ObjectUse* a, std::uint8_t a_count, const ObjectUse* b, std::uint8_t b_count) {
    for (std::uint8_t i = 0; i < a_count; ++i)
        for (std::uint8_t j = 0; j < b_count; ++j)
            if (depend(a[i], b[j])) return true;
    return false;
}

class Commute : public ::testing::TestWithParam<Independence> {};

class Diamond {
public:
    Diamond(RandomScene& scene, ThreadSlot p, ThreadSlot q) : scene_(scene), machine_(scene.machine), p_(p), q_(q) {}

    void check() {
        const Machine::Mark start = machine_.mark();
        ObjectUse pending[most_uses];
        const std::uint8_t pending_count = machine_.pending_uses(q_, pending);
        const Alternatives q_before = machine_.alternatives(q_);
        const std::uint32_t p_way = scene_.any_way(p_);

        const ActionOutcome p_first = machine_.apply(p_, p_way);
        const Alternatives q_after = machine_.alternatives(q_);
        const EventName enabler = enabler_of(machine_.thread(q_));
        const bool enables = enabler.thread == p_ && enabler.number == machine_.thread(p_).events;
        const bool changes = q_before.readiness != q_after.readiness || q_before.count != q_after.count;
        if (changes && !enables) {
            EXPECT_TRUE(conflict(p_first.uses, p_first.use_count, pending, pending_count))
                << tell("changes what can be done by");
        }
        if (q_before.readiness != Readiness::blocked && q_after.readiness != Readiness::blocked && !enables) {
            const std::uint32_t q_way = scene_.any_way(q_);
            const ActionOutcome q_second = machine_.apply(q_, q_way);
            if (!conflict(p_first.uses, p_first.use_count, q_second.uses, q_second.use_count)) {
                const Snapshot one_way(machine_);
                machine_.rewind(start);
                other_way(q_way, p_way, q_second, p_first, one_way);
            }
        }
        machine_.rewind(start);
    }

private:
    void other_way(std::uint32_t q_way, std::uint32_t p_way, const ActionOutcome& q_second,
                   const ActionOutcome& p_first, const Snapshot& one_way) {
        ASSERT_LT(q_way, machine_.alternatives(q_).count) << tell("could go only after");
        EXPECT_TRUE(same(machine_.apply(q_, q_way), q_second)) << tell("first makes a difference to");
        ASSERT_LT(p_way, machine_.alternatives(p_).count) << tell("cannot go after");
        EXPECT_TRUE(same(machine_.apply(p_, p_way), p_first)) << tell("second makes a difference to");
        EXPECT_EQ(Snapshot(machine_).difference(one_way), "") << tell("in another order ends differently with");
    }

    std::string tell(const std::string& how) const {
        const auto name = [&](ThreadSlot slot) {
            return std::string(name_of(machine_.thread(slot).pending.operation)) + " of thread " + std::to_string(slot);
        };
        return name(p_) + " " + how + " " + name(q_);
    }

    RandomScene& scene_;
    Machine& machine_;
    ThreadSlot p_, q_;
};

TEST_P(Commute, WhatTouchesNothingInCommon) {
    for (std::uint64_t seed = 1; seed <= 1500 && !::testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomScene scene(seed, {.independence = GetParam(), .spurious_wakeups = seed % 3 == 0});
        for (int steps = 0; steps < 40; ++steps) {
            const std::vector<ThreadSlot> able = scene.who_can_run();
            for (const ThreadSlot p : able)
                for (ThreadSlot q = 0; q < scene.machine.thread_count(); ++q)
                    if (p != q) Diamond(scene, p, q).check();
            if (!scene.step()) break;
        }
    }
}

TEST_P(Commute, NothingIsTouchedThatWasNotSaidBefore) {
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        RandomScene scene(seed, {.independence = GetParam(), .spurious_wakeups = seed % 3 == 0});
        for (int steps = 0; steps < 60; ++steps) {
            const std::vector<ThreadSlot> able = scene.who_can_run();
            if (able.empty()) break;
            const ThreadSlot slot = able[scene.draw(able.size())];
            const Action announced = scene.machine.thread(slot).pending;
            ObjectUse said[most_uses];
            const std::uint8_t count = scene.machine.pending_uses(slot, said);
            const ActionOutcome outcome = scene.machine.apply(slot, scene.any_way(slot));
            for (std::uint8_t i = 0; i < outcome.use_count; ++i) {
                bool covered = false;
                for (std::uint8_t j = 0; j < count; ++j)
                    covered |= said[j].object == outcome.uses[i].object &&
                               (said[j].mode == outcome.uses[i].mode || said[j].mode == Mode::exclusive);
                ASSERT_TRUE(covered) << name_of(announced.operation) << ", seed " << seed;
            }
            scene.everyone_announces();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Relations, Commute, ::testing::Values(Independence::fine, Independence::plain),
                         [](const auto& relation) { return relation.param == Independence::fine ? "fine" : "plain"; });

}  // namespace
}  // namespace raddle::testing
