// The file "divergence" beside the schedule of a divergence: what differed, where, and what raddle found out about it.
//
//     raddle divergence 1
//     {"step": 9, …}                one JSON object
//     checksum 0123456789abcdef     of the two lines before
//
// It holds words of the program's memory, so only its owner can read it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "supervisor/model/types.h"

namespace raddle {

// A repetition differs in the same process of the program already, or only in another launch of it.
enum class Across : std::uint8_t { executions, launches };

// A word of memory that differed.
struct DifferingWord {
    std::string name;     // "choice", "i in body", "a word on the stack of T1"
    std::string mapping;  // "[heap]", the file name of the program or library; empty: none
    std::uint64_t address = 0;
    std::uint64_t first = 0, then = 0;

    friend bool operator==(const DifferingWord&, const DifferingWord&) = default;
};

// A setting that was tried.
struct TriedSetting {
    std::string option;  // "--memory races"
    std::string result;  // "the schedule did the same 5 times of 5"
    bool helped = false;

    friend bool operator==(const TriedSetting&, const TriedSetting&) = default;
};

struct DivergenceRecord {
    std::uint64_t step = 0;  // the first that differed, counted from 1; 0: it did not show again
    ThreadId thread{};       // its thread
    std::string first, then;
    std::string place;   // function and line of the step; empty: unknown
    std::string module;  // program or library
    Across across = Across::executions;
    unsigned runs = 0, differed = 0;  // repetitions

    bool read_memory = true;           // the system lets raddle read the memory of the program
    std::vector<DifferingWord> words;  // the first of them; empty: no word of memory differed before the step
    std::uint64_t word_count = 0;
    std::uint64_t after_step = 0;  // they came to differ after this step and before the next
    ThreadId cause_thread{};
    std::string cause;  // the likely cause, as a sentence; empty: not found

    std::vector<TriedSetting> tried;

    friend bool operator==(const DivergenceRecord&, const DivergenceRecord&) = default;
};

std::string text_of(const DivergenceRecord& record);
// Throws BadInput that names the file and says what is wrong.
DivergenceRecord parse_divergence(const std::string& text, const std::string& name);

// The setting that helped; null: none did.
const TriedSetting* advice_of(const DivergenceRecord& record);

}  // namespace raddle
