// The private memory of a process that stands still, word by word, to compare two executions.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace raddle {

class MemorySnapshot {
public:
    // All writable private memory, except the shim's own. Pages that the process never touched are left out.
    static MemorySnapshot of(pid_t process);

    struct Word {
        std::uint64_t address = 0;
        std::uint64_t first = 0, then = 0;
        std::string mapping;  // "[heap]", the file name of a library; empty: memory without a name
    };
    struct Difference {
        std::vector<Word> words;  // the first ones, by address
        std::uint64_t count = 0;  // of all
        explicit operator bool() const { return count > 0; }
    };
    // Words in these ranges do not count: dead stack.
    using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    Difference difference(const MemorySnapshot& then, const Ranges& ignored, std::size_t most) const;

    // False if the system does not let us read it.
    bool was_read() const { return was_read_; }
    // The mapping around an address begins here; 0: there is none.
    std::uint64_t mapping_begin(std::uint64_t address) const;

private:
    static constexpr std::size_t words_of_page = 512;
    using Page = std::array<std::uint64_t, words_of_page>;
    struct Mapping {
        std::uint64_t begin = 0, end = 0;
        std::string name;
        bool has_file = false;
        std::vector<std::pair<std::uint64_t, Page>> pages;  // by address
    };
    const Page* page_at(std::uint64_t address) const;  // null: not touched
    const Mapping* mapping_at(std::uint64_t address) const;

    std::vector<Mapping> mappings_;  // by address
    bool was_read_ = false;
};

}  // namespace raddle
