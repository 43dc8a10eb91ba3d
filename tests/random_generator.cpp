// Makes random programs: draws a style, has the phrases of each thread written, and joins the threads to a program.
#include <algorithm>
#include <array>

#include "tests/random_phrases.h"
#include "tests/random_program.h"

namespace raddle::testing {

namespace {

class Generator {
public:
    explicit Generator(std::uint64_t seed) : dice_(seed), style_(style_of(seed, below(drawn_styles()))) {
        program_.seed = seed;
        program_.style = style_.name;
    }

    RandomProgram make() {
        choose_attributes();
        const std::size_t workers = std::array<std::size_t, 6>{1, 2, 2, 2, 3, 3}[below(6)];
        const std::size_t most = std::array<std::size_t, 4>{0, 6, 5, 3}[workers];
        program_.threads.resize(workers + 1);
        program_.main_only_ends_itself = chance(15);
        if (chance(workers == 1 ? 90 : 35)) write_code(0, 1 + below(workers == 1 ? 6 : 2));
        for (std::size_t t = 1; t <= workers; ++t) write_code(t, (workers < 3 ? 2 : 1) + below(most));
        for (std::size_t t = workers; t > 0; --t) insert_creation(t);
        insert_initialisations();
        add_joins(workers);
        drop_what_nobody_can_know();
        return std::move(program_);
    }

private:
    std::size_t below(std::size_t n) { return dice_.below(n); }
    bool chance(std::size_t percent) { return dice_.chance(percent); }

    void choose_attributes() {
        const bool plain = chance(40);
        for (int i = 0; i < 2; ++i) {
            const auto type = chance(60)   ? MutexType::normal
                              : chance(50) ? MutexType::recursive
                                           : MutexType::errorcheck;
            const std::uint8_t robustness = chance(35) ? attribute::mutex::robust : 0;
            program_.mutex_attributes.push_back(
                plain ? std::uint8_t{0} : static_cast<std::uint8_t>(static_cast<std::uint8_t>(type) | robustness));
            program_.rwlock_attributes.push_back(chance(40) ? attribute::rwlock::prefer_writers : std::uint8_t{0});
        }
    }

    void write_code(std::size_t thread, std::size_t length) {
        program_.threads[thread].ops = phrases_.write(thread, length);
        if (style_.cancellable > 0 && chance(60)) write_cleanup(program_.threads[thread]);
    }

    void write_cleanup(ThreadCode& code) {
        std::vector<Op>& cleanup = code.cleanup;
        for (const Op& op : code.ops)
            if (op.operation == Operation::cond_wait && cleanup.empty())
                cleanup.push_back({.operation = Operation::mutex_unlock, .object = op.second});
        if (chance(40)) cleanup.push_back({.operation = Operation::memory_write, .object = 0, .argument = 2});
    }

    bool can_be_skipped(const std::vector<Op>& ops, std::size_t at) const {
        for (std::size_t i = 0; i < at && i < ops.size(); ++i)
            if (ops[i].skip.when != Skip::When::never && i + ops[i].skip.count >= at) return true;
        return false;
    }

    // Called for the last thread first, so that the creations in one thread are in the order of thread numbers.
    void insert_creation(std::size_t thread) {
        const std::size_t creator = thread > 1 && chance(15) ? 1 + below(thread - 1) : 0;
        std::vector<Op>& ops = program_.threads[creator].ops;
        std::size_t at = 0;
        if (creator != 0 || chance(25)) at = below(ops.size() + 1);
        for (std::size_t i = 0; i < ops.size(); ++i)
            if (ops[i].operation == Operation::thread_create) at = std::min(at, i);
        while (can_be_skipped(ops, at) || continues_before(ops, at)) --at;
        ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(at), Op{.operation = Operation::thread_create,
                                                                     .object = static_cast<std::uint32_t>(thread),
                                                                     .argument = chance(6) ? 1 : 0});
    }

    void insert_initialisations() {
        std::array<bool, 2> semaphore{}, barrier{};
        std::array<bool, 2> pipe{};
        for (const ThreadCode& code : program_.threads) {
            for (const Op& op : code.ops) {
                const Kind kind = traits(op.operation).kind;
                if (kind == Kind::semaphore) semaphore[op.object] = true;
                if (kind == Kind::barrier) barrier[op.object] = true;
                if (kind == Kind::descriptor) pipe[op.object] = true;
            }
        }
        std::vector<Op> first;
        for (std::uint32_t i = 0; i < 2; ++i) {
            if (semaphore[i] && chance(60))
                first.push_back(
                    {.operation = Operation::sem_init, .object = i, .argument = static_cast<std::int64_t>(below(3))});
            if (barrier[i] && chance(97))
                first.push_back({.operation = Operation::barrier_init,
                                 .object = i,
                                 .argument = 1 + static_cast<std::int64_t>(below(3))});
        }
        for (std::uint32_t i = 0; i < 2; ++i)
            if (pipe[i])
                first.push_back({.operation = Operation::descriptor_open,
                                 .object = i,
                                 .argument = 1 + static_cast<std::int64_t>(below(2))});
        std::vector<Op>& main = program_.threads[0].ops;
        main.insert(main.begin(), first.begin(), first.end());
    }

    void add_joins(std::size_t workers) {
        const std::size_t how = below(10);
        for (std::size_t t = 1; t <= workers; ++t) {
            if (how >= 8 || (how >= 6 && chance(50))) continue;
            program_.threads[0].ops.push_back(phrases_.join(t));
        }
    }

    void drop_what_nobody_can_know() {
        for (std::size_t t = 0; t < program_.threads.size(); ++t) {
            std::vector<Op>& ops = program_.threads[t].ops;
            for (std::size_t i = ops.size(); i-- > 0;)
                if (is_about_thread(ops[i].operation) && !can_know(program_, t, i, ops[i].object))
                    ops = without(ops, i);
        }
    }

    Dice dice_;
    const Style& style_;
    RandomProgram program_;
    PhraseWriter phrases_{dice_, style_, program_};
};

}  // namespace

RandomProgram random_program(std::uint64_t seed) { return Generator(seed).make(); }

}  // namespace raddle::testing
