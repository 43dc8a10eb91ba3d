#include "supervisor/search/directed/candidate.h"

namespace raddle {

namespace {

void save_event(Writer& out, const EventReference& event) {
    out.number(event.thread.code);
    out.number(event.number);
}

std::uint32_t load_number(Reader& in) {
    return static_cast<std::uint32_t>(in.number_below(0xffffffffu, "the number of an event"));
}

EventReference load_event(Reader& in) {
    EventReference event;
    event.thread = {in.number()};
    event.number = load_number(in);
    return event;
}

}  // namespace

void save_candidate(Writer& out, const Candidate& candidate) {
    out.number(static_cast<std::uint64_t>(candidate.pattern));
    out.number(candidate.is_novel ? 1 : 0);
    out.number(candidate.key);
    save_event(out, candidate.through);
    out.number(candidate.stops.size());
    for (const Candidate::Stop& stop : candidate.stops) {
        save_event(out, stop.before);
        out.number(stop.first);
    }
}

Candidate load_candidate(Reader& in) {
    Candidate candidate;
    candidate.pattern = static_cast<BugPattern>(in.number_below(bug_pattern_count, "a pattern of bugs"));
    candidate.is_novel = in.number_below(2, "whether a candidate is novel") != 0;
    candidate.key = in.number();
    candidate.through = load_event(in);
    const std::uint64_t stops = in.number_below(Candidate::most_stops + 1, "the stops of a candidate");
    for (std::uint64_t i = 0; i < stops; ++i) {
        const EventReference before = load_event(in);
        candidate.stop(before, load_number(in));
    }
    return candidate;
}

}  // namespace raddle
