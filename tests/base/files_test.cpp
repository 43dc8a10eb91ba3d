#include "supervisor/base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "supervisor/base/descriptor.h"

namespace raddle::testing {
namespace {

std::string path_of(const std::string& name) {
    return ::testing::TempDir() + "files-" + std::to_string(::getpid()) + "-" + name;
}

TEST(Files, AreReadWhole) {
    const std::string path = path_of("whole");
    for (const std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 300'000u}) {
        std::string text(size, 'x');
        if (size > 1) text[1] = '\0';
        std::ofstream(path, std::ios::binary) << text;
        EXPECT_EQ(content_of(path), text);
        EXPECT_EQ(content_of(path, size), text);
        if (size == 0) continue;
        EXPECT_EQ(content_of(path, size - 1), std::nullopt);
        EXPECT_EQ(errno, EFBIG);
    }
    ::unlink(path.c_str());
}

TEST(Files, HaveContentThoughTheirSizeIsZero) { EXPECT_GT(content_of("/proc/self/status").value().size(), 10u); }

TEST(Files, MayBePipes) {
    const std::string path = path_of("pipe"), text(200'000, 'y');
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(path) << text; });
    EXPECT_EQ(content_of(path), text);
    writer.join();
    ::unlink(path.c_str());
}

TEST(Files, SayWhyTheyCannotBeRead) {
    EXPECT_EQ(content_of("/nonexistent"), std::nullopt);
    EXPECT_EQ(errno, ENOENT);
    EXPECT_EQ(content_of("/"), std::nullopt);
    EXPECT_EQ(errno, EISDIR);
}

TEST(Files, OfAUserLieWhereTheVariableSaysOrBelowHome) {
    ::setenv("RADDLE_TEST_PLACE", "/somewhere", 1);
    EXPECT_EQ(user_directory("RADDLE_TEST_PLACE", ".place"), "/somewhere");
    ::setenv("RADDLE_TEST_PLACE", "relative", 1);
    ::setenv("HOME", "/home/of/somebody", 1);
    EXPECT_EQ(user_directory("RADDLE_TEST_PLACE", ".place"), "/home/of/somebody/.place");
    ::unsetenv("HOME");
    EXPECT_EQ(user_directory("RADDLE_TEST_PLACE", ".place"), "");
}

TEST(Descriptors, AreClosedAtTheEndOfTheirScopeAndKeepErrno) {
    int number = -1;
    {
        Descriptor first("/dev/null", O_WRONLY);
        ASSERT_TRUE(first);
        number = first.number();
        const Descriptor moved = std::move(first);
        EXPECT_EQ(moved.number(), number);
        EXPECT_TRUE(write_all(moved.number(), "text"));
        errno = ENOTDIR;
    }
    EXPECT_EQ(errno, ENOTDIR);
    EXPECT_EQ(::fcntl(number, F_GETFD), -1);
    EXPECT_FALSE(Descriptor("/nonexistent", O_RDONLY));
    EXPECT_FALSE(write_all(number, "text"));
}

TEST(Descriptors, SayWhetherOthersCanWriteTheFile) {
    const std::string path = path_of("rights");
    const Descriptor file(path, O_CREAT | O_RDWR, 0600);
    struct stat status;
    for (const mode_t rights : {0600, 0644, 0620, 0602}) {
        ASSERT_EQ(::fchmod(file.number(), rights), 0);
        ASSERT_EQ(::fstat(file.number(), &status), 0);
        EXPECT_EQ(belongs_to_us_alone(status), rights == 0600 || rights == 0644) << rights;
    }
    ::unlink(path.c_str());
}

}  // namespace
}  // namespace raddle::testing
