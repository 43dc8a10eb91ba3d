// Records of strangers: raddle executes nothing that they name before the user says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "supervisor/engine/trust/remembered.h"
#include "supervisor/engine/trust/trust.h"
#include "tests/cli/place.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A campaign with a bug in c, made by somebody else: its setup leaves the file "ran". This user knows nothing of it.
class OfAStranger : public Place {
public:
    OfAStranger() {
        const Ended run =
            raddle({"run", "-C", "c", "--quiet", "--setup", "touch " + ran(), "--", program("deadlock/abba")});
        EXPECT_EQ(run.status, 1) << run.errors;
        fs::remove(ran());
    }
    // As another user.
    Ended other(std::vector<std::string> words) const {
        return raddle(std::move(words), {.input = {}, .environment = {"XDG_STATE_HOME=" + (*this / "state").string()}});
    }
    std::string ran() const { return *this / "ran"; }
    bool has_run() const { return fs::exists(ran()); }
};

TEST(Trust, OnesOwnRecordsRun) {
    const OfAStranger place;
    for (const char* command : {"replay", "show", "minimize"}) {
        EXPECT_EQ(place.raddle({command, "-C", "c", "1"}).status, 1) << command;
        EXPECT_TRUE(place.has_run()) << command;
        fs::remove(place.ran());
    }
}

TEST(Trust, AStrangersRecordIsNotReplayedUnasked) {
    const OfAStranger place;
    for (const char* command : {"replay", "minimize"}) {
        const Ended refused = place.other({command, "-C", "c", "1"});
        EXPECT_EQ(refused.status, 2) << command;
        EXPECT_THAT(refused.errors,
                    AllOf(HasSubstr("--trust"), HasSubstr("/prog, in /"), HasSubstr("--setup 'touch ")));
        EXPECT_FALSE(place.has_run()) << command;
    }
}

TEST(Trust, AStrangersRecordIsShownAsItIs) {
    const OfAStranger place;
    const Ended shown = place.other({"show", "-C", "c", "1"});
    EXPECT_EQ(shown.status, 1) << shown.errors;
    EXPECT_THAT(shown.out, AllOf(HasSubstr("deadlock"), HasSubstr("as recorded"), HasSubstr("--trust")));
    const Ended report = place.other({"report", "--json", "c"});
    EXPECT_EQ(report.status, 0) << report.errors;
    EXPECT_THAT(report.out, HasSubstr("--trust"));
    EXPECT_EQ(place.other({"show", "-C", "c", "1", "--gen-suppression"}).status, 0);
    EXPECT_FALSE(place.has_run());
}

TEST(Trust, IsGivenOnceAndRemembered) {
    const OfAStranger place;
    EXPECT_EQ(place.other({"replay", "--trust", "-C", "c", "1"}).status, 1);
    EXPECT_TRUE(place.has_run());
    EXPECT_EQ(place.other({"replay", "-C", "c", "1"}).status, 1);
    EXPECT_EQ(fs::status(place / "state/raddle/trusted").permissions(), fs::perms(0600));
}

TEST(Trust, WithoutAPlaceToRememberItTheReasonIsSaid) {
    const OfAStranger place;
    std::ofstream(place / "file") << "no directory";
    const Ended refused = place.raddle({"replay", "-C", "c", "1"},
                                       {.input = {}, .environment = {"XDG_STATE_HOME=" + (place / "file").string()}});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.errors, AllOf(HasSubstr("/file/raddle/trusted cannot be written"), HasSubstr("--trust")));
    EXPECT_FALSE(place.has_run());
}

TEST(Trust, OnesOwnProgramRunsUnderAStrangersScheduleWithoutHisCommands) {
    const OfAStranger place;
    fs::copy_file(place / "c/bugs/0001-deadlock/minimal.schedule", place / "with_setup.schedule");
    EXPECT_EQ(place.other({"replay", "with_setup.schedule", "--", place / "prog"}).status, 2);
    EXPECT_FALSE(place.has_run());
    ASSERT_EQ(place.raddle({"run", "-C", "plain", "--quiet", "--", place / "prog"}).status, 1);
    fs::copy_file(place / "plain/bugs/0001-deadlock/minimal.schedule", place / "plain.schedule");
    EXPECT_EQ(place.other({"replay", "plain.schedule"}).status, 2);
    EXPECT_EQ(place.other({"replay", "plain.schedule", "--", place / "prog"}).status, 1);
}

// The state directory of this process, while the test runs.
class OwnState : public ::testing::Test {
protected:
    OwnState() { ::setenv("XDG_STATE_HOME", place_.path().c_str(), 1); }
    ~OwnState() override { ::unsetenv("XDG_STATE_HOME"); }

    static bool is_refused(const Subject& subject, const std::optional<std::vector<std::string>>& environment = {},
                           bool is_trusted = false) {
        try {
            require_trust({subject, environment, {}, is_trusted});
        } catch (const Untrusted&) {
            return true;
        }
        return false;
    }

    PrivateDirectory place_;
};

using TrustOfCommands = OwnState;

TEST_F(TrustOfCommands, CoversWhatDecidesWhatIsExecuted) {
    const Subject known{{"/bin/prog", "a"}, "/tmp", {"--setup", "make", "--memory", "sync"}, {}, {}};
    ASSERT_TRUE(is_refused(known));
    ASSERT_FALSE(is_refused(known, {}, true));
    EXPECT_FALSE(is_refused(known));
    Subject other = known;
    other.options = {"--setup", "make", "--memory", "races", "--max-steps", "7"};
    EXPECT_FALSE(is_refused(other)) << "these change nothing";
    for (const auto& change : std::vector<std::function<void(Subject&)>>{
             [](Subject& s) { s.program[0] = "/bin/other"; }, [](Subject& s) { s.program[1] = "b"; },
             [](Subject& s) { s.program = {"/bin/prog"}; }, [](Subject& s) { s.directory = "/"; },
             [](Subject& s) { s.options[1] = "make all"; }, [](Subject& s) { s.options[0] = "--reset"; },
             [](Subject& s) {
                 s.options.insert(s.options.end(), {"--env", "LD_PRELOAD=/x.so"});
             },
             [](Subject& s) {
                 s.options.insert(s.options.end(), {"--stdin", "/etc/hosts"});
             }}) {
        other = known;
        change(other);
        EXPECT_TRUE(is_refused(other)) << other.program[0] << " " << other.directory;
    }
}

TEST_F(TrustOfCommands, CoversTheEnvironmentOfTheCampaign) {
    const Subject subject{{"/bin/prog"}, "/tmp", {}, {}, {}};
    ASSERT_FALSE(is_refused(subject, {{"A=1"}}, true));
    EXPECT_FALSE(is_refused(subject, {{"A=1"}}));
    EXPECT_FALSE(is_refused(subject)) << "none is recorded: the user's own";
    EXPECT_TRUE(is_refused(subject, {{"A=1", "LD_PRELOAD=/x.so"}}));
}

TEST(RememberedCommands, AreNotTakenFromAFileThatOthersCanWrite) {
    const PrivateDirectory place;
    const Remembered remembered(place / "state/raddle/trusted");
    EXPECT_FALSE(remembered.has({"a"}));
    ASSERT_TRUE(remembered.add({"a"}));
    EXPECT_TRUE(remembered.has({"a"}));
    EXPECT_FALSE(remembered.has({"a", ""}));
    ASSERT_EQ(::chmod(remembered.file().c_str(), 0622), 0);
    EXPECT_FALSE(remembered.has({"a"}));
    EXPECT_FALSE(remembered.add({"b"}));
}

TEST(RememberedCommands, AreForgottenWhenThereAreTooMany) {
    const PrivateDirectory place;
    fs::create_directories(place / "raddle");
    const Remembered remembered(place / "raddle/trusted");
    ASSERT_TRUE(remembered.add({"first"}));
    {
        std::ofstream file(remembered.file(), std::ios::app);
        for (int i = 0; i < 4095; ++i) file << i << "\n";
    }
    EXPECT_TRUE(remembered.has({"first"}));
    ASSERT_TRUE(remembered.add({"last"}));
    EXPECT_FALSE(remembered.has({"first"}));
    EXPECT_TRUE(remembered.has({"last"}));
    EXPECT_EQ(lines_in(content_of(remembered.file())), 2048u);
}

}  // namespace
}  // namespace raddle::testing
