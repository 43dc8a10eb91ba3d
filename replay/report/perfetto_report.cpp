#include "replay/report/perfetto_report.h"

#include <map>
#include <nlohmann/json.hpp>

#include "replay/schedule/bug_directory.h"

namespace raddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr int step_time = 10;  // microseconds from one step to the next
constexpr int step_length = 8;

class Trace {
public:
    void add(const Bug& bug, const Explanation& explanation) {
        const std::string name = directory_name_of(bug);
        begin_process((bug.is_unstable() ? "unstable, " : "") + (name.empty() ? name_of(bug.found.verdict) : name) +
                      ": " + explanation.sentence);
        add_threads(explanation.taken, explanation);
        add_waits(explanation);
        add_locks(explanation);
        add_orders(explanation);
        if (explanation.passing.empty()) return;
        begin_process((name.empty() ? "" : name + ": ") + "the nearest execution that passes");
        add_threads(explanation.passing, explanation);
    }

    std::string written() {
        const Json trace = {{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events_)}};
        return trace.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }

private:
    Json event(const char* phase, std::size_t track, const std::string& name) const {
        return {{"ph", phase}, {"pid", process_}, {"tid", track}, {"name", name}};
    }
    void begin_process(const std::string& name) {
        ++process_;
        tracks_.clear();
        tell("process_name", 0, {{"name", name}});
        tell("process_sort_index", 0, {{"sort_index", process_}});
    }
    void tell(const char* what, std::size_t track, Json arguments) {
        Json one = event("M", track, what);
        one["args"] = std::move(arguments);
        events_.push_back(std::move(one));
    }
    void name_track(std::size_t track, const std::string& name) {
        tell("thread_name", track, {{"name", name}});
        tell("thread_sort_index", track, {{"sort_index", track}});
    }
    static std::int64_t time_of(std::size_t step) { return static_cast<std::int64_t>(step) * step_time; }

    void slice(std::size_t track, const std::string& name, std::int64_t begin, std::int64_t length,
               const char* category, Json arguments = Json::object()) {
        Json one = event("X", track, name);
        one["cat"] = category;
        one["ts"] = begin;
        one["dur"] = length;
        if (!arguments.empty()) one["args"] = std::move(arguments);
        events_.push_back(std::move(one));
    }

    std::size_t track_of(ThreadId thread, const Explanation& explanation) {
        const auto [track, is_new] = tracks_.try_emplace(thread.code, tracks_.size() + 1);
        if (is_new) {
            std::string name = name_of(thread);
            for (const ExplainedThread& one : explanation.threads)
                if (one.id == thread && !one.function.empty()) name += " " + one.function;
            name_track(track->second, name);
        }
        return track->second;
    }

    void add_threads(const std::vector<TakenStep>& steps, const Explanation& explanation) {
        for (const ExplainedThread& thread : explanation.threads) track_of(thread.id, explanation);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            Json arguments = {{"step", i + 1}};
            if (!steps[i].location.empty()) arguments["place"] = steps[i].location;
            if (steps[i].decisive) arguments["decisive"] = true;
            slice(track_of(steps[i].thread, explanation), steps[i].text, time_of(i), step_length,
                  steps[i].decisive ? "step,decisive" : "step", std::move(arguments));
        }
    }

    void add_waits(const Explanation& explanation) {
        std::vector<const ExplainedStep*> steps;
        for (const ExplainedStep& step : explanation.steps) steps.push_back(&step);
        if (explanation.end) steps.push_back(&*explanation.end);
        for (const ExplainedStep* step : steps)
            if (step->pending)
                slice(track_of(step->thread, explanation), step->text, time_of(explanation.all_steps), 3 * step_time,
                      "wait", {{"place", step->location}});
    }

    // Slices of one track must nest, and locks need not: each lock gets a track.
    void add_locks(const Explanation& explanation) {
        std::map<std::pair<std::uint64_t, std::string>, std::size_t> tracks;
        const std::size_t first = tracks_.size() + 1;
        for (const HeldLock& lock : explanation.held) {
            const auto [track, is_new] = tracks.try_emplace({lock.thread.code, lock.name}, first + tracks.size());
            if (is_new) name_track(track->second, name_of(lock.thread) + " holds " + lock.name);
            const std::int64_t begin = time_of(lock.from);
            const std::int64_t end =
                lock.to ? time_of(*lock.to) + step_length : time_of(explanation.all_steps) + 3 * step_time;
            Json arguments = {{"from_step", lock.from + 1}, {"to_step", lock.to ? Json(*lock.to + 1) : Json()}};
            slice(track->second, lock.name + (lock.shared ? " (shared)" : ""), begin, end - begin, "lock",
                  std::move(arguments));
        }
    }

    void add_orders(const Explanation& explanation) {
        for (const Order& order : explanation.orders) {
            if (order.before >= explanation.taken.size() || order.after >= explanation.taken.size()) continue;
            ++flow_;
            add_flow("s", order.before, explanation);
            add_flow("f", order.after, explanation);
        }
    }
    void add_flow(const char* phase, std::size_t step, const Explanation& explanation) {
        Json one = event(phase, track_of(explanation.taken[step].thread, explanation), "happens before");
        one["cat"] = "order";
        one["id"] = flow_;
        one["ts"] = time_of(step) + step_length / 2;
        if (*phase == 'f') one["bp"] = "e";  // binds to the enclosing slice
        events_.push_back(std::move(one));
    }

    Json events_ = Json::array();
    int process_ = 0;
    std::uint64_t flow_ = 0;
    std::map<std::uint64_t, std::size_t> tracks_;  // by thread
};

}  // namespace

std::string perfetto_of(const CampaignReport& report) {
    Trace trace;
    for (const std::vector<Bug>* bugs : {&report.bugs, &report.unstable, &report.diverged})
        for (const Bug& bug : *bugs)
            if (const Explanation* explanation = bug.explanation()) trace.add(bug, *explanation);
    return trace.written();
}

}  // namespace raddle
