#include "supervisor/engine/program/verdict_rules.h"

namespace raddle {

VerdictRules verdict_rules_of(const Settings& settings) {
    VerdictRules rules;
    for (const std::string& what : settings.all("fail-on")) {
        const std::string errors = "stderr=";
        if (what == "stdout-differs") rules.same_output = true;
        if (const std::string file = "file-differs="; what.starts_with(file))
            rules.same_files.push_back(what.substr(file.size()));
        if (!what.starts_with(errors)) continue;
        rules.reads_errors = true;
        rules.expectations.forbid_in_errors(what.substr(errors.size()));
    }
    for (const std::string& status : settings.all("expect-exit"))
        status == "any" ? rules.expectations.accept_every_exit_status()
                        : rules.expectations.accept_exit_status(static_cast<std::int64_t>(count_of(status)));
    return rules;
}

bool judges_more_than_the_model(const Settings& settings) {
    return settings.given("outcomes") || settings.given("expect-exit") || settings.given("fail-on");
}

}  // namespace raddle
