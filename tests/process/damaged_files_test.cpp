// A program's files are as untrusted as its memory: readers of a damaged file report less, and never crash or overrun.
// (The readers that turn addresses into names: stacks_test.cpp.)
#include <elf.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "store/build_id.h"
#include "supervisor/binary/decode/decode.h"
#include "supervisor/process/launch/doctor.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;

int rounds() { return std::getenv("RADDLE_NIGHTLY") != nullptr ? 20'000 : 150; }

// Changes bytes anywhere, mostly in the headers, or cuts off the end.
class Damaged {
public:
    explicit Damaged(const std::string& whole) : path_(whole + ".damaged") {
        std::ifstream file(whole, std::ios::binary);
        whole_.assign(std::istreambuf_iterator<char>(file), {});
    }
    ~Damaged() { fs::remove(path_); }
    Damaged(const Damaged&) = delete;
    Damaged& operator=(const Damaged&) = delete;

    const std::string& path(int round) {
        std::mt19937 random(static_cast<unsigned>(round));
        std::string bytes = whole_;
        const std::size_t reach = round % 2 == 0 ? sizeof(Elf64_Ehdr) + 13 * sizeof(Elf64_Phdr) : bytes.size();
        for (unsigned left = 1 + random() % 12; left > 0; --left) bytes[random() % reach] = static_cast<char>(random());
        for (unsigned left = random() % 30; left > 0; --left)
            bytes[bytes.size() - 1 - random() % (64 * 40)] = static_cast<char>(random());
        if (round % 7 == 0) bytes.resize(random() % bytes.size());
        bytes.replace(0, std::min<std::size_t>(bytes.size(), EI_NIDENT), whole_, 0,
                      std::min<std::size_t>(bytes.size(), EI_NIDENT));
        std::ofstream(path_, std::ios::binary) << bytes;
        return path_;
    }

private:
    const std::string path_;
    std::string whole_;
};

TEST(DamagedFiles, HaveLessCodeAndAreReadSafely) {
    Damaged file(
        program("#include <pthread.h>\nstatic int x;\nstatic void* body(void* p) { return ++x > 3 ? p : 0; }\n"
                "int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); return pthread_join(t, 0); }\n"));
    std::size_t decoded = 0, without = 0;
    for (int round = 0; round < rounds(); ++round) {
        const std::string& path = file.path(round);
        const code::ElfCode elf(path);
        const code::Decoded found = code::decode(elf);
        ++(found.sites.empty() ? without : decoded);
        EXPECT_TRUE(code::calls_out_of(elf).empty()) << "round " << round;  // it is no -fsanitize=thread build
        for (std::size_t i = 1; i < elf.functions().size(); ++i)
            ASSERT_LE(elf.functions()[i - 1].end, elf.functions()[i].begin) << "round " << round;
        for (const code::Range& function : elf.functions()) ASSERT_LE(elf.bytes(function).size(), fs::file_size(path));
        elf.needed("lib");
        elf.defines("main");
        EXPECT_FALSE(build_id_of(path).empty());
        examine(path);
    }
    // Some damage is light, some is fatal.
    EXPECT_GT(decoded, 0u);
    EXPECT_GT(without, 0u);
}

}  // namespace
}  // namespace raddle::testing
