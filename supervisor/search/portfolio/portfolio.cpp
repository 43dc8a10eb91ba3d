#include "supervisor/search/portfolio/portfolio.h"

#include <algorithm>
#include <limits>

#include "supervisor/search/exhaustion.h"

namespace raddle {

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
constexpr const char* by_bounds = "bounded";

// One walk and cache for each bound; half of the memory is for the knowledge.
std::unique_ptr<BoundPass> make_pass(const StrategyOptions& options, Experience& experience) {
    return std::make_unique<BoundPass>(options, experience, options.memory_limit / (2 * Turns::bounds));
}

}  // namespace

Portfolio::Portfolio(const StrategyOptions& options)
    : options_(options),
      experience_(options_, Experience::Keeps::preemptions),
      turns_(member_rows()),
      drawn_(options_.machine, experience_.knowledge()),
      chooser_(drawn_.machine(), &supervisor_memory) {
    for (auto& pass : passes_) pass = make_pass(options_, experience_);
    for (const MemberRow& row : member_rows()) members_.push_back(row.make(options_));
    assign_bounds();
}

// ---- rounds

std::optional<Plan> Portfolio::next() {
    if (queue_.empty() && out_.empty()) begin_round();
    if (queue_.empty()) return std::nullopt;
    Wanted wanted = std::move(queue_.front());
    queue_.pop_front();
    Plan plan = wanted.plan;
    out_[plan.id] = std::move(wanted);
    return plan;
}

void Portfolio::begin_round() {
    end_round();
    begin_sweep_if_full();
    if (is_over() && experience_.to_confirm().empty()) return;
    if (!drawn_.begin()) {
        Plan plan = plan_of({});
        return add(std::move(plan), drawn_.track(), Knowledge::beginning, by_bounds, nullptr);
    }
    turns_.begin_round(executions());
    plans_in_round_ = Turns::plans_in_round(executions());
    while (queue_.size() < plans_in_round_ && add_plan()) continue;
    // A sweep pauses after many graphs in memory, so that members have their turn.
    while (sweep_ && queue_.empty() && !sweep_->is_done()) add_plan_of_sweep();
    settle_sweep();
    is_single_ = queue_.size() == 1;
    // Nothing is out, so no part will ever want anything else.
    if (queue_.empty() && postponed_.empty()) progress_.finished = true;
}

void Portfolio::end_round() {
    for (const auto& [id, schedule] : told_) tell_members(id, schedule);
    told_.clear();
    plans_out_.clear();
    for (auto& pass : passes_) pass->begin_anew_if_incomplete();
}

bool Portfolio::add_plan() {
    if (add_confirmation()) return true;
    // The members have an eighth beside a sweep: what they draw, it goes through again.
    if (sweep_ && queue_.size() % 8 != 7 && add_plan_of_sweep()) return true;
    while (!is_over()) {
        const std::optional<std::uint32_t> part = turns_.next();
        if (!part) return false;
        if (add_plan_of(*part)) {
            turns_.took(*part);
            return true;
        }
        turns_.passed(*part);
    }
    return false;
}

bool Portfolio::add_plan_of(std::uint32_t part) {
    if (sweep_ && Turns::is_bound(part)) return false;
    return Turns::is_bound(part) ? add_plan_of_pass(part) : add_plan_of_member(part - Turns::bounds);
}

bool Portfolio::add_confirmation() {
    auto& wanted = experience_.to_confirm();
    if (wanted.empty()) return false;
    auto [schedule, found_by] = std::move(wanted.front());
    wanted.erase(wanted.begin());
    queue_.push_back({plan_of(std::move(schedule)), Hash128{}, std::move(found_by)});
    return true;
}

Plan Portfolio::plan_of(Schedule prefix) {
    Plan plan;
    plan.id = next_id_++;
    plan.prefix = std::move(prefix);
    plan.max_steps = options_.max_steps;
    return plan;
}

void Portfolio::add(Plan plan, const Track& prefix, const Hash128& awaited, const std::string& found_by,
                    BoundPass* pass) {
    if (plans_in_round_ > 1) plans_out_.add(plan.id, prefix);
    queue_.push_back({std::move(plan), awaited, found_by, pass});
}

// ---- the bounded searches

bool Portfolio::add_plan_of_pass(std::uint32_t place) {
    constexpr std::uint64_t most_graphs_a_turn = 8;
    while (!bounds_stopped_ && !is_full_ && !progress_.finished) {
        BoundPass& pass = pass_at(place);
        const std::uint32_t bound = pass.bound();
        if (options_.max_bound && bound > *options_.max_bound) return false;
        if (pass.is_complete()) return false;
        switch (pass.go_on(plans_out_, place == 0 ? no_limit : most_graphs_a_turn)) {
            case BoundPass::Stop::unknown: {
                const Track& track = pass.walk().track();
                const Hash128 past = track[track.size() - 1].past;
                add(plan_of(pass.walk().schedule()), track, past, by_bounds, &pass);
                return true;
            }
            case BoundPass::Stop::confirm: return add_confirmation();
            case BoundPass::Stop::pause: return false;
            case BoundPass::Stop::complete: settle_bounds(); break;
        }
        // A higher bound waits for the lower ones.
        if (pass_at(place).bound() == bound) return false;
    }
    return false;
}

// Claims the complete bounds, in order, and goes on to higher ones.
void Portfolio::settle_bounds() {
    while (pass_at(0).is_complete() && !progress_.finished) {
        const bool is_limited = pass_at(0).search().met_thread_limit();
        if (is_limited) experience_.because(text_of(Verdict::thread_limit));
        const std::size_t reasons = experience_.reasons().size();
        if (reasons == 0) progress_.complete_to = progress_.bound;
        progress_.exhausted = reasons == 0 && (!pass_at(0).has_cut() || all_is_known());
        // Schedules with more preemptions may have bugs, though nothing will be claimed.
        const bool goes_on = reasons == 0 || (reasons == 1 && is_limited && pass_at(0).has_cut());
        if (progress_.exhausted || !goes_on || progress_.at_last(options_)) {
            progress_.finished = true;
            return;
        }
        ++progress_.bound;
        pass_at(Turns::bounds - 1).begin(progress_.bound + Turns::bounds - 1);
    }
}

// Only graphs that were reached within the bound count: members see graphs of any bound, and whether everything is
// known at a bound must not depend on their luck.
bool Portfolio::all_is_known() {
    const auto reached = [this](const Hash128& graph) { return experience_.has_reached(graph, progress_.bound); };
    Walk& walk = pass_at(0).walk();
    return pass_at(0).search().needs_order() ? every_view_is_known(walk, options_.memory_limit, reached)
                                             : every_graph_is_known(walk, reached);
}

void Portfolio::assign_bounds() {
    for (std::uint32_t place = 0; place < Turns::bounds; ++place) pass_at(place).begin(progress_.bound + place);
}

void Portfolio::stop_bounds() {
    if (bounds_stopped_) return;
    bounds_stopped_ = true;
    experience_.because("more threads than can be searched exhaustively (" + std::to_string(ThreadSet::capacity) + ")");
    for (auto& pass : passes_) pass->leave();
}

bool Portfolio::is_sampled_enough() const { return executions() + dropped_ >= options_.samples; }

// ---- the sweep

// Half of the memory is for what was learned.
void Portfolio::begin_sweep_if_full() {
    if (sweep_ || is_full_ || bounds_stopped_ || progress_.finished ||
        experience_.used_bytes() <= options_.memory_limit / 2)
        return;
    const bool is_possible = !options_.max_bound && std::ranges::none_of(passes_, [](const auto& pass) {
        return pass->search().needs_order();
    });
    for (auto& pass : passes_) pass->forget();
    is_full_ = !is_possible;
    if (is_full_) return;
    experience_.close();
    sweep_ = std::make_unique<Sweep>(options_, experience_);
}

bool Portfolio::add_plan_of_sweep() {
    constexpr std::uint64_t most_graphs_a_turn = 1000;
    std::optional<Plan> plan = sweep_->next(next_id_, most_graphs_a_turn);
    if (!plan) return false;
    ++next_id_;
    queue_.push_back({std::move(*plan), Hash128{}, "sweep", nullptr, true});
    return true;
}

void Portfolio::settle_sweep() {
    if (!sweep_ || !sweep_->is_done()) return;
    progress_.finished = true;
    progress_.exhausted = experience_.reasons().empty();
}

// ---- the members

bool Portfolio::add_plan_of_member(std::size_t number) {
    constexpr int most_draws = 8;
    constexpr std::uint64_t most_steps = 200'000;
    std::uint64_t steps = 0;
    for (int draw = 0; draw < most_draws && steps < most_steps; ++draw) {
        std::optional<Proposal> proposal = members_[number]->propose();
        if (!proposal) return false;
        const Led led = carry_out(*proposal);
        const Track& track = drawn_.track();
        steps += track.size();
        const char* const name = member_rows()[number].name;
        // Beside a sweep, which goes through every graph itself, only graphs with bugs are worth memory.
        if (led == Led::to_graph && (!sweep_ || is_bug(verdict_of(drawn_.machine())))) {
            experience_.note_leaf(drawn_, spent_, name);
            if (add_confirmation()) return true;
        }
        if (led != Led::to_unknown || !plans_out_.are_apart_from(track)) continue;
        Plan plan = plan_of(drawn_.schedule());
        plan.tail = proposal->tail;
        plan.weights = std::move(proposal->weights);
        add(std::move(plan), track, track[track.size() - 1].past, name, nullptr);
        return true;
    }
    return false;
}

// Takes the steps of the proposal in memory, as a target would. Leaves the walk where it led.
Portfolio::Led Portfolio::carry_out(Proposal& proposal) {
    if (options_.max_bound)
        proposal.tail.most_preemptions = std::min(proposal.tail.most_preemptions, *options_.max_bound);
    Plan plan;
    plan.prefix = std::move(proposal.prefix);
    plan.weights = proposal.weights;
    plan.tail = proposal.tail;
    plan.max_steps = options_.max_steps;
    drawn_.track().pop_to(0);
    spent_ = 0;
    chooser_.begin(plan.view());
    for (;;) {
        const Choice choice = chooser_.next();
        if (choice.decision == Decision::end) return Led::to_graph;
        if (choice.decision != Decision::go) return Led::astray;
        const ThreadSlot last = drawn_.track().last_thread();
        if (leaves_focus(drawn_.machine(), last, choice.thread, choice.value)) return Led::astray;
        spent_ += drawn_.machine().cost(last, choice.thread, choice.value);
        if (spent_ > proposal.tail.most_preemptions || spent_ >= Machine::never) return Led::astray;
        const bool is_known = drawn_.step(choice.thread, choice.value);
        const TrackEvent& event = drawn_.track()[drawn_.track().size() - 1];
        if (!is_known) return given_up_.find(event.past) == HashIndex::none ? Led::to_unknown : Led::astray;
        chooser_.happened(choice.thread, event.outcome);
    }
}

bool Portfolio::has_listener(std::uint64_t number) const {
    return std::any_of(members_.begin(), members_.end(),
                       [number](const auto& member) { return member->listens_to(number); });
}

void Portfolio::tell_members(std::uint64_t number, const Schedule& schedule) {
    if (!drawn_.take(schedule)) return;
    for (const auto& member : members_)
        if (member->listens_to(number)) member->learned(drawn_.track());
}

// ---- executions

void Portfolio::learn(const Plan& plan, const Execution& execution) {
    Wanted wanted;
    if (const auto found = out_.find(plan.id); found != out_.end()) {
        wanted = std::move(found->second);
        out_.erase(found);
    }
    if (sweep_) {
        const bool is_new = experience_.note_unlearned(execution, wanted.found_by);
        if (!wanted.is_of_sweep) return;
        sweep_->learn(plan.id, execution, is_new);
        return settle_sweep();
    }
    const bool is_followed = is_single_ && wanted.pass != nullptr && wanted.pass->go_along(execution, wanted.found_by);
    if (!is_followed) experience_.learn(execution, wanted.found_by);
    for (auto& pass : passes_) pass->note_learned();
    if (experience_.has_too_many_threads()) stop_bounds();
    if (has_listener(plan.id)) told_[plan.id] = execution.schedule();
    // The execution did not supply its past: the program ended or was cut right there, so nothing ever will.
    if (wanted.awaited == Hash128{} || experience_.supplied(wanted.awaited, execution)) return;
    if (wanted.awaited == Knowledge::beginning) progress_.finished = true;
    given_up_.find_or_add(wanted.awaited, 0);
    for (auto& pass : passes_) pass->give_up_past(wanted.awaited);
}

Postponing::Answer Portfolio::postpone(const Plan& plan) {
    const auto found = out_.find(plan.id);
    if (found == out_.end() || found->second.awaited == Hash128{} || found->second.awaited == Knowledge::beginning)
        return Answer::waits;
    const Wanted wanted = std::move(found->second);
    out_.erase(found);
    if (wanted.pass == nullptr) {
        ++dropped_;
        return Answer::drops;
    }
    for (auto& pass : passes_) pass->postpone(wanted.awaited);
    postponed_.insert(plan.id);
    return Answer::keeps;
}

void Portfolio::give_back(const Plan& plan) {
    // Everything that was postponed is given back together. The bounded searches ask again for the pasts that are still
    // unknown.
    if (postponed_.erase(plan.id) > 0) {
        for (auto& pass : passes_) pass->resume();
        return;
    }
    const auto found = out_.find(plan.id);
    if (found == out_.end()) return;
    queue_.push_front(std::move(found->second));
    out_.erase(found);
}

bool Portfolio::finished() const {
    return is_over() && queue_.empty() && out_.empty() && experience_.to_confirm().empty();
}

Coverage Portfolio::coverage() const {
    Coverage coverage;
    experience_.report(coverage);
    coverage.in_flight = out_.size();
    coverage.frontier = queue_.size() + experience_.to_confirm().size();
    progress_.report(coverage);
    if (is_full_) coverage.incomplete_because.emplace_back(memory_used_up);
    if (sweep_) {
        coverage.graphs += sweep_->graphs();
        coverage.frontier += sweep_->frontier();
        coverage.is_sweeping = true;
    }
    return coverage;
}

// All but the pasts names events, which may have other names now: the new search finds nodes and graphs again in
// memory. The members go on, so that they draw further schedules and not the same ones again. Doubts end everything,
// because the knowledge may be wrong.
std::unique_ptr<Strategy> Portfolio::outgrown(const Growth& growth) {
    if (!experience_.reasons().empty() || drawn_.track().goes_by_value()) return nullptr;
    auto next = std::make_unique<Portfolio>(options_);
    next->experience_.outgrow(experience_, growth);
    next->members_ = std::move(members_);
    for (const auto& member : next->members_) member->outgrow();
    next->turns_ = turns_;
    next->next_id_ = next_id_;
    return next;
}

std::unique_ptr<Strategy> make_portfolio(const StrategyOptions& options) {
    return std::make_unique<Portfolio>(options);
}

}  // namespace raddle
