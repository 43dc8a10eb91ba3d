// The installed tree: complete, movable, and removable; and a project that finds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "tests/cli/place.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::set<std::string> files_in(const fs::path& directory) {
    std::set<std::string> files;
    if (!fs::exists(directory)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(directory))
        if (!entry.is_directory()) files.insert(entry.path().lexically_relative(directory).generic_string());
    return files;
}

// The tests share one installation: `cmake --install` writes its list of files into the build tree.
class Installed : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        place_ = new Place;
        const Ended ended = execute({RADDLE_CMAKE, "--install", RADDLE_BUILD_DIR, "--prefix", prefix("first")});
        ASSERT_EQ(ended.status, 0) << ended.errors;
    }
    static void TearDownTestSuite() { delete place_; }

    static std::string prefix(const std::string& name) { return *place_ / name; }
    static const Place& place() { return *place_; }

    // The tree elsewhere.
    class Moved {
    public:
        Moved() { fs::rename(prefix("first"), prefix("moved-here")); }
        ~Moved() { fs::rename(prefix("moved-here"), prefix("first")); }
        Moved(const Moved&) = delete;
        Moved& operator=(const Moved&) = delete;
        std::string operator/(const std::string& path) const { return prefix("moved-here") + "/" + path; }
    };

private:
    static Place* place_;
};

Place* Installed::place_ = nullptr;

TEST_F(Installed, TreeHasItsFiles) {
    const std::set<std::string> files = files_in(prefix("first"));
    for (const char* file :
         {"bin/raddle", "lib/raddle/libraddle-preload.so", "lib/raddle/libtsan.so.2",
          "lib/cmake/raddle/raddle-config.cmake", "lib/cmake/raddle/RaddleTests.cmake", "share/man/man1/raddle.1.gz",
          "share/bash-completion/completions/raddle", "share/zsh/vendor-completions/_raddle",
          "share/fish/vendor_completions.d/raddle.fish", "share/doc/raddle/copyright", "share/doc/raddle/changelog.gz"})
        EXPECT_THAT(files, Contains(file));
    // Without debug information: that is a component of its own.
    EXPECT_LT(fs::file_size(prefix("first") + "/bin/raddle"), 20u << 20);
    EXPECT_THAT(execute({"readelf", "-S", prefix("first") + "/bin/raddle"}).out, Not(HasSubstr(".debug_info")));
    EXPECT_THAT(execute({"readelf", "-S", prefix("first") + "/lib/raddle/libraddle-preload.so"}).out,
                HasSubstr(".symtab"));
}

TEST_F(Installed, TreeWorksWhereItWasMoved) {
    const Moved tree;
    const Ended run = execute({tree / "bin/raddle", "run", "--no-store", "-q", "--", sample("deadlock/abba")});
    EXPECT_EQ(run.status, 1) << run.errors;
    EXPECT_THAT(run.out, HasSubstr("bug: deadlock, 1 preemption"));
    EXPECT_EQ(execute({tree / "bin/raddle", "doctor", "--", sample("deadlock/abba")}).status, 0);
    const Ended about = execute({tree / "bin/raddle", "version", "--verbose"});
    EXPECT_THAT(about.out, HasSubstr("shim          " + tree / "lib/raddle/libraddle-preload.so (build-id "));
    EXPECT_THAT(about.out, HasSubstr("tsan runtime  " + tree / "lib/raddle/libtsan.so.2 (build-id "));
    EXPECT_THAT(about.out, Not(HasSubstr("missing")));
}

TEST_F(Installed, ProgramsOfTheThreadSanitizerGetOurLibrary) {
    const std::string program = std::string(RADDLE_BUILD_DIR) + "/memory/tsan-c-O2/lost_update";
    if (!fs::exists(program)) GTEST_SKIP() << "there is no program built with -fsanitize=thread";
    const Moved tree;
    const Ended run = execute({tree / "bin/raddle", "run", "--no-store", "-q", "--", program});
    EXPECT_EQ(run.status, 1) << run.errors;
}

TEST_F(Installed, PagesAreReadable) {
    const std::string man = prefix("first") + "/share/man/man1/raddle.1.gz";
    EXPECT_THAT(execute({"gzip", "-dc", man}).out, HasSubstr(".TH RADDLE 1"));
    if (is_installed("man")) {
        EXPECT_THAT(execute({"man", "-l", man}).out, HasSubstr("raddle"));
    }
    EXPECT_EQ(execute({"bash", "-n", prefix("first") + "/share/bash-completion/completions/raddle"}).status, 0);
}

TEST_F(Installed, AProjectFindsItAndItsTestsAreCampaigns) {
    const std::string build = prefix("consumer"), source = std::string(RADDLE_SOURCE_DIR) + "/tests/install/consumer";
    const Moved tree;
    const Ended configured = execute(
        {RADDLE_CMAKE, "-S", source, "-B", build, "-DCMAKE_PREFIX_PATH=" + tree / "", "-DCMAKE_BUILD_TYPE=Debug"});
    ASSERT_EQ(configured.status, 0) << configured.errors;
    ASSERT_EQ(execute({RADDLE_CMAKE, "--build", build}).status, 0);
    const std::string out = execute({RADDLE_CTEST, "--test-dir", build}).out;
    for (const char* passing : {"ordinary ", "transfer.in_order ", "suite/Transfer.InOrder "})
        EXPECT_THAT(out, ::testing::ContainsRegex(std::string(passing) + "\\.+ +Passed")) << passing;
    for (const char* failing : {"transfer.both_ways ", "transfer.cut_fails ", "suite/Transfer.BothWays "})
        EXPECT_THAT(out, ::testing::ContainsRegex(std::string(failing) + "\\.+\\*\\*\\*Failed")) << failing;
    EXPECT_THAT(out, ::testing::ContainsRegex("transfer.cut \\.+\\*\\*\\*Skipped"));
    EXPECT_THAT(out, ::testing::ContainsRegex("suite/Transfer.DISABLED_Never \\.+\\*\\*\\*Not Run \\(Disabled\\)"));
    const std::string labels = execute({RADDLE_CTEST, "--test-dir", build, "-L", "locks", "-N"}).out;
    EXPECT_THAT(labels, HasSubstr("Total Tests: 1\n"));
    EXPECT_THAT(execute({RADDLE_CTEST, "--test-dir", build, "-LE", "raddle", "-N"}).out, HasSubstr("Total Tests: 1\n"));
}

TEST(Uninstall, LeavesNothing) {
    const Place place;
    const std::string prefix = place / "prefix", other = place / "prefix/share/doc/other/file";
    const std::string manifest = std::string(RADDLE_BUILD_DIR) + "/install_manifest.txt", own = place / "manifest.txt";
    fs::create_directories(fs::path(other).parent_path());
    std::ofstream(other) << "of somebody else";
    const Ended ended = execute({RADDLE_CMAKE, "--install", RADDLE_BUILD_DIR, "--prefix", prefix});
    ASSERT_EQ(ended.status, 0) << ended.errors;
    EXPECT_GT(files_in(prefix).size(), 10u);
    fs::copy_file(manifest, own);
    const std::string script = std::string(RADDLE_SOURCE_DIR) + "/install/uninstall.cmake";
    const Ended removed = execute({RADDLE_CMAKE, "-DMANIFEST=" + own, "-P", script});
    EXPECT_EQ(removed.status, 0) << removed.errors;
    EXPECT_EQ(files_in(prefix), (std::set<std::string>{"share/doc/other/file"}));
    EXPECT_FALSE(fs::exists(place / "prefix/lib"));
    EXPECT_FALSE(fs::exists(place / "prefix/bin"));
}

TEST(SourceTarball, IsTheSameTwice) {
    const std::string tool = std::string(RADDLE_SOURCE_DIR) + "/tools/tarball";
    if (execute({"git", "-C", RADDLE_SOURCE_DIR, "rev-parse", "HEAD"}).status != 0)
        GTEST_SKIP() << "not a git checkout";
    const Place place;
    for (const char* name : {"one.tar.gz", "two.tar.gz"}) {
        const Ended made = execute({tool, place / name});
        ASSERT_EQ(made.status, 0) << made.errors;
    }
    const std::string one = content_of(place / "one.tar.gz");
    EXPECT_GT(one.size(), 100000u);
    EXPECT_EQ(one, content_of(place / "two.tar.gz"));
    const std::string names = execute({"tar", "-tzf", place / "one.tar.gz"}).out;
    EXPECT_THAT(names, HasSubstr("/CMakeLists.txt\n"));
    EXPECT_THAT(names, HasSubstr("/LICENSE\n"));
}

}  // namespace
}  // namespace raddle::testing
