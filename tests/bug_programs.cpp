#include "tests/bug_programs.h"

#include <algorithm>

#include "supervisor/search/directed/directed_search.h"

namespace raddle::testing {

Code lock_both(Mutex first, Mutex second) {
    return [=](Thread& t) -> Body {
        co_await t.lock(first);
        co_await t.lock(second);
        co_await t.unlock(second);
        co_await t.unlock(first);
    };
}

namespace {

constexpr Variable x{0}, y{1};
constexpr Mutex m{0}, n{1};
constexpr Condition c{0};
constexpr int many = 30;

constexpr Variable other(int number) { return {static_cast<std::uint32_t>(100 + number)}; }

// A write at a place in the code. Without places, all writes to one variable count as the same code.
Performing<WholeOutcome> write_at(Thread& t, std::uint64_t site, Variable variable, std::int64_t value) {
    return t.perform({.operation = Operation::memory_write, .object = variable.id(), .words = {value}, .site = site});
}

// Two threads in front, whose conflicts are harmless.
using Pair = std::pair<Code, Code>;

Pair writes_and_reads() {
    return {[](Thread& t) -> Body {
                for (int i = 0; i < many; ++i) co_await t.write(other(i), 1);
            },
            [](Thread& t) -> Body {
                for (int i = 0; i < many; ++i) co_await t.read(other(i));
            }};
}

Pair writes_and_writes() {
    return {[](Thread& t) -> Body {
                for (int i = 0; i < many; ++i) co_await write_at(t, static_cast<std::uint64_t>(i + 1), other(i), 1);
            },
            [](Thread& t) -> Body {
                for (int i = 0; i < many; ++i)
                    co_await write_at(t, static_cast<std::uint64_t>(many + i + 1), other(i), 2);
            }};
}

Pair writes_and_double_reads() {
    return {[](Thread& t) -> Body {
                for (int i = 0; i < many; ++i) co_await t.write(other(i), 1);
            },
            [](Thread& t) -> Body {
                for (int i = 0; i < many; ++i) {
                    co_await t.read(other(i));
                    co_await t.read(other(i));
                }
            }};
}

Code beside(Pair harmless, Code first, Code second, Code after = {}) {
    return [=](Thread& t) -> Body {
        std::vector<Handle> handles;
        for (const Code& code : {harmless.first, harmless.second, first, second}) {
            const Handle handle = co_await t.spawn(code);
            handles.push_back(handle);
        }
        for (const Handle handle : handles) co_await t.join(handle);
        if (after) co_await after(t);
    };
}

Code one_write(Variable variable, std::int64_t value) {
    return [=](Thread& t) -> Body { co_await t.write(variable, value); };
}

Body free_memory(Thread& t) {
    co_await t.perform({.operation = Operation::memory_write,
                        .attributes = attribute::memory::frees,
                        .object = x.id(),
                        .words = {-1}});
}

Body use_memory(Thread& t) {
    const std::int64_t found = co_await t.read(x);
    if (found == -1) co_await t.fail();
}

Code a_free_before_a_use() { return beside(writes_and_reads(), use_memory, free_memory); }

Code a_destruction_before_a_use() {
    return beside(
        writes_and_writes(),
        [](Thread& t) -> Body {
            co_await t.lock(m);
            co_await t.unlock(m);
        },
        [](Thread& t) -> Body { co_await t.destroy(m); });
}

Code a_signal_before_the_wait() {
    return beside(
        writes_and_writes(),
        [](Thread& t) -> Body {
            co_await t.lock(m);
            co_await t.wait(c, m);
            co_await t.unlock(m);
        },
        [](Thread& t) -> Body {
            co_await t.lock(m);
            co_await t.signal(c);
            co_await t.unlock(m);
        });
}

Code a_check_and_its_use_in_two_sections() {
    return beside(
        writes_and_double_reads(),
        [](Thread& t) -> Body {
            co_await t.lock(m);
            const std::int64_t checked = co_await t.read(x);
            co_await t.unlock(m);
            co_await t.lock(m);
            const std::int64_t used = co_await t.read(x);
            if (used != checked) co_await t.fail();
            co_await t.unlock(m);
        },
        [](Thread& t) -> Body {
            co_await t.lock(m);
            co_await t.write(x, 1);
            co_await t.unlock(m);
        });
}

Body increment(Thread& t) {
    const std::int64_t before = co_await t.read(x);
    co_await t.write(x, before + 1);
}

Code a_lost_update() {
    return beside(writes_and_reads(), increment, increment, [](Thread& t) -> Body {
        const std::int64_t sum = co_await t.read(x);
        if (sum != 2) co_await t.fail();
    });
}

Code two_unequal_reads() {
    return beside(
        writes_and_reads(),
        [](Thread& t) -> Body {
            const std::int64_t first = co_await t.read(x);
            const std::int64_t second = co_await t.read(x);
            if (first != second) co_await t.fail();
        },
        one_write(x, 1));
}

Code a_state_half_done() {
    return beside(
        writes_and_reads(),
        [](Thread& t) -> Body {
            co_await t.write(x, 1);
            co_await t.write(x, 0);
        },
        [](Thread& t) -> Body {
            const std::int64_t found = co_await t.read(x);
            if (found == 1) co_await t.fail();
        });
}

Code a_result_overwritten() {
    return beside(
        writes_and_reads(),
        [](Thread& t) -> Body {
            co_await t.write(x, 1);
            const std::int64_t found = co_await t.read(x);
            if (found != 1) co_await t.fail();
        },
        one_write(x, 2));
}

// The second thread cancels a detached one, which may have ended.
Code an_end_before_a_cancellation() {
    return beside(writes_and_writes(), one_write(y, 1), [](Thread& t) -> Body {
        const Handle worker = co_await t.spawn([](Thread& u) -> Body { co_await u.write(y, 2); }, true);
        co_await t.cancel(worker);
    });
}

Code a_flag_before_its_data() {
    return beside(
        writes_and_writes(),
        [](Thread& t) -> Body {
            co_await t.write(y, 1);
            co_await t.write(x, 1);
        },
        [](Thread& t) -> Body {
            const std::int64_t is_ready = co_await t.read(y);
            if (is_ready == 0) co_return;
            const std::int64_t data = co_await t.read(x);
            if (data == 0) co_await t.fail();
        });
}

// The bug needs the first thread's only write after the last of many of the second one.
Code a_write_after_another() {
    return beside(
        writes_and_reads(), [](Thread& t) -> Body { co_await write_at(t, 1, x, 1); },
        [](Thread& t) -> Body {
            for (int i = 0; i < many; ++i) co_await t.write(other(many + i), i);
            co_await write_at(t, 2, x, 2);
        },
        [](Thread& t) -> Body {
            const std::int64_t last = co_await t.read(x);
            if (last == 1) co_await t.fail();
        });
}

FirstBug measure(const Code& code, std::uint64_t seeds, std::uint64_t most,
                 const std::function<std::unique_ptr<Strategy>(const StrategyOptions&)>& make) {
    std::vector<std::uint64_t> executions;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        StrategyOptions options;
        options.seed = seed;
        options.samples = most;
        const std::unique_ptr<Strategy> strategy = make(options);
        ModelProgram program(code);
        std::uint64_t count = 0;
        while (const std::optional<Plan> plan = strategy->next()) {
            const Execution execution = program.run(*plan);
            ++count;
            if (is_bug(execution.verdict)) break;
            strategy->learn(*plan, execution);
        }
        executions.push_back(count);
    }
    std::sort(executions.begin(), executions.end());
    FirstBug result{executions.front(), executions[executions.size() / 2], executions.back(), 0};
    for (const std::uint64_t count : executions) result.sum += count;
    return result;
}

}  // namespace

Code bug_program(BugPattern pattern) {
    switch (pattern) {
        case BugPattern::lock_cycle: return beside(writes_and_reads(), lock_both(m, n), lock_both(n, m));
        case BugPattern::free_use: return a_free_before_a_use();
        case BugPattern::destroy_use: return a_destruction_before_a_use();
        case BugPattern::notify_wait: return a_signal_before_the_wait();
        case BugPattern::check_use: return a_check_and_its_use_in_two_sections();
        case BugPattern::lost_update: return a_lost_update();
        case BugPattern::unequal_reads: return two_unequal_reads();
        case BugPattern::half_done: return a_state_half_done();
        case BugPattern::overwritten: return a_result_overwritten();
        case BugPattern::end_join: return an_end_before_a_cancellation();
        case BugPattern::new_read: return a_flag_before_its_data();
        case BugPattern::first_reversal: return a_write_after_another();
    }
    return {};
}

FirstBug first_bug(const Code& program, std::uint64_t seeds, std::uint64_t most) {
    return measure(program, seeds, most,
                   [](const StrategyOptions& options) { return make_strategy("directed", options); });
}

FirstBug first_bug_without(const Code& program, BugPattern row, std::uint64_t seeds, std::uint64_t most) {
    return measure(program, seeds, most,
                   [row](const StrategyOptions& options) { return make_directed_without(options, row); });
}

}  // namespace raddle::testing
