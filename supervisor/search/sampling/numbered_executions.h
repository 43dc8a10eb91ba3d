// Executions that are numbered from 0, each a function of the seed and its number alone: what is begun, away with a
// worker, and given back. Sampling, `directed` and `predict` keep their books with it.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "supervisor/search/strategy.h"

namespace raddle {

class NumberedExecutions {
public:
    // StrategyOptions::samples may be higher than at the time of saving: the executions so far are the first of them.
    explicit NumberedExecutions(const StrategyOptions& options) : seed_(options.seed), most_(options.samples) {}

    // The number of an execution to make now: one that was given back, or the next one. Nothing where all are begun, or
    // where `may_begin(number)` says that the next one must wait for those that are away.
    template <typename MayBegin>
    std::optional<std::uint64_t> take(MayBegin&& may_begin) {
        std::uint64_t number = next_;
        if (!again_.empty()) {
            number = again_.extract(again_.begin()).value();
        } else {
            if (next_ >= most_ || !may_begin(next_)) return std::nullopt;
            ++next_;
        }
        out_.insert(number);
        return number;
    }
    void come_back(std::uint64_t number);
    void give_back(std::uint64_t number);

    std::uint64_t seed_of(std::uint64_t number) const;
    bool none_is_away() const { return out_.empty(); }
    bool finished() const { return next_ >= most_ && again_.empty() && out_.empty(); }
    void report(Coverage& coverage) const;

    // The parts of a saved search: the seed, how many are begun, and those that are to be made again.
    void save_seed(Writer& out) const { out.number(seed_); }
    void save_begun(Writer& out) const { out.number(next_); }
    void save_wanted(Writer& out) const;
    void check_seed(Reader& in) const;
    void load_begun(Reader& in) { next_ = in.number(); }
    void load_wanted(Reader& in);
    // The smallest number that is to be made again.
    std::optional<std::uint64_t> first_wanted() const {
        return again_.empty() ? std::nullopt : std::optional(*again_.begin());
    }

private:
    std::uint64_t seed_, most_;
    std::uint64_t next_ = 0;
    std::set<std::uint64_t> again_;  // given back: to be made again
    std::set<std::uint64_t> out_;
};

// Executions that are planned together, from all batches before.
template <typename Planned>
class Batch {
public:
    // A batch is an eighth of all executions before. Many workers then seldom wait for each other.
    void start(std::uint64_t first) {
        constexpr std::uint64_t largest = 32;
        first_ = first;
        planned_.assign(std::clamp<std::uint64_t>(first / 8, 1, largest), {});
    }

    // The number of an execution to make now. A new batch begins once all of the one before are back: plan(first).
    template <typename PlanBatch>
    std::optional<std::uint64_t> take(NumberedExecutions& numbers, PlanBatch&& plan) {
        return numbers.take([&](std::uint64_t number) {
            if (has(number)) return true;
            if (!numbers.none_is_away()) return false;
            plan(number);
            return true;
        });
    }

    bool has(std::uint64_t number) const { return number >= first_ && number - first_ < planned_.size(); }
    Planned& operator[](std::uint64_t number) { return planned_[number - first_]; }
    const Planned& operator[](std::uint64_t number) const { return planned_[number - first_]; }
    auto begin() { return planned_.begin(); }
    auto end() { return planned_.end(); }

    template <typename SaveOne>
    void save(Writer& out, SaveOne&& save_one) const {
        out.number(first_);
        out.number(planned_.size());
        for (const Planned& planned : planned_) save_one(planned);
    }
    template <typename LoadOne>
    void load(Reader& in, LoadOne&& load_one) {
        first_ = in.number();
        planned_.assign(in.count("number of executions in a batch"), {});
        for (Planned& planned : planned_) load_one(planned);
    }
    // What is to be made again belongs to the batch.
    void load_wanted(Reader& in, NumberedExecutions& numbers) const {
        numbers.load_wanted(in);
        const auto wanted = numbers.first_wanted();
        if (wanted && !has(*wanted)) throw BadInput("saved state is damaged: a sample of an earlier batch");
    }

private:
    std::uint64_t first_ = 0;
    std::vector<Planned> planned_;
};

}  // namespace raddle
