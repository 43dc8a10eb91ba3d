#include "tests/differential/comparison.h"

#include <algorithm>
#include <climits>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

namespace raddle::differential {

namespace {

std::string lines_of(const std::set<std::string>& all) {
    std::string text;
    for (const std::string& one : all) text += "    " + one + "\n";
    return text;
}

std::string outcome_of(const nlohmann::json& outcome) {
    std::string text = outcome["kind"].get<std::string>();
    if (text == "exit_status") text += " " + std::to_string(outcome["exit_status"].get<int>());
    const std::string out = outcome["stdout"].get<std::string>();
    return out.empty() ? text : text + ": " + out;
}

}  // namespace

// Bugs of one kind: raddle shows one with the fewest preemptions of all outcomes of that kind, if it says so, and none
// with fewer.
std::string wrong_fewest(const Outcomes& outcomes, const nlohmann::json& result) {
    struct Shown {
        int fewest = INT_MAX;
        bool proven = true;
    };
    std::map<std::string, Shown> kinds;
    for (const nlohmann::json& bug : result["bugs"]) {
        Shown& shown = kinds[bug["kind"].get<std::string>()];
        shown.fewest = std::min(shown.fewest, bug["preemptions"].get<int>());
        shown.proven = shown.proven && bug["fewest_preemptions_proven"].get<bool>();
    }
    std::string text;
    for (const auto& [kind, shown] : kinds) {
        int fewest = INT_MAX;
        for (const auto& [outcome, preemptions] : outcomes)
            if (outcome.starts_with(kind)) fewest = std::min(fewest, preemptions);
        if (fewest == INT_MAX || fewest == unknown_preemptions || shown.fewest == fewest ||
            (shown.fewest > fewest && !shown.proven))
            continue;
        text += "raddle shows a bug with another number of preemptions\n" + kind + ": " + std::to_string(shown.fewest) +
                ", expected " + std::to_string(fewest) + "\n";
    }
    return text;
}

// An outcome is an end of the program as its user sees it, so none of these options may change the set.
const std::vector<Way>& ways_to_run() {
    static const std::vector<Way> ways = {
        {"optimal", {"-s", "optimal"}},
        {"portfolio", {"-s", "portfolio"}},
        {"portfolio, two jobs", {"-s", "portfolio", "-j", "2"}},
        {"bounded", {"-s", "bounded"}},
        {"bounded, no preemption", {"-s", "bounded", "--bound", "0"}, 0},
        {"source", {"-s", "source"}},
        {"races", {"--memory", "races"}},
        {"the level that raddle chooses", {"--memory", "auto"}},
        {"values", {"-s", "bounded", "--independence", "values"}},
        {"dpor", {"-s", "dpor"}},
        {"two jobs", {"-s", "optimal", "-j", "2"}},
        {"bounded, one preemption", {"-s", "bounded", "--bound", "1"}, 1},
        {"kernel threads", {"-s", "optimal", "--threads", "kernel"}},
        {"cb-por", {"-s", "cb-por"}},
        {"restart by fork", {"-s", "optimal", "--restart", "fork"}},
        {"plain", {"-s", "optimal", "--independence", "plain"}},
        {"cb-por, one preemption", {"-s", "cb-por", "--bound", "1"}, 1},
        {"restart by exec", {"-s", "optimal", "--restart", "exec"}},
        {"bounded, two jobs", {"-s", "bounded", "-j", "2"}},
        {"restore", {"-s", "bounded", "--restart", "restore"}},
        {"calls only", {"-s", "optimal", "--memory", "sync"}, -1, Level::calls},
        {"bounded, two preemptions", {"-s", "bounded", "--bound", "2"}, 2},
        {"values, one preemption", {"-s", "bounded", "--independence", "values", "--bound", "1"}, 1},
        {"bounded, calls only", {"-s", "bounded", "--memory", "sync"}, -1, Level::calls},
        {"kernel threads, two jobs", {"-s", "bounded", "--threads", "kernel", "-j", "2"}},
        {"cb-por, two preemptions", {"-s", "cb-por", "--bound", "2"}, 2},
    };
    return ways;
}

Executable::Executable(const std::vector<Program>& programs) : path_(directory_ / "programs") {
    std::ofstream(directory_ / "programs.c") << c_text(programs);
    const testing::Ended compiler = testing::execute(
        {"cc", "-w", "-O1", "-pthread", "-fno-builtin", directory_ / "programs.c", "-o", path_, "-latomic"});
    if (compiler.status != 0) throw std::runtime_error("the programs cannot be compiled:\n" + compiler.errors);
}

std::string difference(const Outcomes& outcomes, const Executable& executable, std::size_t index, const Way& way) {
    std::vector<std::string> words = {"run",        "--json",        "--quiet",     "-k",    "--no-store",
                                      "--outcomes", "--no-minimize", "--max-execs", "100000"};
    if (way.level == Level::accesses) words.insert(words.end(), {"--races", "explore"});
    if (std::ranges::count(way.options, "--memory") == 0) words.insert(words.end(), {"--memory", "all"});
    // In the interpreter any wait may run out early.
    words.insert(words.end(), {"--patience", "none"});
    if (std::ranges::count(way.options, "-j") == 0) words.insert(words.end(), {"-j", "1"});
    if (way.bound < 0) words.insert(words.end(), {"--bound", "none"});
    words.insert(words.end(), way.options.begin(), way.options.end());
    words.insert(words.end(), {"--", executable.path(), std::to_string(index)});
    const testing::Ended ended = testing::raddle(words);
    // Calls may not be all that the threads meet by. Only exit status 0 says that they are. A value that a thread hands
    // to a call may follow from memory; the search then stops, and says so.
    // A few programs have more schedules than raddle is given time for here.
    const bool is_too_large = ended.out.find("the budget of executions ended") != std::string::npos;
    const bool claims_all = !is_too_large && (way.level == Level::accesses || ended.status == 0);
    const bool names_memory =
        ended.status == 4 && ended.out.find("no call orders the accesses to memory") != std::string::npos;
    if (ended.status != 0 && ended.status != 1 && (claims_all || (ended.status != 3 && !names_memory)))
        return "raddle ends with " + std::to_string(ended.status) + ":\n" + ended.errors + ended.out.substr(0, 1500) +
               "\n";
    const nlohmann::json result = testing::json_of(ended);

    std::set<std::string> expected, found;
    for (const auto& [outcome, preemptions] : outcomes) {
        if (way.bound < 0 || preemptions <= way.bound) expected.insert(outcome);
    }
    for (const nlohmann::json& outcome : result["outcomes"]) found.insert(outcome_of(outcome));
    std::string text;
    text += wrong_fewest(outcomes, result);
    if (way.bound < 0 && claims_all && result["exhausted"] != true)
        text += "raddle does not claim that it explored everything\n";
    const bool misses = claims_all && !std::ranges::includes(found, expected);
    if (misses || !std::ranges::includes(expected, found))
        text += std::string(misses ? "raddle misses outcomes" : "raddle finds outcomes that cannot be") +
                "\nexpected:\n" + lines_of(expected) + "found:\n" + lines_of(found);
    return text;
}

namespace {

void add_smaller(const Program& program, std::vector<Statement>& (*of)(Program&, std::size_t), std::size_t which,
                 std::vector<Program>& all) {
    Program copy = program;
    const std::size_t length = of(copy, which).size();
    for (std::size_t count : {length, std::size_t{2}, std::size_t{1}}) {
        for (std::size_t at = 0; count > 0 && at + count <= length; ++at) {
            Program less = program;
            std::vector<Statement>& statements = of(less, which);
            const auto from = statements.begin() + static_cast<std::ptrdiff_t>(at);
            statements.erase(from, from + static_cast<std::ptrdiff_t>(count));
            all.push_back(std::move(less));
        }
    }
    for (std::size_t at = 0; at < length; ++at) {
        if (of(copy, which)[at].guard.when == Guard::When::always) continue;
        Program less = program;
        of(less, which)[at].guard = {};
        all.push_back(std::move(less));
    }
}

// All programs that lack one or two statements, all of a thread or handler, or a guard.
std::vector<Program> smaller(const Program& program) {
    std::vector<Program> all;
    for (std::size_t thread = 0; thread < program.threads.size(); ++thread)
        add_smaller(
            program, [](Program& it, std::size_t i) -> std::vector<Statement>& { return it.threads[i]; }, thread, all);
    for (std::size_t signal = 0; signal < program.handlers.size(); ++signal)
        add_smaller(
            program, [](Program& it, std::size_t i) -> std::vector<Statement>& { return it.handlers[i]; }, signal, all);
    return all;
}

std::string first_line_of(const std::string& text) { return text.substr(0, text.find('\n')); }

std::optional<Program> first_that_differs(const std::vector<Program>& candidates, const Way& way,
                                          const std::string& kind) {
    std::vector<Program> programs;
    std::vector<Outcomes> outcomes;
    for (const Program& candidate : candidates) {
        const auto known = every_outcome(candidate, way.level);
        if (!known) continue;
        programs.push_back(candidate);
        outcomes.push_back(*known);
    }
    if (programs.empty()) return std::nullopt;
    const Executable executable(programs);
    for (std::size_t i = 0; i < programs.size(); ++i)
        if (first_line_of(difference(outcomes[i], executable, i, way)) == kind) return programs[i];
    return std::nullopt;
}

}  // namespace

Program shrunk(Program program, const Way& way, const std::string& text) {
    const std::string kind = first_line_of(text);
    while (auto less = first_that_differs(smaller(program), way, kind)) program = std::move(*less);
    return program;
}

}  // namespace raddle::differential
