// A divergence explains itself: raddle names the likely cause, keeps the record, and advises only what it tried. The
// comments at the head of a program in programs/ say what is true of it (README.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/cli/place.h"
#include "tests/sources.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string folder = "tests/divergences/";

using Comments = std::multimap<std::string, std::string>;

Comments comments_of(const std::string& source) {
    Comments comments;
    std::istringstream lines(source);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line) && line.starts_with("// ")) {
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos) comments.emplace(line.substr(3, colon - 3), line.substr(colon + 2));
    }
    return comments;
}

std::string first_of(const Comments& comments, const std::string& key) {
    const auto found = comments.find(key);
    return found == comments.end() ? "" : found->second;
}

// The fact that begins like this, with its continuation lines.
std::string fact_in(const std::vector<std::string>& facts, const std::string& beginning) {
    std::string text;
    for (const std::string& fact : facts)
        if (fact.starts_with(beginning)) text += fact + "\n";
    return text;
}

class Divergence : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        const std::string source = source_of(folder + "programs/" + GetParam());
        comments_ = comments_of(source);
        std::vector<std::string> options = {"-O1", "-g"};
        if (const std::string library = first_of(comments_, "library"); !library.empty()) {
            const std::string name = fs::path(library).stem().string();
            std::ofstream(place_ / library) << source_of(folder + "libraries/" + name);
            execute({"gcc", "-O1", "-g", "-shared", "-fPIC", "-o", place_ / ("lib" + name + ".so"), place_ / library});
            options.insert(options.end(), {"-Wl,--no-as-needed", "-L" + (place_ / "").string(), "-l" + name,
                                           "-Wl,-rpath," + (place_ / "").string()});
        }
        program_ = place_.compiled(source, options);
    }

    Ended explored() const {
        std::vector<std::string> options = {"--quiet", "--keep-going", "--max-execs", "300", "-j", "1"};
        std::istringstream more(first_of(comments_, "options"));
        for (std::string word; more >> word;) options.push_back(word);
        return place_.run(program_, options);
    }

    const Place place_{};
    Comments comments_;
    std::string program_;
};

TEST_P(Divergence, NamesItsCauseAndAdvisesOnlyWhatWasTried) {
    const Ended run = explored();
    EXPECT_EQ(run.status, 4) << run.out << run.errors;
    EXPECT_THAT(run.out, HasSubstr("\n  explain   raddle show c/bugs/0001-diverged\n"));
    const Ended shown = place_.raddle({"show", "c/bugs/0001-diverged", "--json"});
    EXPECT_EQ(shown.status, 4) << shown.errors;
    const auto facts = json_of(shown)["facts"].get<std::vector<std::string>>();
    const std::map<std::string, std::string> beginnings = {
        {"cause", "likely cause: "}, {"memory", "memory: "}, {"repeated", "repeated: "}};
    for (const auto& [key, text] : comments_)
        if (const auto beginning = beginnings.find(key); beginning != beginnings.end()) {
            EXPECT_THAT(fact_in(facts, beginning->second), HasSubstr(text)) << run.out;
        }
    const std::string advice = first_of(comments_, "try");
    EXPECT_THAT(run.out, HasSubstr("\ntry         " + advice));
    const std::string tried = advice.starts_with("no setting") ? "no setting that was tried helped"
                                                               : "tried " + advice.substr(0, advice.find(':'));
    EXPECT_THAT(fact_in(facts, tried), Not(""));
    if (const std::string file = first_of(comments_, "leaves"); !file.empty()) {
        EXPECT_TRUE(fs::exists(place_ / file));
    }
}

TEST_P(Divergence, IsKeptListedAndReplayed) {
    ASSERT_EQ(explored().status, 4);
    const fs::path kept = place_ / "c/bugs/0001-diverged";
    EXPECT_EQ(fs::status(kept).permissions() & (fs::perms::group_all | fs::perms::others_all), fs::perms::none);
    EXPECT_EQ(fs::status(kept / "divergence").permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_THAT(place_.raddle({"show", "c"}).out, HasSubstr("\n0001-diverged  diverged"));
    EXPECT_THAT(place_.raddle({"status", "c"}).out, HasSubstr("\ndiverged    seen "));
    const nlohmann::json report = json_of(place_.raddle({"report", "--json", "c"}));
    EXPECT_EQ(report["verdict"], "diverged");
    EXPECT_EQ(report["diverged"][0]["name"], "0001-diverged");
    EXPECT_FALSE(report["diverged"][0]["explanation"]["facts"].empty());
    for (const char* format : {"--html", "--junit", "--sarif"})
        EXPECT_THAT(place_.raddle({"report", format, "c"}).out, HasSubstr("likely cause: ")) << format;

    const bool repeats = first_of(comments_, "repeated").starts_with("it did the same");
    const Ended replayed = place_.raddle({"replay", "c/bugs/0001-diverged", "--times", "8"});
    EXPECT_EQ(replayed.status, repeats ? 0 : 4) << replayed.out << replayed.errors;
    EXPECT_THAT(replayed.out, HasSubstr(repeats ? "differed    0/8 tries" : "/8 tries"));
}

INSTANTIATE_TEST_SUITE_P(Programs, Divergence, ::testing::ValuesIn(programs_in(folder + "programs")),
                         [](const auto& one) { return one.param; });

// ---- one record, looked at from all sides

class KeptDivergence : public ::testing::Test {
protected:
    void SetUp() override {
        program_ = place_.compiled(source_of(folder + "programs/cycle_counter"));
        ASSERT_EQ(place_.run(program_, {"--quiet", "--max-execs", "100", "-j", "1"}).status, 4);
    }
    const Place place_{};
    std::string program_;
};

TEST_F(KeptDivergence, IsNotExaminedAgainByTheNextRun) {
    const auto before = fs::last_write_time(place_ / "c/bugs/0001-diverged/divergence");
    const Ended again = place_.run(program_, {"--quiet", "--max-execs", "10", "-j", "1"});
    EXPECT_EQ(again.status, 4);
    EXPECT_THAT(again.out, HasSubstr("\n  cause     T1 executed rdtsc")) << "from the record";
    EXPECT_EQ(fs::last_write_time(place_ / "c/bugs/0001-diverged/divergence"), before);
    EXPECT_FALSE(fs::exists(place_ / "c/bugs/0002-diverged"));
}

TEST_F(KeptDivergence, WhoseRecordIsDamagedIsRefusedByName) {
    std::fstream file(place_ / "c/bugs/0001-diverged/divergence", std::ios::in | std::ios::out);
    file.seekp(40);
    file << "#";
    file.close();
    const Ended shown = place_.raddle({"show", "c/bugs/0001-diverged"});
    EXPECT_EQ(shown.status, 2);
    EXPECT_THAT(shown.errors, HasSubstr("c/bugs/0001-diverged/divergence: "));
    const nlohmann::json report = json_of(place_.raddle({"report", "--json", "c"}));
    EXPECT_TRUE(report["diverged"][0]["explanation"].is_null());
    EXPECT_THAT(report["diverged"][0]["not_explained_because"].get<std::string>(), HasSubstr("damaged"));
}

}  // namespace
}  // namespace raddle::testing
