// The order solver over Z3: a place is an integer, and Z3 knows differences of integers.
#include "supervisor/search/symbolic/order_solver.h"

#ifdef RADDLE_HAS_Z3

#include <z3++.h>

#include <unordered_map>
#include <vector>

namespace raddle {

namespace {

class Z3Solver final : public OrderSolver {
public:
    Z3Solver() : solver_(context_, z3::solver::simple()), literals_(context_), places_(context_), model_(context_) {
        literals_.push_back(context_.bool_val(false));  // there is no literal 0
        literals_.push_back(context_.bool_val(true));
    }

    Literal fresh() override { return add_literal(context_.constant(next_name(), context_.bool_sort())); }

    Literal before(Event a, Event b) override {
        if (a == b) return never;
        const auto [known, is_new] = orders_.try_emplace(std::uint64_t{a} << 32 | b);
        if (is_new) known->second = add_literal(place_of(a) - place_of(b) <= -1);
        return known->second;
    }

    Literal is_at(Event event, std::uint32_t place) override {
        const auto [known, is_new] = at_.try_emplace(std::uint64_t{event} << 32 | place);
        if (is_new) known->second = add_literal(place_of(event) == static_cast<int>(place));
        return known->second;
    }

    void add(std::span<const Literal> one_of) override {
        z3::expr_vector clause(context_);
        for (const Literal one : one_of) {
            if (one == always) return;
            if (one != never) clause.push_back(expression(one));
        }
        solver_.add(clause.size() == 1 ? clause[0] : z3::mk_or(clause));
    }

    void add_at_least(std::uint32_t count, std::span<const Literal> of, Literal unless) override {
        if (count == 0 || unless == always) return;
        z3::expr_vector terms(context_);
        std::vector<int> weights;
        for (const Literal one : of) {
            if (one == never) continue;
            terms.push_back(expression(one));
            weights.push_back(1);
        }
        terms.push_back(expression(unless));
        weights.push_back(static_cast<int>(count));
        solver_.add(z3::pbge(terms, weights.data(), static_cast<int>(count)));
    }

    Answer solve(std::span<const Literal> literals, std::uint64_t most_effort) override {
        constexpr std::uint64_t largest = 0xffffffff;
        try {
            z3::params params(context_);
            params.set("rlimit", static_cast<unsigned>(most_effort < largest ? most_effort : largest));
            solver_.set(params);
            z3::expr_vector assumptions(context_);
            for (const Literal one : literals) assumptions.push_back(expression(one));
            const z3::check_result result = solver_.check(assumptions);
            note_effort();
            if (result == z3::unsat) return Answer::no;
            if (result != z3::sat) return Answer::unknown;
            model_ = solver_.get_model();
            return Answer::yes;
        } catch (const z3::exception&) {
            return Answer::unknown;
        }
    }

    bool holds(Literal literal) const override { return model_.eval(expression(literal), true).is_true(); }

    std::int64_t place(Event event) const override {
        if (event >= places_.size()) return 0;
        return model_.eval(places_[static_cast<int>(event)], true).get_numeral_int64();
    }

    std::uint64_t effort() const override { return effort_; }

private:
    z3::symbol next_name() { return context_.int_symbol(names_++); }
    Literal add_literal(const z3::expr& expression) {
        literals_.push_back(expression);
        return {static_cast<std::int32_t>(literals_.size()) - 1};
    }
    z3::expr expression(Literal literal) const {
        return literal.code < 0 ? !literals_[-literal.code] : literals_[literal.code];
    }
    z3::expr place_of(Event event) {
        while (places_.size() <= event) places_.push_back(context_.constant(next_name(), context_.int_sort()));
        return places_[static_cast<int>(event)];
    }
    void note_effort() {
        const z3::stats statistics = solver_.statistics();
        for (unsigned i = 0; i < statistics.size(); ++i)
            if (statistics.key(i) == "rlimit count") effort_ = statistics.uint_value(i);
    }

    z3::context context_;
    z3::solver solver_;
    z3::expr_vector literals_, places_;
    z3::model model_;
    std::unordered_map<std::uint64_t, Literal> orders_, at_;
    int names_ = 0;
    std::uint64_t effort_ = 0;
};

}  // namespace

std::unique_ptr<OrderSolver> make_order_solver() { return std::make_unique<Z3Solver>(); }

std::string order_solver_name() {
    unsigned major = 0, minor = 0, build = 0, revision = 0;
    Z3_get_version(&major, &minor, &build, &revision);
    return "Z3 " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace raddle

#else

namespace raddle {

std::unique_ptr<OrderSolver> make_order_solver() { return nullptr; }
std::string order_solver_name() { return ""; }

}  // namespace raddle

#endif
