#include "store/identity.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "store/build_id.h"
#include "store/processor.h"
#include "supervisor/base/checksum.h"
#include "supervisor/base/hash.h"

namespace raddle {

namespace {

// They name the terminal and the session, and a program under test that looks at them is rare.
constexpr const char* passing_variables[] = {
    "_",          "COLUMNS",        "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",    "INVOCATION_ID",  "JOURNAL_STREAM",
    "LINES",      "OLDPWD",         "PWD",
    "SHLVL",      "SSH_AGENT_PID",  "SSH_AUTH_SOCK",
    "SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY",
    "STY",        "TERM",           "TERM_PROGRAM",
    "TMUX",       "TMUX_PANE",      "WAYLAND_DISPLAY",
    "WINDOWID",   "XDG_SESSION_ID", "NO_COLOR",
    "CI",
};

constexpr const char* variable = "environment ";
constexpr const char* file = "file ";
constexpr const char* processor = "the processor's features";

std::string text_of(const std::string& value) { return value.empty() ? "none" : value; }

// Those words of `a` that `b` has not: "avx2 fma".
std::string words_missing(const std::string& a, const std::string& b) {
    std::istringstream words(a);
    std::string text;
    for (std::string word; words >> word;)
        if ((" " + b + " ").find(" " + word + " ") == std::string::npos) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string difference_of(const std::string& key, const std::string& stored, const std::string& now) {
    if (key.starts_with(variable)) {
        const std::string name = key.substr(std::string(variable).size());
        if (now.empty()) return "the environment variable " + name + " was set, now it is not";
        return "the environment variable " + name + (stored.empty() ? " was not set, now it is" : " had another value");
    }
    if (key.starts_with(file)) {
        const std::string path = key.substr(std::string(file).size());
        if (stored.empty()) return path + " is loaded now (" + now + "), and was not";
        if (now.empty()) return path + " was loaded (" + stored + "), and is not now";
        return path + " has changed: it was " + stored + ", now it is " + now;
    }
    if (key == processor)
        return "the processor is another: it had " + text_of(words_missing(stored, now)) + ", now it has " +
               text_of(words_missing(now, stored)) + " beside what both have";
    return key + " was " + text_of(stored) + ", now it is " + text_of(now);
}

}  // namespace

bool names_the_session(const std::string& name) {
    return std::any_of(std::begin(passing_variables), std::end(passing_variables),
                       [&](const char* passing) { return name == passing; });
}

void Identity::add_environment(const std::vector<std::string>& entries) {
    std::map<std::string, std::string> sorted;
    for (const std::string& entry : entries) {
        const std::size_t equals = entry.find('=');
        if (equals == std::string::npos) continue;
        const std::string name = entry.substr(0, equals);
        if (!names_the_session(name)) sorted[variable + name] = fingerprint(entry);
    }
    for (const auto& [key, value] : sorted) add(key, value);
}

void Identity::add_files(const std::filesystem::path& executable, const std::vector<std::string>& environment) {
    for (const std::filesystem::path& path : files_loaded_by(executable, environment))
        add(file + path.string(), build_id_of(path));
}

void Identity::add_processor() { add(processor, processor_features()); }

std::string Identity::value_of(const std::string& key) const {
    for (const IdentityRow& row : rows_)
        if (row.key == key) return row.value;
    return {};
}

std::string difference(const Identity& stored, const Identity& now) {
    for (const IdentityRow& row : now.rows())
        if (const std::string before = stored.value_of(row.key); before != row.value)
            return difference_of(row.key, before, row.value);
    for (const IdentityRow& row : stored.rows())
        if (now.value_of(row.key) != row.value) return difference_of(row.key, row.value, "");
    return {};
}

}  // namespace raddle
