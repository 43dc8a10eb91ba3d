#include "replay/explain/conflict.h"

#include "replay/explain/wording.h"
#include "supervisor/trace/data_races.h"
#include "supervisor/trace/modules.h"

namespace raddle {

namespace {

// Null if the object is not in a heap block.
const HeapBlock* block_of(const Failing& failing, const ObjectId& object) {
    const auto origin = failing.evidence.origins.find(object);
    return origin != failing.evidence.origins.end() && origin->second.in_block ? &origin->second.block : nullptr;
}

std::string allocation_text(const HeapBlock& block) {
    return "the block of " + std::to_string(block.bytes) + " bytes was allocated by " + name_of(block.allocated_by) +
           at_location(block.allocated_at);
}

std::string use_text(const Event& event) {
    const bool in_frame = touches_freed_memory(event) && event.action.object.space() == Space::stack;
    return in_frame ? "uses a frame that has ended" : text_of(event.misuse);
}

// The earlier step that conflicts with this one.
std::optional<std::size_t> conflicting(const Failing& failing, std::size_t at) {
    const Events& events = failing.execution().events;
    const Event& event = events[at];
    if (const Holds* holds = failing.history.holds_before(at)) {
        const ObjectId& lock =
            traits(event.action.operation).kind == Kind::condition ? event.action.second : event.action.object;
        const auto found = holds->find(lock);
        if (found != holds->end() && !found->second.empty()) return found->second.back().event;
    }
    std::optional<std::size_t> same_object;
    for (std::size_t i = at; i-- > 0;) {
        if (!(events[i].action.object == event.action.object)) continue;
        if (!same_object) same_object = i;
        if (events[i].thread != event.thread) return i;
    }
    return same_object;
}

// "add (bank.c:12)"
std::string code_text(const Failing& failing, std::size_t event) {
    if (const Frame* frame = own_frame(failing.stack_of(event))) return text_of(*frame);
    const Execution& execution = failing.execution();
    return text_of_site(execution.events[event].action.site, execution.modules.get());
}

const char* verb(const Event& event) {
    return traits(event.action.operation).access == MemoryAccess::writes ? "writes" : "reads";
}

// "T1 writes 5 to variable x"; the value only if it is known.
std::string access_text(const Failing& failing, const Event& event) {
    const std::string variable = text_of_object(event.action, false, failing.evidence);
    const bool knows = (event.action.flags & flag::contents_unknown) == 0;
    if (event.action.operation == Operation::memory_write)
        return name_of(event.thread) + " writes " + (knows ? std::to_string(event.action.value()) + " to " : "") +
               variable;
    return name_of(event.thread) + " reads " + (knows ? std::to_string(event.result) + " from " : "") + variable;
}

std::string locks_text(const Failing& failing, std::size_t event) {
    const Events& events = failing.execution().events;
    std::string text;
    if (const Holds* holds = failing.history.holds_before(event))
        for (const auto& [lock, holders] : *holds)
            for (const Hold& hold : holders) {
                if (hold.thread != events[event].thread) continue;
                const Action& taking = events[hold.event].action;
                text += (text.empty() ? ", holding " : " and ") +
                        text_of_object(taking, taking.operation == Operation::cond_wake, failing.evidence);
            }
    return text.empty() ? ", holding no lock" : text;
}

std::string explain_one_race(const Failing& failing, const DataRace& race, Failure& failure) {
    const Events& events = failing.execution().events;
    const Event& first = events[race.first];
    const Event& second = events[race.second];
    const Stack& first_stack = failing.stack_of(race.first);
    const Stack& second_stack = failing.stack_of(race.second);
    for (const std::size_t event : {race.first, race.second}) {
        failure.focus.events.insert(event);
        failure.focus.decisive.insert(event);
        const std::string deed = access_text(failing, events[event]);
        failure.facts.push_back(deed + at_location(failing.stack_of(event)) + locks_text(failing, event));
        failure.stacks.push_back({deed, failing.stack_of(event)});
    }
    failure.focus.objects.insert(first.action.object);
    if (const HeapBlock* block = block_of(failing, first.action.object)) {
        failure.facts.push_back(allocation_text(*block));
        failure.stacks.push_back({name_of(block->allocated_by) + " allocated the block", block->allocated_at});
    }
    failure.facts.push_back(
        "they would be ordered by a lock that both hold, by an atomic variable that one writes after and the "
        "other reads before, or by waiting: for the thread, a condition, a semaphore, a barrier, a pipe");
    failure.message = "data race on " + text_of_data(first.action, failing.evidence) + ": " +
                      code_text(failing, race.first) + " and " + code_text(failing, race.second);
    const std::string variable = text_of_object(first.action, false, failing.evidence);
    return name_of(first.thread) + " " + verb(first) + " " + variable + at_location(first_stack) + ", " +
           name_of(second.thread) + " " + verb(second) + " it" + at_location(second_stack) +
           ", and nothing orders them";
}

}  // namespace

std::string explain_misuse(const Failing& failing, Failure& failure) {
    const Events& events = failing.execution().events;
    std::size_t at = 0;
    while (at < events.size() && events[at].misuse == Misuse::none) ++at;
    if (at == events.size()) return failing.execution().message;
    const Event& event = events[at];
    const std::string deed_here = text_of_event(event, failing.evidence);
    failure.focus.objects.insert(event.action.object);
    failure.focus.events.insert(at);
    failure.stacks.push_back({name_of(event.thread) + " " + deed_here, failing.stack_of(at)});
    const auto other = conflicting(failing, at);
    if (other) {
        const Event& earlier = events[*other];
        failure.focus.events.insert(*other);
        const std::string deed =
            "before that, " + name_of(earlier.thread) + " " + text_of_event(earlier, failing.evidence);
        failure.facts.push_back(deed + at_location(failing.stack_of(*other)));
        failure.stacks.push_back({deed, failing.stack_of(*other)});
    }
    if (const HeapBlock* block = block_of(failing, event.action.object)) {
        failure.facts.push_back(allocation_text(*block));
        const bool was_said = other && is_freeing(events[*other].action);
        if (block->freed && !was_said)
            failure.facts.push_back("and freed by " + name_of(block->freed_by) + at_location(block->freed_at));
    }
    const std::string deed =
        is_freeing(event.action) ? deed_here + " a second time" : use_text(event) + ": it " + deed_here;
    return name_of(event.thread) + " " + deed + at_location(failing.stack_of(at));
}

std::string explain_race(const Failing& failing, Failure& failure) {
    const Execution& execution = failing.execution();
    for (const DataRace& race : races_back_to_back(execution))
        if (text_of(execution, race) == execution.message) return explain_one_race(failing, race, failure);
    return execution.message;
}

}  // namespace raddle
