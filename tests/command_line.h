// Running the raddle that was built, as a user would.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace raddle::testing {

// The thread sanitizer makes a fork of vfork: what the child could not execute is not told its parent then.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool child_tells_what_failed = false;
#else
inline constexpr bool child_tells_what_failed = true;
#endif

struct Ended {
    int status = -1;  // 128 and the signal's number if a signal ended it
    std::string out;
    std::string errors;
    double seconds = 0;
};

struct Conditions {
    std::string input;                     // for standard input
    std::vector<std::string> environment;  // added to ours
    // Asked again and again with what was written to standard output so far; once it holds, the signal is sent.
    std::function<bool(const std::string& out)> when{};
    int signal = 0;
    std::string directory{};               // to run in; empty: for raddle a private one that is gone afterwards
};

// Gone with its content when this is.
class PrivateDirectory {
public:
    PrivateDirectory();
    ~PrivateDirectory();
    PrivateDirectory(const PrivateDirectory&) = delete;
    PrivateDirectory& operator=(const PrivateDirectory&) = delete;
    const std::string& path() const { return path_; }
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

// words[0] is looked up in PATH.
Ended execute(const std::vector<std::string>& words, const Conditions& conditions = {});
Ended raddle(std::vector<std::string> words, const Conditions& conditions = {});

// The one object that raddle run --json prints.
nlohmann::json json_of(const Ended& outcome);

std::string sample(const std::string& name);  // "deadlock/abba"
// A program, compiled there, that fails only as long as the file it is given does not exist; it then makes it.
std::string moody_program(const PrivateDirectory& place);
// Whether the campaign kept there says that something was executed.
bool has_executed(const std::string& campaign);
std::size_t lines_in(const std::string& text);
std::vector<std::string> command_names();  // as raddle help lists them
bool is_installed(const std::string& tool);
std::string content_of(const std::string& path);  // empty if it cannot be read

}  // namespace raddle::testing
