#include "supervisor/engine/program/unwatched_code.h"

#include "supervisor/process/process_target.h"

namespace raddle {

std::string count_unwatched_code(const ProcessOptions& process, const Schedule& schedule) {
    if (!process.code) return {};
    ProcessOptions options = process;
    options.count_unwatched = true;
    options.restore = Restore::never;
    options.check_every = 0;
    options.output = options.errors = Output::discard;
    try {
        ProcessTarget target(options);
        // The schedule may belong to an earlier visible set. Then an execution without preemptions stands for it.
        for (const Schedule& prefix : {schedule, Schedule()}) {
            Plan plan;
            plan.prefix = prefix;
            plan.epoch = options.code->epoch();
            if (std::string text = target.run(plan).not_looked_at; !text.empty()) return text;
        }
    } catch (const CannotRun&) {}
    return {};
}

}  // namespace raddle
