// The conditions under which an order of recorded events is possible, as clauses over that order. They follow from the
// rows of operation.def: which lock an event takes or gives back, what it waits for, which waits it ends, how it
// accesses memory.
//
// Rules:
//   * The conditions are necessary. Each possible order meets them; an order that meets them may still be impossible.
//     The machine decides (possible_orders.h). Where an object is too intricate, it has fewer conditions or none.
//   * Order appears only as "a comes before b", never as its opposite, so events without an order between them may come
//     in either.
#pragma once

#include <unordered_map>

#include "supervisor/search/symbolic/order_solver.h"
#include "supervisor/search/symbolic/stories.h"

namespace raddle {

class OrderConstraints {
public:
    using Literal = OrderSolver::Literal;
    using Clause = std::vector<Literal>;

    // `begin`: the machine before the first event of the stories. All three have to live as long as the constraints.
    OrderConstraints(const Stories& stories, const Machine& begin, OrderSolver& solver);

    void add_all();

    // The event is part of the order.
    Literal comes(EventNumber event) const { return comes_[event]; }
    // If both are, the first comes before the second. no_event: before all others.
    Literal before(EventNumber a, EventNumber b) const;
    // The first is part of the order and comes before the second.
    Literal comes_before(EventNumber a, EventNumber b);
    // It is not, or comes after it.
    Literal not_before(EventNumber a, EventNumber b);
    Literal both(Literal a, Literal b);
    Literal either(const Clause& of);

private:
    // From the event that takes a lock to the one that gives it back.
    struct Section {
        std::uint32_t thread;
        EventNumber taken;               // none: before the stories begin
        std::vector<EventNumber> given;  // the ways to end it
        bool is_shared;
    };
    struct Wake {  // the signal ends this wait
        EventNumber signal;
        std::size_t wait;
        Literal holds;
    };
    struct QueuedWait {
        std::uint32_t thread;
        EventNumber wait;  // none: before the stories begin
        std::vector<EventNumber> woken;
        std::vector<EventNumber> left;
    };

    void follow_threads();
    void follow_creation(EventNumber event);
    void follow_join(EventNumber event);
    void follow_end(EventNumber end);

    bool is_usual(ObjectNumber object, Kind kind) const;
    const ObjectRecord* at_begin(ObjectNumber object) const;
    ThreadSlot slot_of(std::uint32_t thread) const { return begin_.find_thread(stories_.threads()[thread].id); }

    void exclude_sections(ObjectNumber lock, Kind kind);
    struct Open {  // the section is not given back yet
        ObjectNumber lock;
        std::size_t section;
    };
    void find_sections();
    std::vector<Open> open_at_begin(ThreadSlot slot);
    void follow_locks(EventNumber event, std::vector<Open>& open);
    void follow_lock(EventNumber event, ObjectNumber lock, LockChange change, std::vector<Open>& open);
    void exclude(const Section& one, const Section& other);
    void see_taken(EventNumber event, ObjectNumber lock);
    Literal is_inside(const Section& section, EventNumber event);
    bool is_sure_inside(const Section& section, EventNumber event) const;

    struct Units {
        std::int64_t base;               // before the first event; with inits, at least so many
        bool is_exact;                   // not only at least
        std::vector<EventNumber> added;  // one each
        std::vector<EventNumber> taken;
    };
    void count_units(ObjectNumber semaphore);
    void have_at_least(const Units& units, std::int64_t count, EventNumber event);
    void have_at_most(const Units& units, std::int64_t count, EventNumber event);
    EventNumber earlier(EventNumber event, Operation operation) const;
    bool was_signalled_at_begin(EventNumber event) const;
    void follow_condition(ObjectNumber condition);
    std::vector<QueuedWait> waits_on(ObjectNumber condition) const;
    void follow_wait(const QueuedWait& wait, std::size_t number, const std::vector<Wake>& wakes);
    void follow_signal(EventNumber signal, const std::vector<QueuedWait>& waits, const std::vector<Wake>& wakes);
    void follow_queue(ObjectNumber futex);
    void follow_barrier(ObjectNumber barrier);
    void follow_once(ObjectNumber once);

    void follow_variable(ObjectNumber variable);
    bool may_be_first_value(ObjectNumber variable, std::uint32_t width, std::uint64_t value) const;
    Literal is_last_write(EventNumber write, EventNumber read, const std::vector<EventNumber>& writes);

    const Stories& stories_;
    const Machine& begin_;
    OrderSolver& solver_;
    std::vector<std::vector<Section>> sections_;  // by lock
    std::vector<Literal> comes_;
    std::unordered_map<std::uint64_t, Literal> comes_before_, not_before_;
};

}  // namespace raddle
