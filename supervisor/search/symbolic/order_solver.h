// A solver for orders: it finds places for events such that clauses over "a comes before b" hold. Everything above this
// interface is the same with every solver; z3_solver.cpp is the only one, and a build without Z3 has none.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

namespace raddle {

class OrderSolver {
public:
    // A condition, or its opposite.
    struct Literal {
        std::int32_t code = 1;
        Literal operator-() const { return {-code}; }
        friend bool operator==(Literal, Literal) = default;
    };
    static constexpr Literal always{1}, never{-1};

    using Event = std::uint32_t;
    enum class Answer : std::uint8_t { yes, no, unknown };

    OrderSolver() = default;
    virtual ~OrderSolver() = default;
    OrderSolver(const OrderSolver&) = delete;
    OrderSolver& operator=(const OrderSolver&) = delete;

    virtual Literal fresh() = 0;
    // The place of the one is smaller. Two events may have one place, unless clauses forbid it.
    virtual Literal before(Event a, Event b) = 0;
    virtual Literal is_at(Event event, std::uint32_t place) = 0;
    // One of them holds.
    virtual void add(std::span<const Literal> one_of) = 0;
    void add(std::initializer_list<Literal> one_of) { add(std::span(one_of.begin(), one_of.size())); }
    // At least so many of them hold, or else `unless` does.
    virtual void add_at_least(std::uint32_t count, std::span<const Literal> of, Literal unless) = 0;

    // All clauses and these literals hold. With at most so much effort: the same question with the same limit has the
    // same answer, however busy the machine is.
    virtual Answer solve(std::span<const Literal> literals, std::uint64_t most_effort) = 0;
    // After a yes.
    virtual bool holds(Literal literal) const = 0;
    virtual std::int64_t place(Event event) const = 0;
    // So far, in units of its own.
    virtual std::uint64_t effort() const = 0;
};

// Null if raddle was built without one.
std::unique_ptr<OrderSolver> make_order_solver();
// Its name and version; empty if there is none.
std::string order_solver_name();

}  // namespace raddle
