#include "tests/model_program.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "supervisor/model/interruption.h"

namespace raddle::testing {

namespace {
constexpr std::size_t pool_step = 64;
constexpr std::size_t pool_classes = 32;
constexpr std::size_t class_of(std::size_t bytes) { return (bytes + pool_step - 1) / pool_step; }

struct FreeBlock {
    FreeBlock* next;
};

struct FreeLists {
    std::array<FreeBlock*, pool_classes> first{};
    ~FreeLists() {
        for (FreeBlock* block : first)
            while (block != nullptr) std::free(std::exchange(block, block->next));
    }
};
thread_local FreeLists free_lists;
}  // namespace

void* FramePool::take(std::size_t bytes) {
    const std::size_t size = class_of(bytes);
    if (size < pool_classes && free_lists.first[size] != nullptr) {
        FreeBlock* block = free_lists.first[size];
        free_lists.first[size] = block->next;
        return block;
    }
    void* block = std::malloc(size * pool_step);
    if (block == nullptr) std::terminate();
    return block;
}

void FramePool::give_back(void* block, std::size_t bytes) {
    const std::size_t size = class_of(bytes);
    if (size >= pool_classes) return std::free(block);
    free_lists.first[size] = new (block) FreeBlock{free_lists.first[size]};
}

void* grow_on_heap(void* old, std::size_t, std::size_t new_bytes) {
    if (new_bytes == 0) {
        std::free(old);
        return nullptr;
    }
    return std::realloc(old, new_bytes);
}

// ---- threads

void Thread::announce(const Action& action, std::coroutine_handle<> code) {
    resume_here_ = code;
    if (!cancelled_) return machine_.announce(slot_, in_focus(action));
    Action undisturbed = in_focus(action);
    undisturbed.flags &= static_cast<Flags>(~(flag::cancellable | flag::interruptible | flag::uncancellable));
    machine_.announce(slot_, undisturbed);
}

// A third of all actions, as a function of the thread's own past, as in a process.
Action Thread::in_focus(Action action) const {
    if (!machine_.options().has_focus) return action;
    const std::uint64_t past = mix64(hash_of(id()) + machine_.thread(slot_).events * 0x9e3779b97f4a7c15ULL);
    if (past % 3 == 0) action.flags |= flag::inside;
    return action;
}

std::int64_t Thread::word(Variable word) const {
    const ObjectSlot slot = machine_.find_object(word.id());
    return slot == no_slot ? 0 : machine_.object(slot).value;
}

Performing<> Thread::exit_process(std::int64_t status) {
    return {*this, {.operation = Operation::process_exit, .object = process_object(), .words = {status}}};
}

// ---- the program

ModelProgram::ModelProgram(Code main, ModelOptions options)
    : main_(std::move(main)),
      options_(options),
      machine_(grow_on_heap, options.machine),
      chooser_(machine_, grow_on_heap) {}

ModelProgram::~ModelProgram() = default;

Execution ModelProgram::run(const Plan& plan) {
    begin(plan);
    Execution execution;
    execution.events.expect(expected_events_);
    Choice choice = chooser_.next();
    for (; choice.decision == Decision::go; choice = chooser_.next()) take(choice, execution);
    expected_events_ = execution.events.size();

    for (ThreadSlot slot = 0; slot < machine_.thread_count(); ++slot)
        if (machine_.thread(slot).life == Life::announced)
            execution.pending.push_back({machine_.thread(slot).id, machine_.thread(slot).pending});
    execution.exit_status = machine_.exit_status();
    switch (choice.decision) {
        case Decision::go: break;
        case Decision::end: execution.verdict = verdict_of(machine_); break;
        case Decision::stop:
        case Decision::ask: execution.verdict = Verdict::stopped; break;
        case Decision::diverged: execution.verdict = Verdict::diverged; break;
        case Decision::abandoned: execution.verdict = Verdict::abandoned; break;
        case Decision::limit: execution.verdict = Verdict::step_limit; break;
        case Decision::threads: execution.verdict = Verdict::thread_limit; break;
    }
    for (const auto& thread : threads_) thread->body_.reset();
    return execution;
}

void ModelProgram::begin(const Plan& plan) {
    machine_.reset();
    chooser_.begin(plan.view());
    const ThreadSlot main = machine_.slot_of(main_thread);
    Thread& thread = thread_at(main);
    thread.cancelled_ = false;
    thread.cleanup_ = nullptr;
    start(thread, main_);
}

void ModelProgram::take(const Choice& choice, Execution& execution) {
    Event& event = execution.events.emplace_back();
    event.thread = machine_.thread(choice.thread).id;
    event.value = choice.value;
    event.action = machine_.thread(choice.thread).pending;

    Thread& thread = thread_at(choice.thread);
    thread.outcome_ = machine_.apply(choice.thread, choice.value);
    chooser_.happened(choice.thread, thread.outcome_);
    event.effect = thread.outcome_.effect;
    event.misuse = thread.outcome_.misuse;
    event.result = thread.outcome_.result;
    if (thread.outcome_.misuse != Misuse::none && execution.message.empty())
        execution.message = text_of(thread.outcome_.misuse);
    if (!thread.outcome_.continues && !thread.outcome_.ends_thread) go_on(thread, event.action);
}

void ModelProgram::go_on(Thread& thread, const Action& done) {
    if (thread.outcome_.cancels) {
        thread.cancelled_ = true;
        thread.body_.reset();
        if (thread.cleanup_) return start(thread, thread.cleanup_);
        return after_return(thread);
    }
    // Signals have no handlers here. An interrupted call has ended, except a condition wait: it remains in its queue.
    if (was_interrupted(thread.outcome_) && done.operation == Operation::cond_wake)
        return machine_.announce(thread.slot_, done);
    if (done.operation == Operation::thread_start) return start(thread, thread.code_);
    if (done.operation == Operation::thread_create) {
        Thread& child = thread_at(machine_.find_thread(thread_of(done.object)));
        child.code_ = std::move(thread.to_spawn_);
        child.cleanup_ = nullptr;
        child.cancelled_ = false;
    }
    thread.resume_here_.resume();
    if (thread.body_.done()) after_return(thread);
}

void ModelProgram::start(Thread& thread, const Code& code) {
    thread.body_ = code(thread);
    thread.body_.handle().resume();
    if (thread.body_.done()) after_return(thread);
}

void ModelProgram::after_return(Thread& thread) {
    const bool is_main = thread.id() == main_thread;
    if (is_main && !thread.cancelled_ && !options_.main_only_ends_itself)
        machine_.announce(thread.slot_, {.operation = Operation::process_exit, .object = process_object()});
    else
        machine_.announce(thread.slot_, {.operation = Operation::thread_exit});
}

Thread& ModelProgram::thread_at(ThreadSlot slot) {
    while (threads_.size() <= slot) threads_.push_back(std::make_unique<Thread>(machine_));
    threads_[slot]->slot_ = slot;
    return *threads_[slot];
}

}  // namespace raddle::testing
