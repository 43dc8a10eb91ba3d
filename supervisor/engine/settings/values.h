// The forms of values: the check, the reader, and the words for completion.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/base/error.h"

namespace raddle {

constexpr unsigned most_jobs = 256;

enum class Completes { words, files, directories, nothing };

struct ValueForm {
    const char* expected;  // "a whole number": ends the sentence "expected …"
    bool (*accepts)(const std::string&);
    Completes completes = Completes::nothing;
    std::vector<std::string> (*words)() = nullptr;  // all valid words, or the usual ones
};

extern const ValueForm any_count, positive_count, job_count, size_form, duration_form, patience_form, bound_form,
    strategy_form, fork_form, restart_form, threads_form, naps_form, memory_form, races_form, visible_form,
    independence_form, output_form, file_form, directory_form, address_form, variable_form, schedule_form, profile_form,
    resume_form, command_form, failure_form, exit_status_form, stream_form, pattern_form, expression_form, library_form,
    framework_form, shard_form;

// Each returns nothing for a text of another form.
std::optional<std::uint64_t> read_count(const std::string& text);
std::optional<std::chrono::milliseconds> read_duration(const std::string& text);
std::optional<std::uint64_t> read_size(const std::string& text);  // in bytes
// The part of one of several machines that share the tests: "2/5" are the tests 2, 7, 12 ...
struct Shard {
    std::uint64_t part = 1, all = 1;
};
std::optional<Shard> read_shard(const std::string& text);

// For checked texts only.
std::uint64_t count_of(const std::string& text);
std::chrono::milliseconds duration_of(const std::string& text);
std::uint64_t size_of(const std::string& text);
std::optional<std::uint32_t> bound_of(const std::string& text);  // none: nothing

}  // namespace raddle
