// Saves and loads the bounded search. The bytes begin with the names of objects and threads; later bytes use their
// numbers.
#include <algorithm>

#include "supervisor/base/error.h"
#include "supervisor/search/bounded/bounded_search.h"

namespace raddle {

void BoundedSearch::save(Writer& out) const {
    const Machine& machine = walk_.machine();
    out.number(machine.object_count());
    for (ObjectSlot slot = 0; slot < machine.object_count(); ++slot) {
        out.number(machine.object(slot).id.region);
        out.number(machine.object(slot).id.offset);
    }
    out.number(machine.thread_count());
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) out.number(machine.thread(slot).id.code);
    out.number((waits_can_be_left_ ? 1 : 0) + (met_long_wait_ ? 2 : 0));
    save_given_up(out);

    std::vector<Hash128> nodes = below_;
    for (std::size_t i = 0; i < depth_; ++i) nodes.insert(nodes.end(), path_[i].below.begin(), path_[i].below.end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    std::erase_if(nodes, [&](const Hash128& node) { return done_.find(node) == HashIndex::none; });
    save_entries(out, nodes);
}

void BoundedSearch::save_given_up(Writer& out) const {
    out.number(given_up_.size());
    given_up_.each([&](const Hash128& past, std::uint32_t) { save_hash(out, past); });
}

void BoundedSearch::load_given_up(Reader& in) {
    for (std::size_t count = in.count("number of given-up pasts"); count > 0; --count) give_up_past(load_hash(in));
}

void BoundedSearch::save_entries(Writer& out, const std::vector<Hash128>& nodes) const {
    out.number(intents_.size());
    for (std::uint32_t i = 0; i < intents_.size(); ++i) {
        const Intent& intent = intents_[i];
        out.number(intent.thread);
        out.number(intent.waits_for_end ? 1 : 0);
        out.number(intent.lock == no_slot ? 0 : intent.lock + 1);
        out.number(intent.count);
        for (std::uint8_t a = 0; a < intent.count; ++a) {
            out.number(intent.uses[a].object);
            out.number(static_cast<std::uint64_t>(intent.uses[a].mode));
        }
    }
    std::vector<std::uint32_t> sets, number_of(pool_.size(), HashIndex::none);
    const auto note_set = [&](std::uint32_t set) {
        if (number_of[set] != HashIndex::none) return;
        number_of[set] = static_cast<std::uint32_t>(sets.size());
        sets.push_back(set);
    };
    std::uint64_t count = 0;
    const auto each_entry = [&](auto&& act) {
        for (const Hash128& node : nodes)
            for (std::uint32_t at = done_.find(node); at != HashIndex::none; at = entries_[at].next)
                act(node, entries_[at]);
    };
    each_entry([&](const Hash128&, const Entry& entry) {
        note_set(entry.summary);
        note_set(entry.lead);
        ++count;
    });
    out.number(sets.size());
    for (const std::uint32_t set : sets) {
        std::uint64_t size = 0;
        pool_[set].each([&](std::uint32_t) { ++size; });
        out.number(size);
        pool_[set].each([&](std::uint32_t number) { out.number(number); });
    }
    out.number(count);
    each_entry([&](const Hash128& node, const Entry& entry) {
        save_hash(out, node);
        out.number(entry.last == no_slot ? 0 : entry.last + 1);
        out.number(entry.left == without_end ? 0 : entry.left + 1);
        out.number(number_of[entry.summary]);
        out.number(number_of[entry.lead]);
        out.number(entry.last_stuck ? 1 : 0);
    });
}

void BoundedSearch::load(Reader& in) {
    Machine& machine = walk_.machine();
    const auto expect_number = [](std::uint32_t got, std::uint64_t wanted) {
        if (got != wanted) throw BadInput("saved state is damaged: a name is there twice");
    };
    const std::size_t objects = in.count("number of objects");
    for (std::size_t slot = 0; slot < objects; ++slot) {
        ObjectId id;
        id.region = in.number();
        id.offset = in.number();
        expect_number(machine.object_slot(id), slot);
    }
    // Threads come after the objects, because a thread is an object, too.
    const std::uint64_t threads = in.number_below(ThreadSet::capacity + 1, "number of threads");
    for (std::uint64_t slot = 0; slot < threads; ++slot) expect_number(machine.slot_of({in.number()}), slot);
    const std::uint64_t marks = in.number_below(4, "mark");
    waits_can_be_left_ = (marks & 1) != 0;
    met_long_wait_ = (marks & 2) != 0;
    if (waits_can_be_left_) walk_.track().let_time_matter();
    load_given_up(in);
    load_entries(in);
}

void BoundedSearch::load_entries(Reader& in) {
    const Machine& machine = walk_.machine();
    intents_.clear();
    forget();
    below_.clear();
    const std::size_t intents = in.count("number of intents");
    for (std::size_t i = 0; i < intents; ++i) {
        Intent intent{};
        intent.thread = static_cast<ThreadSlot>(in.number_below(machine.thread_count(), "thread"));
        intent.waits_for_end = in.number_below(2, "mark") != 0;
        const std::uint64_t lock = in.number_below(std::uint64_t{machine.object_count()} + 1, "lock");
        intent.lock = lock == 0 ? no_slot : static_cast<ObjectSlot>(lock - 1);
        intent.count = static_cast<std::uint8_t>(in.number_below(std::size(intent.uses) + 1, "number of accesses"));
        for (std::uint8_t a = 0; a < intent.count; ++a) {
            intent.uses[a].object = static_cast<ObjectSlot>(in.number_below(machine.object_count(), "object"));
            intent.uses[a].mode = static_cast<Mode>(in.number_below(mode_count, "access mode"));
        }
        if (intents_.keep(intent) != i) throw BadInput("saved state is damaged: an intent is there twice");
    }
    const std::uint64_t largest = std::max<std::uint64_t>(intents, machine.thread_count());
    const std::size_t sets = in.count("number of sets");
    for (std::size_t i = 0; i < sets; ++i) {
        NumberSet set;
        for (std::size_t count = in.count("size of a set"); count > 0; --count)
            set.add(static_cast<std::uint32_t>(in.number_below(largest, "member")));
        if (pool_.keep(set) != i) throw BadInput("saved state is damaged: a set is there twice");
    }
    const auto set_below = [&](std::uint64_t limit, const char* what) {
        const auto number = static_cast<std::uint32_t>(in.number_below(sets, what));
        pool_[number].each([&](std::uint32_t member) {
            if (member >= limit) throw BadInput(std::string("saved state is damaged: ") + what + " out of range");
        });
        return number;
    };
    const std::size_t entries = in.count("number of finished nodes");
    done_.reserve(entries);
    for (std::size_t i = 0; i < entries; ++i) {
        const Hash128 node = load_hash(in);
        Entry entry{};
        const std::uint64_t last = in.number_below(std::uint64_t{machine.thread_count()} + 1, "thread");
        entry.last = last == 0 ? no_slot : static_cast<ThreadSlot>(last - 1);
        const std::uint64_t left = in.number_below(1u << 20, "preemptions left");
        entry.left = left == 0 ? without_end : static_cast<std::uint32_t>(left - 1);
        entry.summary = set_below(intents, "summary");
        entry.lead = set_below(machine.thread_count(), "lead");
        entry.last_stuck = in.number_below(2, "mark") != 0;
        add_entry(node, entry);
        below_.push_back(node);
    }
}

}  // namespace raddle
