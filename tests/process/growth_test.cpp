// Executions leave nothing behind in the supervisor, or in the process from which the program is forked.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

// A sanitizer keeps freed memory for a while, and finds leaks itself.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool frees_at_once = false;
#else
constexpr bool frees_at_once = true;
#endif

struct Use {
    long memory_kib = 0;
    long descriptors = 0;
};

Use use_of(const std::string& process) {
    Use use;
    std::ifstream status("/proc/" + process + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("RssAnon:")) use.memory_kib = std::stol(line.substr(8));
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/" + process + "/fd"))
        ++use.descriptors;
    return use;
}

TEST(Growth, ThousandsOfExecutionsLeaveNothing) {
    const int executions = std::getenv("RADDLE_NIGHTLY") != nullptr ? 10000 : 1000;
    for (const char* name : {"ok/locks", "ok/cpp_threads", "ok/pipes"}) {
        ProcessTarget target(running(sample(name)));
        for (int i = 0; i < 200; ++i) target.run(random_plan(static_cast<std::uint64_t>(i)));
        const Use ours = use_of("self"), servers = use_of(std::to_string(target.server()));
        for (int i = 0; i < executions; ++i)
            ASSERT_EQ(target.run(random_plan(static_cast<std::uint64_t>(i))).verdict, Verdict::ok);
        const Use ours_after = use_of("self"), servers_after = use_of(std::to_string(target.server()));
        std::cout << name << ", " << executions << " executions: supervisor " << ours_after.memory_kib - ours.memory_kib
                  << " KiB, server " << servers_after.memory_kib - servers.memory_kib << " KiB more\n";
        if (frees_at_once) {
            EXPECT_LE(ours_after.memory_kib - ours.memory_kib, 512);
        }
        EXPECT_LE(servers_after.memory_kib - servers.memory_kib, 64);
        EXPECT_EQ(ours_after.descriptors, ours.descriptors);
        EXPECT_EQ(servers_after.descriptors, servers.descriptors);
        EXPECT_EQ(target.launches(), std::string(name) == "ok/pipes" ? 2u : 1u);
    }
}

}  // namespace
}  // namespace raddle::testing
