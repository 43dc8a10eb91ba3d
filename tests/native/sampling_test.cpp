// Random schedules and a complete search see the same program: wherever the search claims every schedule, no random
// schedule ends in a way that it did not see. Signal handlers run at moments that only the shim knows, so they are
// tested most.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/command_line.h"
#include "tests/native/outcome.h"
#include "tests/sources.h"

namespace raddle::testing {
namespace {

bool nightly() { return std::getenv("RADDLE_NIGHTLY") != nullptr; }

nlohmann::json run(const std::string& binary, const std::vector<std::string>& options) {
    std::vector<std::string> words = {"run", "--json", "--quiet", "-k", "--outcomes"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", binary});
    return nlohmann::json::parse(raddle(words).out, nullptr, false);
}

// Every kind of ending, with the exit status and the standard output.
std::set<std::string> endings_in(const nlohmann::json& result) {
    std::set<std::string> all;
    for (const nlohmann::json& outcome : result["outcomes"])
        all.insert(outcome["kind"].get<std::string>() + " " + outcome["exit_status"].dump() + ": " +
                   outcome["stdout"].get<std::string>());
    return all;
}

void compare(const std::string& binary) {
    SCOPED_TRACE(binary);
    const nlohmann::json searched = run(binary, {"--bound", "none", "--max-execs", nightly() ? "20000" : "1000"});
    if (searched.is_discarded() || !claims_every_schedule(searched)) return;
    const nlohmann::json sampled = run(binary, {"--strategy", "random", "--samples", nightly() ? "2000" : "200"});
    if (sampled.is_discarded()) return;
    const std::set<std::string> known = endings_in(searched);
    for (const std::string& ending : endings_in(sampled))
        EXPECT_TRUE(known.contains(ending))
            << "a random schedule ends like this, and the search did not see it: " << ending;
}

bool has_handlers(const std::string& source) {
    return source.find("sigaction") != std::string::npos || source.find("signal(") != std::string::npos;
}

void compare_all(const std::string& sources, const std::string& binaries) {
    for (const std::string& program : programs_in(sources))
        if (nightly() || has_handlers(source_of(sources + program))) compare(binaries + program);
}

TEST(Sampling, SeesNoEndingOfASampleThatTheSearchMisses) {
    for (const std::string& name : samples_in({"assert", "crash", "deadlock", "exit", "livelock", "ok"}))
        if (nightly() || has_handlers(source_of("samples/" + name))) compare(sample(name));
}

TEST(Sampling, SeesNoEndingOfAConformanceProgramThatTheSearchMisses) {
    compare_all("tests/conformance/programs/", RADDLE_BUILD_DIR "/conformance/");
}

TEST(Sampling, SeesNoEndingOfAProgramWithClaimsThatTheSearchMisses) {
    compare_all("tests/claims/programs/", RADDLE_BUILD_DIR "/claims/");
}

}  // namespace
}  // namespace raddle::testing
