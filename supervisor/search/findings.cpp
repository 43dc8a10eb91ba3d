#include "supervisor/search/findings.h"

#include "supervisor/search/search_totals.h"

namespace raddle {

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
