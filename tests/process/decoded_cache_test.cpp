// Decoded code on disk: the same as decoding, bounded, and safe against what others leave there.
#include "supervisor/binary/decode/decoded_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/command_line.h"
#include "tests/process/programs.h"

namespace raddle::code {
namespace {

namespace fs = std::filesystem;
using raddle::testing::program;

class Place {
public:
    Place() {
        std::string name = (fs::temp_directory_path() / "raddle-cache-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Place() { fs::remove_all(path_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

std::string some_program() {
    return program(
        "#include <stdio.h>\nint shared[4];\nint main(int argc, char** argv) { shared[argc & 3] += argc; return shared[0]; }\n");
}

template <typename Row>
bool same_rows(const std::vector<Row>& a, const std::vector<Row>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Row)) == 0;
}
bool same(const Decoded& a, const Decoded& b) {
    return same_rows(a.sites, b.sites) && same_rows(a.functions, b.functions) &&
           same_rows(a.instructions, b.instructions) && a.decoded == b.decoded &&
           a.skipped.size() == b.skipped.size() &&
           std::equal(a.skipped.begin(), a.skipped.end(), b.skipped.begin(), [](const auto& x, const auto& y) {
               return x.address == y.address && x.why == y.why && x.is_own == y.is_own && x.original == y.original;
           });
}

std::vector<fs::path> entries_in(const fs::path& directory) {
    std::vector<fs::path> all;
    for (const auto& one : fs::directory_iterator(directory)) all.push_back(one.path());
    return all;
}

TEST(DecodedCache, GivesWhatDecodingGave) {
    const Place place;
    const ElfCode elf(some_program());
    const Decoded decoded = decode(elf);
    ASSERT_FALSE(decoded.sites.empty());
    const DecodedCache cache(place.path() / "raddle");
    EXPECT_FALSE(cache.find("a"));
    cache.keep("a", decoded);
    const auto found = cache.find("a");
    ASSERT_TRUE(found);
    EXPECT_TRUE(same(*found, decoded));
    EXPECT_FALSE(cache.find("b"));
}

TEST(DecodedCache, ADamagedEntryIsRemovedWhateverItSays) {
    const Place place;
    const Decoded decoded = decode(ElfCode(some_program()));
    const DecodedCache cache(place.path() / "raddle");
    cache.keep("a", decoded);
    const fs::path file = entries_in(place.path() / "raddle").at(0);
    std::string whole;
    {
        std::ifstream in(file, std::ios::binary);
        whole.assign(std::istreambuf_iterator<char>(in), {});
    }
    for (std::size_t at = 0; at < whole.size(); at += 1 + at / 8) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
        if (at % 3 == 0) damaged.resize(at);
        std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
        EXPECT_FALSE(cache.find("a")) << at;
        EXPECT_FALSE(fs::exists(file)) << at;
    }
}

TEST(DecodedCache, WhatOthersCouldWriteIsNotRead) {
    const Place place;
    const fs::path directory = place.path() / "raddle";
    const Decoded decoded = decode(ElfCode(some_program()));
    const DecodedCache cache(directory);
    cache.keep("a", decoded);
    const fs::path file = entries_in(directory).at(0);
    fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
    EXPECT_FALSE(cache.find("a"));
    cache.keep("a", decoded);
    EXPECT_TRUE(cache.find("a"));
    fs::rename(file, place.path() / "elsewhere");
    fs::create_symlink(place.path() / "elsewhere", file);
    EXPECT_FALSE(cache.find("a"));
    fs::remove(file);
    ::mkfifo(file.c_str(), 0600);
    EXPECT_FALSE(cache.find("a"));  // and does not wait for a writer
    fs::remove(file);
    fs::permissions(directory, fs::perms::group_write, fs::perm_options::add);
    cache.keep("a", decoded);
    EXPECT_TRUE(entries_in(directory).empty());
    EXPECT_FALSE(cache.find("a"));
}

TEST(DecodedCache, IsBounded) {
    const Place place;
    const fs::path directory = place.path() / "raddle";
    const Decoded decoded = decode(ElfCode(some_program()));
    DecodedCache(directory).keep("first", decoded);
    const std::uint64_t bytes = fs::file_size(entries_in(directory).at(0));
    const DecodedCache small(directory, 2 * bytes + 1);
    for (const char* const name : {"second", "third", "fourth"}) small.keep(name, decoded);
    EXPECT_EQ(entries_in(directory).size(), 2u);
    EXPECT_TRUE(small.find("fourth"));
    EXPECT_FALSE(small.find("first"));
    DecodedCache(directory, bytes - 1).keep("too large", decoded);
    EXPECT_FALSE(small.find("too large"));
}

TEST(DecodedCache, NamesDependOnTheCodeAndTheBuildId) {
    const std::string one = cache_name(ElfCode(some_program()));
    const std::string other = cache_name(ElfCode(program("int main(void) { return 3; }")));
    EXPECT_EQ(one.size(), 32u);
    EXPECT_NE(one, other);
    EXPECT_EQ(one, cache_name(ElfCode(some_program())));
    EXPECT_EQ(cache_name(ElfCode(program("int main(void) { return 4; }", "-Wl,--build-id=none"))), "");
}

}  // namespace
}  // namespace raddle::code
