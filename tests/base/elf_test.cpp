// ELF files of all kinds, sound and not.
#include "supervisor/base/elf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>

#include "tests/command_line.h"

namespace raddle::testing {
namespace {

std::string own_bytes() { return content_of("/proc/self/exe"); }

TEST(Elf, ReadsThisExecutable) {
    const ElfFile elf(own_bytes());
    ASSERT_TRUE(elf.is_elf());
    EXPECT_TRUE(elf.is_for_x86_64());
    EXPECT_TRUE(elf.has_segment(PT_INTERP));
    EXPECT_TRUE(elf.has_section(".text"));
    EXPECT_FALSE(elf.has_section(".tex"));
    EXPECT_EQ(elf.interpreters(), std::vector<std::string>{"/lib64/ld-linux-x86-64.so.2"});
    EXPECT_EQ(elf.build_id().size(), 20u);
    EXPECT_TRUE(elf.has_dynamic(DT_NEEDED));
    EXPECT_FALSE(elf.has_dynamic(DT_AUDIT));
    const auto versions = elf.needed_versions();
    EXPECT_TRUE(std::any_of(versions.begin(), versions.end(),
                            [](const std::string& version) { return version.starts_with("GLIBC_2."); }));
    std::size_t functions = 0;
    bool has_main = false;
    elf.each_symbol(SHT_SYMTAB, [&](const Elf64_Sym& symbol, std::string_view name) {
        functions += ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
        has_main |= name == "main" && symbol.st_shndx != SHN_UNDEF;
        return true;
    });
    EXPECT_GT(functions, 10u);
    EXPECT_TRUE(has_main);
}

TEST(Elf, ReadsTheSameFromTheLoadedPartsOfAFile) {
    const ElfFile all(own_bytes()), parts("/proc/self/exe", ElfParts::loaded);
    EXPECT_EQ(parts.bytes().size(), all.bytes().size());
    EXPECT_EQ(parts.build_id(), all.build_id());
    EXPECT_EQ(parts.interpreters(), all.interpreters());
    EXPECT_EQ(parts.needed_versions(), all.needed_versions());
    EXPECT_TRUE(parts.has_section(".text"));
    for (const std::uint32_t table : {SHT_SYMTAB, SHT_DYNSYM}) {
        std::vector<std::string> expected, found;
        all.each_symbol(table,
                        [&](const Elf64_Sym&, std::string_view name) { return expected.emplace_back(name), true; });
        parts.each_symbol(table,
                          [&](const Elf64_Sym&, std::string_view name) { return found.emplace_back(name), true; });
        EXPECT_EQ(found, expected);
    }
    for (const Elf64_Phdr& segment : all.segments()) EXPECT_EQ(parts.content(segment), all.content(segment));
}

TEST(Elf, ReadsLittleWhereOnlyHeadersAreWanted) {
    const ElfFile all(own_bytes()), headers("/proc/self/exe", ElfParts::headers);
    EXPECT_EQ(headers.build_id(), all.build_id());
    EXPECT_EQ(headers.interpreters(), all.interpreters());
    EXPECT_EQ(headers.dynamic().size(), all.dynamic().size());
    EXPECT_EQ(headers.segments().size(), all.segments().size());
    EXPECT_TRUE(headers.has_section(".text"));
    const auto zeros = std::count(headers.bytes().begin(), headers.bytes().end(), '\0');
    EXPECT_GT(zeros, static_cast<std::ptrdiff_t>(headers.bytes().size() / 2));
}

TEST(Elf, ReadsFilesOfOtherKindsWhole) {
    const std::string path = RADDLE_SOURCE_DIR "/README.md";
    EXPECT_EQ(ElfBytes(path, ElfParts::headers).view(), content_of(path));
    EXPECT_TRUE(ElfBytes(std::filesystem::path("/dev/zero"), ElfParts::headers).view().empty());
    EXPECT_TRUE(ElfBytes(std::filesystem::path("/no such file"), ElfParts::loaded).view().empty());
}

TEST(Elf, ReadsADamagedFileOnceOnly) {
    // Thousands of segments that each name the whole file.
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 60000;
    Elf64_Phdr segment{};
    segment.p_type = PT_NOTE;
    segment.p_filesz = ~std::uint64_t{0};
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
    for (int i = 0; i < 60000; ++i) bytes.append(reinterpret_cast<const char*>(&segment), sizeof segment);
    const PrivateDirectory directory;
    const std::string path = directory.path() + "/damaged";
    std::ofstream(path) << bytes;
    const ElfFile file(path, ElfParts::headers);
    EXPECT_EQ(file.bytes(), bytes);
    EXPECT_TRUE(file.build_id().empty());
}

TEST(Elf, StopsAtTheSymbolThatWasLookedFor) {
    int seen = 0;
    ElfFile(own_bytes()).each_symbol(SHT_DYNSYM, [&](const Elf64_Sym&, std::string_view) { return ++seen < 3; });
    EXPECT_EQ(seen, 3);
}

TEST(Elf, ReadsNothingOutOfOtherFiles) {
    for (const std::string& bytes : {std::string(), std::string("#!/bin/sh\n"),
                                     std::string("\x7f"
                                                 "ELF"),
                                     std::string(100, '\0'),
                                     std::string("\x7f"
                                                 "ELF\2\1\1") +
                                         std::string(9, '\0'),
                                     std::string("!<arch>\n")}) {
        const ElfFile elf(bytes);
        EXPECT_FALSE(elf.is_for_x86_64());
        EXPECT_TRUE(elf.segments().empty());
        EXPECT_TRUE(elf.build_id().empty());
        EXPECT_TRUE(elf.interpreters().empty());
        EXPECT_FALSE(elf.has_section(".text"));
        EXPECT_TRUE(elf.needed_versions().empty());
        EXPECT_EQ(elf.bytes(), bytes);
    }
}

TEST(Elf, RecordsEndWithTheFile) {
    const ElfFile elf(std::string("0123456789"));
    EXPECT_TRUE(elf.record_at<std::uint64_t>(2).has_value());
    EXPECT_FALSE(elf.record_at<std::uint64_t>(3).has_value());
    EXPECT_FALSE(elf.record_at<std::uint64_t>(~std::uint64_t{0}).has_value());
    EXPECT_EQ(elf.text_at(7), "789");
    EXPECT_EQ(elf.text_at(10), "");
}

// Damage anywhere, above all in the headers, harms nobody (run under asan and ubsan).
TEST(Elf, SurvivesDamage) {
    const std::string whole = content_of("/bin/true");
    const int rounds = std::getenv("RADDLE_NIGHTLY") != nullptr ? 200'000 : 3000;
    std::mt19937 random(1);
    std::size_t named = 0;
    for (int round = 0; round < rounds; ++round) {
        std::string bytes = whole;
        const std::size_t reach = round % 2 == 0 ? sizeof(Elf64_Ehdr) + 13 * sizeof(Elf64_Phdr) : bytes.size();
        for (unsigned left = 1 + random() % 12; left > 0; --left)
            bytes[EI_NIDENT + random() % (reach - EI_NIDENT)] = static_cast<char>(random());
        for (unsigned left = random() % 30; left > 0; --left)
            bytes[bytes.size() - 1 - random() % (64 * 40)] = static_cast<char>(random());
        if (round % 7 == 0) bytes.resize(random() % bytes.size());
        const ElfFile elf(std::move(bytes));
        elf.has_section(".text");
        elf.needed_versions();
        elf.interpreters();
        elf.has_dynamic(DT_AUDIT);
        for (const Elf64_Phdr& segment : elf.segments()) ASSERT_LE(elf.content(segment).size(), whole.size());
        named += elf.build_id().size() == 20;
        for (const std::uint32_t table : {SHT_SYMTAB, SHT_DYNSYM})
            elf.each_symbol(table, [](const Elf64_Sym&, std::string_view name) { return name.size() < 1u << 20; });
    }
    EXPECT_GT(named, 0u);
    EXPECT_LT(named, static_cast<std::size_t>(rounds));
}

}  // namespace
}  // namespace raddle::testing
