#include "supervisor/search/saved_parts.h"

namespace raddle {

void save_graphs(Writer& out, const Graphs& graphs) {
    out.number(graphs.size());
    for (const Hash128& graph : graphs) {
        out.fixed64(graph.low);
        out.fixed64(graph.high);
    }
}

Graphs load_graphs(Reader& in, const char* what) {
    Graphs graphs;
    for (std::size_t left = in.count(what); left > 0; --left) {
        const std::uint64_t low = in.fixed64();
        graphs.insert({low, in.fixed64()});
    }
    return graphs;
}

void save_schedule(Writer& out, const Schedule& schedule) {
    out.number(schedule.size());
    for (const Step& step : schedule) {
        out.number(step.thread.code);
        out.number(step.value);
    }
}

Schedule load_schedule(Reader& in) {
    Schedule schedule(in.count("length of a schedule"));
    for (Step& step : schedule) {
        step.thread = {in.number()};
        step.value = static_cast<std::uint32_t>(in.number_below(1ULL << 32, "number of an alternative"));
    }
    return schedule;
}

void save_findings(Writer& out, const std::vector<Finding>& findings) {
    out.number(findings.size());
    for (const Finding& finding : findings) {
        out.text(name_of(finding.verdict));
        out.number(finding.preemptions);
        save_schedule(out, finding.schedule);
        out.text(finding.message);
    }
}

std::vector<Finding> load_findings(Reader& in) {
    std::vector<Finding> findings(in.count("number of findings"));
    for (Finding& finding : findings) {
        finding.verdict = parse_verdict(in.text());
        finding.preemptions = static_cast<std::uint32_t>(in.number_below(1ULL << 32, "number of preemptions"));
        finding.schedule = load_schedule(in);
        finding.message = in.text();
    }
    return findings;
}

}  // namespace raddle
