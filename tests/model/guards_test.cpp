// Every guard of operation.def, on every state that three threads reach with the operations of its kind, within a few
// steps: where two events commute by their uses, both orders are possible, with the same outcomes and the same state;
// and what an event does not disturb does the same after it.
#include <map>
#include <set>

#include "supervisor/base/hash.h"
#include "tests/model/random_scene.h"

namespace raddle::testing {
namespace {

constexpr std::uint32_t threads = 3;
constexpr std::uint32_t largest_value = 0x7fffffff;

struct Kinship {
    const char* name;
    std::vector<Action> actions;
    int steps;
};

std::vector<Kinship> kinships() {
    const Thing l = thing(1), b = thing(2), s = thing(3);
    const auto destroy = [](Operation operation, Thing what) { return action(operation, what); };
    std::vector<Kinship> all;
    all.push_back({"rwlock",
                   {rdlock(l), tryrdlock(l), wrlock(l), trywrlock(l), rwunlock(l), action(Operation::rwlock_init, l),
                    destroy(Operation::rwlock_destroy, l)},
                   5});
    Thing fair = l;
    fair.attributes = attribute::rwlock::prefer_writers;
    all.push_back({"rwlock_that_prefers_writers",
                   {rdlock(fair), tryrdlock(fair), wrlock(fair), trywrlock(fair), rwunlock(fair)},
                   5});
    all.push_back({"barrier",
                   {action(Operation::barrier_init, b, 2), action(Operation::barrier_init, b, 3),
                    action(Operation::barrier_init, b, 4), action(Operation::barrier_wait, b),
                    destroy(Operation::barrier_destroy, b)},
                   6});
    all.push_back({"semaphore",
                   {action(Operation::sem_init, s, 0), action(Operation::sem_init, s, largest_value - 1),
                    action(Operation::sem_post, s), action(Operation::sem_wait, s), action(Operation::sem_trywait, s),
                    action(Operation::sem_getvalue, s), destroy(Operation::sem_destroy, s)},
                   5});
    // Objects that are used as if they were others.
    all.push_back({"confusion",
                   {action(Operation::sem_post, b), action(Operation::sem_wait, b), action(Operation::barrier_wait, b),
                    action(Operation::barrier_init, b, 3), rdlock(b), rwunlock(b)},
                   4});
    return all;
}

class EveryState {
public:
    explicit EveryState(const Kinship& kinship) : kinship_(kinship), script_(threads) {}

    void check() { visit(kinship_.steps); }

    std::size_t states() const { return seen_.size(); }
    // How often an operation had which mode.
    std::map<std::pair<Operation, Mode>, std::size_t> modes;

private:
    Machine& machine() { return script_.machine; }

    // What decides the future: everything but the time and the number of events.
    Hash128 key() {
        Hasher hasher;
        for (ThreadSlot slot = 0; slot < machine().thread_count(); ++slot) {
            const ThreadRecord& thread = machine().thread(slot);
            hasher.add(static_cast<std::uint64_t>(thread.life));
            hasher.add(thread.life == Life::announced ? static_cast<std::uint64_t>(thread.pending.operation) : 0);
            hasher.add((thread.released ? 1 : 0) | (thread.signalled ? 2 : 0));
        }
        Hash128 objects;
        for (ObjectSlot slot = 0; slot < machine().object_count(); ++slot) {
            const ObjectRecord& object = machine().object(slot);
            if (object.kind == Kind::none && object.count == 0 && !object.flag) continue;
            objects += Hasher()
                           .add(hash_of(object.id))
                           .add(static_cast<std::uint64_t>(object.kind) << 8 | static_cast<std::uint64_t>(object.state))
                           .add(std::uint64_t{object.owner} << 32 | object.count)
                           .add(std::uint64_t{object.waiters} << 32 | object.limit)
                           .add(object.flag ? 1 : 0)
                           .finish();
        }
        return hasher.add(objects).finish();
    }

    void visit(int steps) {
        if (::testing::Test::HasFailure() || !seen_.insert({key(), steps}).second) return;
        check_pairs();
        if (steps == 0) return;
        for (std::uint32_t n = 1; n <= threads; ++n)
            each_action(n, [&] {
                if (!script_.ready(n)) return;
                machine().apply(script_.slot(n), 0);
                visit(steps - 1);
            });
        // A thread may also stay blocked while the others go on.
        for (std::uint32_t n = 1; n <= threads; ++n)
            if (script_.record(n).life == Life::running)
                each_action(n, [&] {
                    if (!script_.ready(n)) visit(steps - 1);
                });
    }

    // With each action that the thread could have announced here; then as before.
    template <typename Do>
    void each_action(std::uint32_t n, Do&& act) {
        const ThreadSlot slot = script_.slot(n);
        if (script_.record(n).life == Life::announced) {
            const Machine::Mark mark = machine().mark();
            act();
            machine().rewind(mark);
            machine().mark();
            return;
        }
        for (const Action& action : kinship_.actions) {
            const Machine::Mark mark = machine().mark();
            machine().announce(slot, action);
            act();
            machine().rewind(mark);
            machine().mark();
        }
    }

    void check_pairs() {
        for (std::uint32_t p = 1; p <= threads; ++p)
            for (std::uint32_t q = 1; q <= threads; ++q)
                if (p != q) each_action(p, [&] { each_action(q, [&] { check(script_.slot(p), script_.slot(q)); }); });
    }

    static bool any(const ActionOutcome& a, const ActionOutcome& b,
                    bool (*related)(const ObjectUse&, const ObjectUse&)) {
        for (std::uint8_t i = 0; i < a.use_count; ++i)
            for (std::uint8_t j = 0; j < b.use_count; ++j)
                if (related(a.uses[i], b.uses[j])) return true;
        return false;
    }

    struct Order {
        ActionOutcome first, second;
        bool second_was_possible = false;
        std::vector<Snapshot> end;
    };
    Order in_order(ThreadSlot first, ThreadSlot second) {
        const Machine::Mark mark = machine().mark();
        Order order;
        order.first = machine().apply(first, 0);
        order.second_was_possible = machine().is_ready(second);
        if (order.second_was_possible) {
            order.second = machine().apply(second, 0);
            order.end.emplace_back(machine());
        }
        machine().rewind(mark);
        machine().mark();
        return order;
    }

    void check(ThreadSlot p, ThreadSlot q) {
        if (!machine().is_ready(p)) return;
        const std::string pair = std::string(name_of(machine().thread(p).pending.operation)) + " of thread " +
                                 std::to_string(p) + ", and then " + name_of(machine().thread(q).pending.operation);
        const bool q_could_be_first = machine().is_ready(q);
        const Order one = in_order(p, q);
        ++modes[{machine().thread(p).pending.operation, one.first.use_count > 0 ? one.first.uses[0].mode : Mode::none}];
        const bool is_enabled = enabled_by(p, q, one);
        if (one.second_was_possible && !is_enabled && !any(one.first, one.second, depend)) {
            ASSERT_TRUE(q_could_be_first) << pair;
            const Order other = in_order(q, p);
            ASSERT_TRUE(other.second_was_possible) << pair;
            EXPECT_TRUE(same(one.first, other.second) && same(one.second, other.first)) << pair;
            EXPECT_EQ(one.end.front().difference(other.end.front()), "") << pair;
        }
        // q could have come first, and sleeps while p happens.
        if (!q_could_be_first) return;
        const Order other = in_order(q, p);
        if (any(one.first, other.first, disturbs)) return;
        ASSERT_TRUE(one.second_was_possible && other.second_was_possible) << pair << " sleeping";
        EXPECT_TRUE(same(one.first, other.second) && same(one.second, other.first)) << pair << " sleeping";
        EXPECT_EQ(one.end.front().difference(other.end.front()), "") << pair << " sleeping";
    }

    static bool enabled_by(ThreadSlot p, ThreadSlot, const Order& order) {
        return order.second.enabler.number != 0 && order.second.enabler.thread == p;
    }

    const Kinship& kinship_;
    Script script_;
    std::set<std::pair<Hash128, int>> seen_;
};

class Guards : public ::testing::TestWithParam<Kinship> {};

TEST_P(Guards, HoldInEveryState) {
    EveryState every(GetParam());
    every.check();
    EXPECT_GE(every.states(), 100u);
    for (const Action& action : GetParam().actions) {
        const OperationTraits& what = traits(action.operation);
        if (what.guarded == Mode::none) continue;
        EXPECT_GT((every.modes[{action.operation, what.guarded}]), 0u) << what.name << " is never guarded";
        EXPECT_GT((every.modes[{action.operation, Mode::exclusive}]), 0u) << what.name << " needs no guard";
    }
}

INSTANTIATE_TEST_SUITE_P(Model, Guards, ::testing::ValuesIn(kinships()),
                         [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(GuardedRows, AreAllChecked) {
    std::set<Operation> checked;
    for (const Kinship& kinship : kinships())
        for (const Action& action : kinship.actions) checked.insert(action.operation);
    for (std::size_t i = 0; i < operation_count; ++i)
        if (operation_table.row[i].guarded != Mode::none) {
            const char* const name = operation_table.row[i].name;
            EXPECT_TRUE(checked.contains(static_cast<Operation>(i)) ||
                        i == static_cast<std::size_t>(Operation::rwlock_rdunlock))
                << name;
            EXPECT_STRNE(operation_table.row[i].reason, "") << name;
        }
}

}  // namespace
}  // namespace raddle::testing
