// Every function that glibc exports is in exactly one class: its effects count, it has none that matter, or it stands
// in not_looked_at.def. Functions of later versions of glibc are not looked at until somebody puts them into a table.
#include "preload/memory/calls/call_classes.h"

#include <dlfcn.h>
#include <elf.h>
#include <gnu/libc-version.h>
#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace raddle::memory {

namespace {

std::string file_of(const char* library) {
    void* const handle = dlopen(library, RTLD_NOW);
    if (handle == nullptr) return {};
    link_map* map = nullptr;
    dlinfo(handle, RTLD_DI_LINKMAP, &map);
    return map != nullptr ? map->l_name : "";
}

template <typename Row>
std::vector<Row> rows_of(const std::string& content, const ElfW(Shdr) & section) {
    std::vector<Row> rows(section.sh_size / sizeof(Row));
    std::memcpy(rows.data(), content.data() + section.sh_offset, rows.size() * sizeof(Row));
    return rows;
}

std::set<std::string> functions_of(const char* library) {
    std::ifstream file(file_of(library), std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(file)), {});
    std::set<std::string> names;
    ElfW(Ehdr) header;
    if (content.size() < sizeof header) return names;
    std::memcpy(&header, content.data(), sizeof header);
    std::vector<ElfW(Shdr)> sections(header.e_shnum);
    std::memcpy(sections.data(), content.data() + header.e_shoff, header.e_shnum * sizeof(ElfW(Shdr)));
    for (const ElfW(Shdr) & section : sections) {
        if (section.sh_type != SHT_DYNSYM) continue;
        const char* const texts = content.data() + sections[section.sh_link].sh_offset;
        for (const auto& symbol : rows_of<ElfW(Sym)>(content, section)) {
            const auto type = ELF64_ST_TYPE(symbol.st_info);
            if (symbol.st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC))
                names.insert(texts + symbol.st_name);
        }
    }
    return names;
}

// The words of not_looked_at.def. A star at the end stands for any further characters.
std::vector<std::string> not_looked_at() {
    std::vector<std::string> words;
#define RADDLE_NOT_LOOKED_AT(reason, names)                                                                      \
    {                                                                                                            \
        std::istringstream in(names);                                                                            \
        words.insert(words.end(), std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()); \
    }
#include "tests/calls/not_looked_at.def"
    return words;
}

bool is_listed(const std::vector<std::string>& words, const std::string& name) {
    for (const std::string& word : words)
        if (word.back() == '*' ? name.starts_with(word.substr(0, word.size() - 1)) : name == word) return true;
    return false;
}

bool is_newer_than_the_tables() {
    int major = 0, minor = 0;
    std::sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor);
    return major > 2 || minor > 36;
}

class EveryFunction : public testing::TestWithParam<const char*> {};

}  // namespace

TEST_P(EveryFunction, IsInOneClass) {
    const std::vector<std::string> words = not_looked_at();
    const std::set<std::string> names = functions_of(GetParam());
    ASSERT_GT(names.size(), 500u);
    std::string nowhere, twice;
    for (const std::string& name : names) {
        const bool is_known = class_of_call(name.c_str()) != CallClass::not_looked_at, listed = is_listed(words, name);
        if (!is_known && !listed) nowhere += ' ' + name;
        if (is_known && std::find(words.begin(), words.end(), name) != words.end()) twice += ' ' + name;
    }
    if (!is_newer_than_the_tables()) {
        EXPECT_EQ(nowhere, "") << "these stand in no table";
    }
    EXPECT_EQ(twice, "") << "these are not in not_looked_at.def alone";
}
INSTANTIATE_TEST_SUITE_P(Libraries, EveryFunction, testing::Values("libc.so.6", "libm.so.6"),
                         [](const auto& test) { return std::string(test.param).substr(0, 4); });

TEST(CallClasses, UnknownNamesAreNotLookedAt) {
    for (const char* name : {"", "wordexp", "a_function_of_glibc_9", "cosine", "str", "memcpyx", "_", "qsort_b"})
        EXPECT_EQ(class_of_call(name), CallClass::not_looked_at) << name;
}

TEST(CallClasses, Mathematics) {
    for (const char* name : {"cos", "cosf", "cosl", "cosf64x", "__cos_finite", "__powf_finite", "sqrtf32", "fmaxf128"})
        EXPECT_EQ(class_of_call(name), CallClass::unaffected) << name;
    for (const char* name : {"sincos", "frexp", "modfl", "strtod"})
        EXPECT_EQ(class_of_call(name), CallClass::followed) << name;
    for (const char* name : {"lgamma", "__lgamma_r_finite"})
        EXPECT_EQ(class_of_call(name), CallClass::not_looked_at) << name;
}

// A row of call_effects.def counts only if calls of its function lead to the shim.
TEST(CallClasses, EveryRowHasACallThatLeadsToTheShim) {
    const std::set<std::string> led = {
#define RADDLE_ACTION(type, name, ...) #name,
#define RADDLE_HOOK(type, name, ...) #name,
#define RADDLE_DESCRIPTOR_CALL(type, name, ...) #name,
#include "preload/intercept/functions.def"
#define RADDLE_PLAIN_CALL(name) #name,
#define RADDLE_PLAIN_CALL_OF(name, type) #name,
#define RADDLE_PRINTING_CALL(name, ...) #name,
#define RADDLE_PRINTING_LIST(name, ...) #name,
#include "preload/memory/calls/plain_calls.def"
#define RADDLE_FORMAT_CALL(name, ...) #name,
#define RADDLE_FORMAT_LIST(name, ...) #name,
#include "preload/memory/calls/format_calls.def"
        "printf", "fprintf",  // stream_locks.cpp exports them
    };
    const char* const rows[] = {
#define RADDLE_EFFECT(name, ...) #name,
#include "preload/memory/calls/call_effects.def"
    };
    std::set<std::string> before;
    std::string last;
    for (const std::string name : rows) {
        EXPECT_TRUE(led.contains(name)) << name << " has effects, but nothing follows its calls";
        if (name != last) {
            EXPECT_TRUE(before.insert(name).second) << "the rows of " << name << " do not stand together";
        }
        last = name;
    }
}

}  // namespace raddle::memory
