#include "tests/native/outcome.h"

#include <sys/wait.h>

#include <csignal>

namespace raddle::testing {

namespace {

std::string exit_outcome(int status, const std::string& out) { return "exit " + std::to_string(status) + ": " + out; }

}  // namespace

std::string outcome_of(const NativeRun& run) {
    if (WIFEXITED(run.status)) return exit_outcome(WEXITSTATUS(run.status), run.out);
    return WTERMSIG(run.status) == SIGABRT ? "abort" : "crash";
}

ExploredOutcomes explored_outcomes(const nlohmann::json& result) {
    ExploredOutcomes explored;
    for (const nlohmann::json& outcome : result["outcomes"]) {
        const std::string kind = outcome["kind"];
        if (kind == "misuse") explored.anything_goes = true;
        if (kind == "assertion") explored.all.insert("abort");
        if (kind == "crash") explored.all.insert("crash");
        if (kind == "ok" || kind == "exit_status")
            explored.all.insert(exit_outcome(outcome["exit_status"].get<int>(), outcome["stdout"]));
    }
    return explored;
}

bool claims_every_schedule(const nlohmann::json& result) {
    return result["exhausted"] == true && (result["verdict"] == "ok" || result["verdict"] == "bug");
}

}  // namespace raddle::testing
