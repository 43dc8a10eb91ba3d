// Runs the raddle that was built, like a user.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace raddle::testing {

// The thread sanitizer replaces vfork by fork, so the parent does not learn that the child's exec failed.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool child_tells_what_failed = false;
#else
inline constexpr bool child_tells_what_failed = true;
#endif

struct Ended {
    int status = -1;  // 128 + the signal's number if a signal ended it
    std::string out;
    std::string errors;
    double seconds = 0;
};

struct Conditions {
    std::string input;                     // for standard input
    std::vector<std::string> environment;  // added to the test's own
    // Called repeatedly with the standard output so far; once it returns true, the signal is sent.
    std::function<bool(const std::string& out)> when{};
    int signal = 0;
    std::string directory{};  // working directory; empty: for raddle a private one, removed afterwards
};

// Removed with its contents by the destructor.
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

// The one object printed by raddle run --json.
nlohmann::json json_of(const Ended& outcome);

std::string sample(const std::string& name);  // "deadlock/abba"
// Compiles a program in `place` that fails only until a given file exists, and creates that file.
std::string moody_program(const PrivateDirectory& place);
// True if the stored campaign reports at least one execution.
bool has_executed(const std::string& campaign);
std::size_t lines_in(const std::string& text);
std::vector<std::string> command_names();  // as listed by raddle help
bool is_installed(const std::string& tool);
std::string content_of(const std::string& path);  // empty if it cannot be read

}  // namespace raddle::testing
