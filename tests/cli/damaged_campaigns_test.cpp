// Campaigns with damaged databases: every command ends as it should end for damaged files, and nothing is claimed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "tests/cli/place.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Lt;
using ::testing::Ne;

int rounds() { return std::getenv("RADDLE_NIGHTLY") != nullptr ? 500 : 25; }

// A campaign in c that is far from complete, and damaged copies of it in d.
class Damaged : public Place {
public:
    Damaged() {
        const Ended run = go_on("c", "40");
        EXPECT_EQ(run.status, 3) << run.errors;
        whole_ = content_of(*this / "c/campaign.db");
    }
    Ended go_on(const std::string& directory, const std::string& executions) const {
        return raddle({"run", "-C", directory, "--quiet", "-j1", "--memory", "sync", "--max-execs", executions, "--",
                       sample("ok/locks"), "4", "3"});
    }
    // Writes over some bytes of the database, most often in its header and its schema, or cuts off its end.
    void damage(int round) const {
        std::mt19937 random(static_cast<unsigned>(round));
        std::string bytes = whole_;
        const std::size_t reach = round % 2 == 0 ? 4096 : bytes.size();
        for (unsigned left = 1 + random() % 12; left > 0; --left) bytes[random() % reach] = static_cast<char>(random());
        if (round % 7 == 0) bytes.resize(random() % bytes.size());
        fs::remove_all(*this / "d");
        fs::copy(*this / "c", *this / "d", fs::copy_options::recursive);
        std::ofstream(*this / "d/campaign.db", std::ios::binary) << bytes;
    }

private:
    std::string whole_;
};

TEST(DamagedCampaigns, CrashNothingAndSupportNoClaim) {
    const Damaged place;
    const auto is_no_crash = AllOf(Ge(0), Lt(126), Ne(7));
    int refused = 0;
    for (int round = 0; round < rounds(); ++round) {
        place.damage(round);
        for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
                 {"status", "d"}, {"show", "d"}, {"report", "--json", "d"}, {"campaign", "info", "d"}}) {
            const Ended ended = place.raddle(words);
            EXPECT_THAT(ended.status, is_no_crash) << "round " << round << ": " << words[0] << "\n" << ended.errors;
        }
        const bool is_whole = place.raddle({"campaign", "verify", "d"}).status == 0;
        const Ended run = place.go_on("d", "1");
        EXPECT_THAT(run.status, is_no_crash) << "round " << round << "\n" << run.errors;
        EXPECT_NE(run.status, 0) << "round " << round << "\n" << run.out;
        if (!is_whole) {
            EXPECT_EQ(run.status, 6) << "round " << round << "\n" << run.out << run.errors;
            ++refused;
        }
    }
    EXPECT_GT(refused, rounds() / 4);
}

TEST(DamagedCampaigns, WithANegativeFormatAreRefused) {
    const Damaged place;
    fs::copy(place / "c", place / "d", fs::copy_options::recursive);
    std::fstream file(place / "d/campaign.db", std::ios::binary | std::ios::in | std::ios::out);
    constexpr int user_version = 60;  // in the header of a database
    file.seekp(user_version).put('\x80');
    file.close();
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"status", "d"}, {"show", "d"}})
        EXPECT_EQ(place.raddle(words).status, 6);
    const Ended run = place.go_on("d", "1");
    EXPECT_EQ(run.status, 6);
    EXPECT_THAT(run.errors, HasSubstr("damaged"));
}

}  // namespace
}  // namespace raddle::testing
