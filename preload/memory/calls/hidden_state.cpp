#include "preload/memory/calls/hidden_state.h"

#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"

namespace raddle::memory::hidden_state {

namespace {

struct Row {
    std::uint64_t word, lock;
};
Row rows[static_cast<std::size_t>(State::count_)];

void act_on_lock(Operation operation, State state, const void* caller) {
    Action action;
    action.operation = operation;
    action.site = canonical::site_of(caller);
    action.object = canonical::name_of(&rows[static_cast<std::size_t>(state)].lock);
    act(action);
}

}  // namespace

std::uint64_t* word_of(State state) { return &rows[static_cast<std::size_t>(state)].word; }
void lock(State state, const void* caller) { act_on_lock(Operation::mutex_lock, state, caller); }
void unlock(State state, const void* caller) { act_on_lock(Operation::mutex_unlock, state, caller); }

}  // namespace raddle::memory::hidden_state
