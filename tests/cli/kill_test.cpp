// kill -9 of raddle, of the processes it runs, or of both, at random moments of campaigns on real programs: the final
// result is that of an uninterrupted run, and no bug is invented.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;

struct Victim {
    std::string name;
    std::vector<std::string> arguments;
    std::uint64_t graphs;
    std::size_t bugs;
};

int kills_wanted() { return std::getenv("RADDLE_NIGHTLY") != nullptr ? 200 : 20; }

// Kills one process of the target: the server or a forked child. They are found by the name of their executable.
void kill_targets(const fs::path& program) {
    std::vector<pid_t> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const fs::path executable = fs::read_symlink(entry.path() / "exe", error);
        if (!error && executable == program) found.push_back(std::stoi(entry.path().filename()));
    }
    if (!found.empty()) ::kill(found[static_cast<std::size_t>(::getpid()) % found.size()], SIGKILL);
}

class KilledForReal : public ::testing::TestWithParam<Victim> {};

TEST_P(KilledForReal, KnowsTheSameInTheEnd) {
    const PrivateDirectory place;
    const fs::path program = fs::canonical(place.path()) / "victim";
    fs::copy_file(sample(GetParam().name), program);
    std::vector<std::string> words = {
        RADDLE_BUILD_DIR "/bin/raddle", "run", "--json", "--quiet", "--keep-going", "-C", "c", "--", program};
    words.insert(words.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    const Conditions there{.input = {}, .environment = {}, .directory = place.path()};

    std::mt19937_64 random(7);
    for (int kills = 0; kills < kills_wanted();) {
        std::error_code ignored;
        fs::remove_all(fs::path(place.path()) / "c", ignored);
        // Each run is killed or completes; after enough kills, the last run is left alone.
        for (bool done = false; !done;) {
            Conditions conditions = there;
            const auto after = std::chrono::milliseconds(20 + random() % 250);
            const int whom = static_cast<int>(random() % 3);
            const bool last = kills >= kills_wanted();
            if (!last && whom != 0) {
                conditions.signal = SIGKILL;
                conditions.when = [end = std::chrono::steady_clock::now() + after](const std::string&) {
                    return std::chrono::steady_clock::now() >= end;
                };
            }
            std::thread killer([&] {
                std::this_thread::sleep_for(after);
                if (!last && whom != 1) kill_targets(program);
            });
            const Ended ended = execute(words, conditions);
            killer.join();
            kills += last ? 0 : 1;
            done = ended.status != 128 + SIGKILL;
            if (!done) continue;
            ASSERT_EQ(ended.status, GetParam().bugs > 0 ? 1 : 0) << ended.out << ended.errors;
            const nlohmann::json found = json_of(ended);
            EXPECT_EQ(found["exhausted"], true) << ended.out;
            EXPECT_EQ(found["graphs"], GetParam().graphs) << ended.out;
            EXPECT_LE(found["executions"], GetParam().graphs) << ended.out;
            EXPECT_EQ(found["bugs"].size(), GetParam().bugs) << ended.out;
            EXPECT_EQ(raddle({"campaign", "verify", "c"}, there).status, 0);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, KilledForReal,
                         ::testing::Values(Victim{"ok/locks", {"4", "2"}, 2520, 0},  // 8!/(2!)^4
                                           Victim{"ok/cond_queue", {"4"}, 128, 0},
                                           Victim{"deadlock/philosophers_left", {"4"}, 15, 1}),
                         [](const auto& one) { return one.param.name.substr(one.param.name.find('/') + 1); });

}  // namespace
}  // namespace raddle::testing
