#include "supervisor/base/free_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;

class FreeMemory : public ::testing::Test {
protected:
    void TearDown() override { fs::remove_all(root_); }

    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << text;
    }
    std::uint64_t found() const { return free_memory(root_ / "proc", root_ / "sys"); }

    const fs::path root_ = fs::path(::testing::TempDir()) / ("free-memory-" + std::to_string(::getpid()));
};

constexpr const char* eight_gigabytes = "MemTotal: 16777216 kB\nMemAvailable:    8388608 kB\n";

TEST_F(FreeMemory, IsWhatTheKernelHas) {
    write("proc/meminfo", eight_gigabytes);
    EXPECT_EQ(found(), std::uint64_t{8} << 30);
}

TEST_F(FreeMemory, IsLimitedByTheControlGroupsOfAContainer) {
    write("proc/meminfo", eight_gigabytes);
    write("proc/self/cgroup", "0::/jobs/one\n");
    write("sys/fs/cgroup/jobs/one/memory.max", "max\n");
    write("sys/fs/cgroup/jobs/one/memory.current", "1000\n");
    EXPECT_EQ(found(), std::uint64_t{8} << 30);
    write("sys/fs/cgroup/jobs/memory.max", "5000\n");
    write("sys/fs/cgroup/jobs/memory.current", "2000\n");
    EXPECT_EQ(found(), 3000u);
    write("sys/fs/cgroup/jobs/one/memory.max", "900\n");
    EXPECT_EQ(found(), 0u);
}

TEST_F(FreeMemory, IsLimitedByGroupsOfTheFirstVersion) {
    write("proc/meminfo", eight_gigabytes);
    write("proc/self/cgroup", "9:cpu,cpuacct:/a\n4:memory:/a\n");
    write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "7000\n");
    write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "1000\n");
    EXPECT_EQ(found(), 6000u);
}

TEST_F(FreeMemory, IsSomethingWhereNothingIsSaid) {
    EXPECT_GT(found(), std::uint64_t{1} << 30);
    EXPECT_GT(free_memory(), 0u);
}

}  // namespace
}  // namespace raddle::testing
