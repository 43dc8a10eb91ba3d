// Each outcome of a native run with random delays is among those that raddle explored, wherever raddle claims that it
// explored every schedule.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/command_line.h"
#include "tests/native/delayed_run.h"
#include "tests/native/outcome.h"
#include "tests/sources.h"

namespace raddle::testing {
namespace {

bool nightly() { return std::getenv("RADDLE_NIGHTLY") != nullptr; }

// RADDLE_NATIVE_RUNS=N replaces the number.
int native_runs() {
    const char* const wanted = std::getenv("RADDLE_NATIVE_RUNS");
    if (wanted != nullptr) return std::atoi(wanted);
    return nightly() ? 300 : 2;
}

// Folders of programs in the repository, and of their binaries in the build.
struct Collection {
    const char* name;
    std::string sources, binaries;
    std::vector<std::string> options;
    bool in_every_run = true;  // false: nightly only
};

const Collection kCollections[] = {
    {"samples", "samples/", "/samples/", {}},
    {"claims", "tests/claims/programs/", "/claims/", {}},
    {"memory_O0", "tests/memory/programs/", "/memory/O0/", {"--memory", "races", "--races", "explore"}, false},
    {"memory_O2", "tests/memory/programs/", "/memory/O2/", {"--memory", "races", "--races", "explore"}, false},
    {"planted", "tests/conformance/planted/", "/conformance/planted/", {}, false},
    {"conformance", "tests/conformance/programs/", "/conformance/", {}, false},
};

std::vector<std::string> programs_of(const Collection& collection) {
    if (collection.name != std::string("samples")) return programs_in(collection.sources);
    return samples_in({"assert", "crash", "deadlock", "exit", "livelock", "misuse", "ok", "race"});
}

std::vector<std::string> options_for(const Collection& collection, const std::string& program) {
    return collection.name == std::string("samples") ? options_of_sample(program) : collection.options;
}

// A line `// native: REASON` says why native runs end otherwise. A program that claims something only within a bound
// has no end of schedules.
bool is_compared(const Collection& collection, const std::string& program) {
    const std::string source = source_of(collection.sources + program);
    return source.find("// native: ") == std::string::npos && source.find(": bounded ") == std::string::npos;
}

// The program ran natively `runs` times; each outcome must be one of those explored. One difference is enough for a
// program; the others are compared all the same.
void compare(const Collection& collection, const std::string& program, int runs) {
    const std::string binary = RADDLE_BUILD_DIR + collection.binaries + program;
    const std::string most = nightly() ? "5000" : "2000";
    std::vector<std::string> words = {"run", "--json", "--quiet", "-k", "--outcomes", "--bound", "none"};
    words.insert(words.end(), {"--exec-timeout", "3", "--max-execs", most});
    for (const std::string& option : options_for(collection, program)) words.push_back(option);
    words.insert(words.end(), {"--", binary});
    const Ended ended = raddle(words);
    const nlohmann::json result = nlohmann::json::parse(ended.out, nullptr, false);
    if (result.is_discarded() || !claims_every_schedule(result)) return;
    const ExploredOutcomes explored = explored_outcomes(result);
    if (explored.anything_goes) return;
    for (int seed = 1; seed <= runs; ++seed) {
        const PrivateDirectory place;
        const auto native = run_delayed({binary}, place.path(), static_cast<std::uint64_t>(seed));
        if (!native) continue;  // it shows nothing
        if (explored.all.contains(outcome_of(*native))) continue;
        ADD_FAILURE() << program << " can end like this, but raddle explored every schedule and did not see it: "
                      << outcome_of(*native) << "\n"
                      << result["outcomes"].dump(1);
        return;
    }
}

// The programs of one test: a single one, so that no test is long, or a whole collection that runs nightly.
struct Case {
    const Collection* collection;
    std::string name;
    std::vector<std::string> programs;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const Collection& collection : kCollections) {
        const std::vector<std::string> programs = programs_of(collection);
        if (!collection.in_every_run) {
            all.push_back({&collection, collection.name, programs});
            continue;
        }
        for (const std::string& program : programs)
            all.push_back({&collection, std::string(collection.name) + "_" + test_name_of(program), {program}});
    }
    return all;
}

class Native : public ::testing::TestWithParam<Case> {};

TEST_P(Native, OutcomesWereExplored) {
    const Collection& collection = *GetParam().collection;
    if (!collection.in_every_run && !nightly()) GTEST_SKIP() << "nightly";
    for (const std::string& program : GetParam().programs)
        if (is_compared(collection, program)) compare(collection, program, native_runs());
}

INSTANTIATE_TEST_SUITE_P(Programs, Native, ::testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace raddle::testing
