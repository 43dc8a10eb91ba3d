#include "supervisor/base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <thread>

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

}  // namespace
}  // namespace raddle::testing
