#include "supervisor/engine/program/judgement.h"

namespace raddle {

Judgement judgement_of(const Settings& settings) {
    Judgement judgement;
    for (const std::string& what : settings.all("fail-on")) {
        const std::string errors = "stderr=";
        if (what == "stdout-differs") judgement.same_output = true;
        if (!what.starts_with(errors)) continue;
        judgement.reads_errors = true;
        judgement.expectations.forbid_in_errors(what.substr(errors.size()));
    }
    for (const std::string& status : settings.all("expect-exit"))
        status == "any" ? judgement.expectations.accept_every_exit_status()
                        : judgement.expectations.accept_exit_status(static_cast<std::int64_t>(count_of(status)));
    return judgement;
}

}  // namespace raddle
