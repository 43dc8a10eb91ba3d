#include "supervisor/engine/settings/values.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <regex>
#include <utility>

#include "supervisor/search/strategy.h"

namespace raddle {

namespace {

using std::chrono::milliseconds;

std::vector<std::string> strategy_names() {
    std::vector<std::string> names;
    for (const StrategyRow& row : strategy_rows()) names.emplace_back(row.name);
    return names;
}
std::vector<std::string> memory_levels() { return {"auto", "sync", "atomics", "races", "all"}; }
std::vector<std::string> uses_of_races() { return {"report", "explore", "ignore"}; }
std::vector<std::string> fork_places() { return {"auto", "start", "exec"}; }
std::vector<std::string> restarts() { return {"auto", "restore", "fork", "exec"}; }
std::vector<std::string> kinds_of_threads() { return {"auto", "fibers", "kernel"}; }
std::vector<std::string> uses_of_naps() { return {"auto", "always", "never"}; }
std::vector<std::string> independences() { return {"fine", "plain", "values"}; }
std::vector<std::string> outputs() { return {"discard", "inherit"}; }
std::vector<std::string> streams() { return {"stdout", "stderr"}; }
std::vector<std::string> resumptions() { return {"auto", "must", "never"}; }
std::vector<std::string> failures() { return {"exit", "signal", "stderr=", "stdout-differs", "file-differs="}; }
std::vector<std::string> usual_sizes() { return {"512M", "2G", "8G"}; }
std::vector<std::string> usual_durations() { return {"30s", "5m", "2h"}; }
std::vector<std::string> usual_patiences() { return {"none", "1s", "10s"}; }
std::vector<std::string> usual_bounds() { return {"none", "0", "1", "2", "3"}; }

template <std::vector<std::string> (*words)()>
bool is_one_of(const std::string& text) {
    const std::vector<std::string> known = words();
    return std::find(known.begin(), known.end(), text) != known.end();
}

bool is_count_within(const std::string& text, std::uint64_t least, std::uint64_t most) {
    const auto count = read_count(text);
    return count && *count >= least && *count <= most;
}

}  // namespace

const ValueForm any_count{"a whole number, 0 or more",
                          [](const std::string& text) { return read_count(text).has_value(); }};
const ValueForm positive_count{"a whole number, 1 or more", [](const std::string& text) {
                                   return is_count_within(text, 1, std::numeric_limits<std::uint64_t>::max());
                               }};
const ValueForm job_count{"a whole number from 1 to 256",
                          [](const std::string& text) { return is_count_within(text, 1, most_jobs); }};
const ValueForm size_form{"a size of at least 1M, such as 512M or 4G",
                          [](const std::string& text) { return read_size(text).has_value(); }, Completes::words,
                          usual_sizes};
const ValueForm duration_form{"a duration above 0, such as 500ms, 30s, 5m or 2h",
                              [](const std::string& text) { return read_duration(text).has_value(); }, Completes::words,
                              usual_durations};
const ValueForm patience_form{"a duration above 0, such as 500ms, 30s, 5m or 2h, or none",
                              [](const std::string& text) { return text == "none" || read_duration(text).has_value(); },
                              Completes::words, usual_patiences};
const ValueForm bound_form{
    "a number of preemptions, or none",
    [](const std::string& text) { return text == "none" || is_count_within(text, 0, 1'000'000); }, Completes::words,
    usual_bounds};
const ValueForm strategy_form{"a strategy (see raddle strategies)", is_one_of<strategy_names>, Completes::words,
                              strategy_names};
const ValueForm fork_form{"auto, start or exec", is_one_of<fork_places>, Completes::words, fork_places};
const ValueForm restart_form{"auto, restore, fork or exec", is_one_of<restarts>, Completes::words, restarts};
const ValueForm naps_form{"auto, always or never", is_one_of<uses_of_naps>, Completes::words, uses_of_naps};
const ValueForm threads_form{"auto, fibers or kernel", is_one_of<kinds_of_threads>, Completes::words, kinds_of_threads};
const ValueForm memory_form{"auto, sync, atomics, races or all", is_one_of<memory_levels>, Completes::words,
                            memory_levels};
const ValueForm races_form{"report, explore or ignore", is_one_of<uses_of_races>, Completes::words, uses_of_races};
const ValueForm visible_form{"a list as raddle gives it, such as 3,5-9",
                             [](const std::string& text) { return !text.empty(); }};
const ValueForm independence_form{"fine, plain or values", is_one_of<independences>, Completes::words, independences};
const ValueForm output_form{"discard or inherit", is_one_of<outputs>, Completes::words, outputs};
const ValueForm stream_form{"stdout, stderr or files", is_one_of<streams>, Completes::words, streams};
const ValueForm resume_form{"auto, must or never", is_one_of<resumptions>, Completes::words, resumptions};
const ValueForm file_form{"the path of a file", [](const std::string& text) { return !text.empty(); },
                          Completes::files};
const ValueForm directory_form{"the path of a directory", [](const std::string& text) { return !text.empty(); },
                               Completes::directories};
const ValueForm library_form{"a file name, a path or a pattern", [](const std::string& text) { return !text.empty(); }};
const ValueForm expression_form{"a regular expression", [](const std::string& text) {
                                    try {
                                        const std::regex expression(text);
                                        return !text.empty();
                                    } catch (const std::regex_error&) {
                                        return false;
                                    }
                                }};
const ValueForm command_form{"a command for /bin/sh", [](const std::string& text) { return !text.empty(); }};
const ValueForm pattern_form{"a name, in which * stands for any text and ? for one character",
                             [](const std::string& text) { return !text.empty(); }};
const ValueForm framework_form{"the name of a test framework", [](const std::string& text) { return !text.empty(); }};
const ValueForm shard_form{"a part of all tests, such as 2/5",
                           [](const std::string& text) { return read_shard(text).has_value(); }};
const ValueForm failure_form{"exit, signal, stderr=RE, stdout-differs or file-differs=PATH",
                             [](const std::string& text) {
                                 return text == "exit" || text == "signal" || text == "stdout-differs" ||
                                        (text.starts_with("stderr=") && text != "stderr=") ||
                                        (text.starts_with("file-differs=") && text != "file-differs=");
                             },
                             Completes::words, failures};
const ValueForm exit_status_form{"an exit status from 0 to 255, or any",
                                 [](const std::string& text) { return text == "any" || is_count_within(text, 0, 255); },
                                 Completes::words,
                                 [] {
                                     return std::vector<std::string>{"0", "any"};
                                 }};
const ValueForm variable_form{"NAME=VALUE", [](const std::string& text) {
                                  const std::size_t equals = text.find('=');
                                  return equals != std::string::npos && equals > 0;
                              }};
const ValueForm address_form{"HOST:PORT or :PORT", [](const std::string& text) {
                                 const std::size_t colon = text.rfind(':');
                                 return colon != std::string::npos && is_count_within(text.substr(colon + 1), 1, 65535);
                             }};
const ValueForm profile_form{"the name of a profile in the configuration",
                             [](const std::string& text) { return !text.empty(); }};
// parse_schedule checks the rest, with a better message.
const ValueForm schedule_form{"a schedule, such as 'T0*4 T1 T2', or @FILE",
                              [](const std::string& text) { return !text.empty(); }, Completes::files};

std::optional<std::uint64_t> read_count(const std::string& text) {
    std::uint64_t count = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, count);
    if (text.empty() || error != std::errc{} || rest != end) return std::nullopt;
    return count;
}

std::optional<Shard> read_shard(const std::string& text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) return std::nullopt;
    const auto part = read_count(text.substr(0, slash)), all = read_count(text.substr(slash + 1));
    if (!part || !all || *part < 1 || *part > *all) return std::nullopt;
    return Shard{*part, *all};
}

std::optional<milliseconds> read_duration(const std::string& text) {
    static const std::pair<const char*, std::uint64_t> units[] = {
        {"ms", 1}, {"s", 1000}, {"m", 60 * 1000}, {"min", 60 * 1000}, {"h", 3600 * 1000}, {"d", 24 * 3600 * 1000}};
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto count = read_count(text.substr(0, digits));
    const std::string unit = digits == text.size() ? "s" : text.substr(digits);
    constexpr std::uint64_t ten_years = 10ULL * 366 * 24 * 3600 * 1000;
    for (const auto& [name, factor] : units) {
        if (unit != name) continue;
        if (!count || *count == 0 || *count > ten_years / factor) return std::nullopt;
        return milliseconds(static_cast<milliseconds::rep>(*count * factor));
    }
    return std::nullopt;
}

std::optional<std::uint64_t> read_size(const std::string& text) {
    static const std::pair<const char*, unsigned> units[] = {{"K", 10}, {"M", 20}, {"G", 30}, {"T", 40}};
    constexpr std::uint64_t least = std::uint64_t{1} << 20, most = std::uint64_t{1} << 50;
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto count = read_count(text.substr(0, digits));
    for (const auto& [name, shift] : units) {
        if (text.substr(digits) != name || !count || *count > most >> shift) continue;
        const std::uint64_t bytes = *count << shift;
        return bytes >= least ? std::optional(bytes) : std::nullopt;
    }
    return std::nullopt;
}

std::uint64_t count_of(const std::string& text) {
    const auto count = read_count(text);
    CHECK(count);
    return *count;
}

milliseconds duration_of(const std::string& text) {
    const auto duration = read_duration(text);
    CHECK(duration);
    return *duration;
}

std::uint64_t size_of(const std::string& text) {
    const auto size = read_size(text);
    CHECK(size);
    return *size;
}

std::optional<std::uint32_t> bound_of(const std::string& text) {
    if (text.empty() || text == "none") return std::nullopt;
    return static_cast<std::uint32_t>(count_of(text));
}

}  // namespace raddle
