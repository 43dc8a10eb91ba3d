// Bad input: one line on stderr that names the expected input, nothing on stdout, and exit status 2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "supervisor/campaign/campaign.h"
#include "supervisor/engine/settings/settings.h"
#include "supervisor/search/strategy.h"
#include "tests/command_line.h"
#include "tests/model_program.h"
#include "tests/programs.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Bad {
    std::vector<std::string> words;
    std::string says;
};

void PrintTo(const Bad& bad, std::ostream* out) {
    for (const std::string& word : bad.words) *out << word << " ";
}

class Usage : public ::testing::TestWithParam<Bad> {};

TEST_P(Usage, IsOneLineThatSaysWhatWasExpected) {
    const Ended outcome = raddle(GetParam().words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_EQ(lines_in(outcome.errors), 1u) << outcome.errors;
    EXPECT_THAT(outcome.errors, HasSubstr(GetParam().says));
    EXPECT_THAT(outcome.errors, HasSubstr("raddle"));
}

INSTANTIATE_TEST_SUITE_P(
    All, Usage,
    ::testing::Values(
        Bad{{}, "a command is missing"}, Bad{{"dokter"}, "there is no command 'dokter'; did you mean doctor?"},
        Bad{{"help", "nothing"}, "there is no command 'nothing'"},
        Bad{{"run"}, "expected raddle run [options] -- prog [args]"}, Bad{{"run", "--"}, "the program is missing"},
        Bad{{"run", "./prog"}, "put -- before the program './prog'"},
        Bad{{"run", "word", "--", "true"}, "'word' is no option"},
        Bad{{"run", "--", ""}, "the name of the program is empty"},
        Bad{{"run", "--frobnicate", "--", "true"}, "there is no option --frobnicate"},
        Bad{{"run", "--max-exec", "3", "--", "true"}, "did you mean --max-execs?"},
        Bad{{"run", "-Z", "--", "true"}, "there is no option -Z"},
        Bad{{"run", "--max-execs", "--", "true"}, "expected a whole number, 1 or more"},
        Bad{{"run", "--max-execs", "0", "--", "true"}, "found '0'"},
        Bad{{"run", "--max-execs", "x", "--", "true"}, "found 'x'"},
        Bad{{"run", "--max-execs=99999999999999999999", "--", "true"}, "expected a whole number"},
        Bad{{"run", "--max-time", "5x", "--", "true"}, "such as 500ms, 30s, 5m or 2h"},
        Bad{{"run", "--max-time", "0s", "--", "true"}, "expected a duration above 0"},
        Bad{{"run", "--exec-timeout", "99999999d", "--", "true"}, "expected a duration"},
        Bad{{"run", "--bound", "-1", "--", "true"}, "expected a number of preemptions, or none"},
        Bad{{"run", "--strategy", "best", "--", "true"}, "see raddle strategies"},
        Bad{{"run", "--strategy", "dfs", "--bound", "2", "--", "true"},
            "--bound is for the strategies portfolio, bounded"},
        Bad{{"run", "--strategy", "dpor", "--patience", "1s", "--", "true"},
            "--patience is for the strategies portfolio, bounded"},
        Bad{{"run", "--patience", "long", "--", "true"}, "such as 500ms, 30s, 5m or 2h"},
        Bad{{"run", "--independence", "values", "--memory", "sync", "--", "true"},
            "give --memory races or all with it"},
        Bad{{"run", "--independence", "values", "--memory", "atomics", "--", "true"},
            "give --memory races or all with it"},
        Bad{{"run", "--independence", "values", "--memory", "races", "--strategy", "optimal", "--", "true"},
            "--independence values is for the strategies portfolio, bounded and cartesian"},
        Bad{{"run", "--samples", "5", "--", "true"}, "--samples is for the strategies random"},
        Bad{{"run", "-j", "0", "--", "true"}, "from 1 to 256"},
        Bad{{"run", "--json=yes", "--", "true"}, "takes no value"},
        Bad{{"run", "--fork-at", "here", "--", "true"}, "expected auto, start or exec"},
        Bad{{"run", "--env", "A", "--", "true"}, "expected NAME=VALUE"},
        Bad{{"run", "--stdin", "/there/is/none", "--", "true"}, "cannot be read"},
        Bad{{"run", "--chdir", "/there/is/none", "--", "true"}, "is no directory"},
        Bad{{"run", "--schedule", "T0 nonsense", "--", "true"}, "expected the name of a thread"},
        Bad{{"run", "--schedule", "@/there/is/none", "--", "true"}, "cannot be read"},
        Bad{{"run", "--schedule", "T0", "--bound", "1", "--", "true"}, "--bound does not go with it"},
        Bad{{"run", "--json", "--output", "inherit", "--", "true"}, "choose one"},
        Bad{{"run", "-q", "-v", "--", "true"}, "exclude each other"}, Bad{{"doctor"}, "expected raddle doctor"},
        Bad{{"completion"}, "expected a shell, bash, zsh or fish"}, Bad{{"completion", "tcsh"}, "found 'tcsh'"},
        Bad{{"test"}, "the program is missing; expected raddle test [options] -- prog [args] | --ctest DIR"},
        Bad{{"test", "--ctest", "build", "--", "true"}, "--ctest does not go with a program"},
        Bad{{"test", "--shard", "6/5", "--", "true"}, "expected a part of all tests, such as 2/5"},
        Bad{{"test", "--", "/bin/true"}, "/bin/true lists no tests as CTest"},
        Bad{{"version", "now"}, "'now' is too much"}, Bad{{"man", "--", "true"}, "there is no program to be given"}));

TEST(Programs, ThatAreNotThereGive127) {
    for (const char* command : {"run", "doctor"})
        for (const char* program : {"/there/is/none", "there-is-no-such-program"}) {
            const Ended outcome = raddle({command, "--", program});
            EXPECT_EQ(outcome.status, 127);
            EXPECT_EQ(lines_in(outcome.errors), 1u) << outcome.errors;
        }
}

TEST(Programs, ThatCannotBeExecutedGive126) {
    EXPECT_EQ(raddle({"run", "--", "/etc/passwd"}).status, 126);
    EXPECT_EQ(raddle({"doctor", "--", "/"}).status, 126);
    EXPECT_THAT(raddle({"run", "--", "/"}).errors, HasSubstr("/: is a directory; "));
    const PrivateDirectory place;
    execute({"sh", "-c", ": > '" + place / "empty" + "'; chmod +x '" + place / "empty" + "'"});
    if (!child_tells_what_failed) return;
    const Ended empty = raddle({"run", "--", place / "empty"});
    EXPECT_EQ(empty.status, 126);
    EXPECT_THAT(empty.errors, HasSubstr("not an executable of this system"));
}

// ---- output that cannot be written

TEST(Output, ThatCannotBeWrittenIsSaidWhateverTheResult) {
    const std::string run =
        "'" + std::string(RADDLE_BUILD_DIR) + "/bin/raddle' run --no-store -q -- '" + sample("deadlock/abba") + "'";
    const Ended full = execute({"sh", "-c", run + " > /dev/full"});
    EXPECT_EQ(full.status, 1);
    EXPECT_EQ(full.errors, "raddle: standard output cannot be written\n");
}

// ---- the table of options and strategies

std::uint64_t graphs_with(const std::string& strategy, const StrategyOptions& options) {
    Campaign campaign([] { return std::make_unique<ModelProgram>(locks(2, 2)); }, make_strategy(strategy, options), {});
    return campaign.run({}).coverage.graphs;
}

TEST(StrategyTraits, SayWhichStrategiesHaveABound) {
    StrategyOptions without_preemptions;
    without_preemptions.max_bound = 0;
    for (const StrategyRow& row : strategy_rows()) {
        const bool bounded = find_setting("bound", command::run)->is_for(row.name);
        EXPECT_EQ(graphs_with(row.name, without_preemptions), bounded ? 2u : 6u) << row.name;  // locks(2,2): 2 4 6
    }
}

TEST(StrategyTraits, SayWhichStrategiesSample) {
    StrategyOptions one;
    one.samples = 1;
    for (const StrategyRow& row : strategy_rows()) {
        const bool samples = find_setting("samples", command::run)->is_for(row.name);
        EXPECT_EQ(graphs_with(row.name, one), samples ? 1u : 6u) << row.name;
    }
}

}  // namespace
}  // namespace raddle::testing
