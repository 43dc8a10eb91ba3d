#include "tests/command_line.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "supervisor/base/error.h"

namespace raddle::testing {

namespace {

// An unlinked file: it disappears when it is closed.
class Scratch {
public:
    explicit Scratch(const std::string& content = {}) : file_(std::tmpfile()) {
        CHECK(file_ != nullptr);
        std::fwrite(content.data(), 1, content.size(), file_);
        std::rewind(file_);
    }
    ~Scratch() { std::fclose(file_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    int descriptor() const { return ::fileno(file_); }
    // Leaves the position alone that it shares with the process that writes.
    std::string content() const {
        std::string text;
        char part[4096];
        for (ssize_t got; (got = ::pread(descriptor(), part, sizeof part, static_cast<off_t>(text.size()))) > 0;)
            text.append(part, static_cast<std::size_t>(got));
        return text;
    }

private:
    std::FILE* file_;
};

const std::string& state_of_tests() {
    static const PrivateDirectory own;
    return own.path();
}

[[noreturn]] void become(const std::vector<std::string>& words, const Conditions& conditions) {
    ::unsetenv("CI");
    ::setenv("XDG_STATE_HOME", state_of_tests().c_str(), 1);  // raddle remembers nothing for the user who tests it
    if (!conditions.directory.empty() && ::chdir(conditions.directory.c_str()) != 0) ::_exit(98);
    for (const std::string& variable : conditions.environment) ::putenv(const_cast<char*>(variable.c_str()));
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    ::_exit(99);
}

}  // namespace

Ended execute(const std::vector<std::string>& words, const Conditions& conditions) {
    Scratch in(conditions.input), out, errors;
    state_of_tests();  // this process removes it, not a child
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    CHECK(child >= 0);
    if (child == 0) {
        ::dup2(in.descriptor(), 0);
        ::dup2(out.descriptor(), 1);
        ::dup2(errors.descriptor(), 2);
        become(words, conditions);
    }
    int status = 0;
    bool ended = false;
    for (bool holds = !conditions.when; !holds && !ended;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        ended = ::waitpid(child, &status, WNOHANG) == child;
        if (!ended && (holds = conditions.when(out.content())) && conditions.signal != 0)
            ::kill(child, conditions.signal);
    }
    CHECK(ended || ::waitpid(child, &status, 0) == child);
    Ended outcome;
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.out = out.content();
    outcome.errors = errors.content();
    return outcome;
}

Ended raddle(std::vector<std::string> words, const Conditions& conditions) {
    words.insert(words.begin(), RADDLE_BUILD_DIR "/bin/raddle");
    if (!conditions.directory.empty()) return execute(words, conditions);
    const PrivateDirectory own;
    Conditions there = conditions;
    there.directory = own.path();
    return execute(words, there);
}

PrivateDirectory::PrivateDirectory() {
    path_ = (std::filesystem::temp_directory_path() / "raddle-test-XXXXXX").string();
    CHECK(::mkdtemp(path_.data()) != nullptr);
}

PrivateDirectory::~PrivateDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

nlohmann::json json_of(const Ended& outcome) { return nlohmann::json::parse(outcome.out); }

std::string sample(const std::string& name) { return RADDLE_BUILD_DIR "/samples/" + name; }

bool has_executed(const std::string& campaign) {
    const Ended status = raddle({"status", "--json", campaign});
    return status.status == 0 && json_of(status)["executions"] > 0;
}

std::size_t lines_in(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::vector<std::string> command_names() {
    std::istringstream page(raddle({"help"}).out);
    std::vector<std::string> names;
    std::string line;
    while (std::getline(page, line) && line != "commands:") {}
    while (std::getline(page, line) && !line.empty()) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        if (line.size() > 2 && line[2] != ' ') names.push_back(name);
    }
    return names;
}

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool is_installed(const std::string& tool) { return execute({"sh", "-c", "command -v " + tool}).status == 0; }

std::string moody_program(const PrivateDirectory& place) {
    const std::string source = place / "moody.c", program = place / "moody";
    std::ofstream(source) << R"(
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>
static void* nothing(void* x) { return x; }
int main(int count, char** words) {
    pthread_t t;
    pthread_create(&t, 0, nothing, 0);
    pthread_join(t, 0);
    int file = open(words[1], O_WRONLY | O_APPEND | O_CREAT, 0600);
    struct stat status;
    fstat(file, &status);
    write(file, "x", 1);
    assert(count < 2 || status.st_size != 0);
    return 0;
}
)";
    execute({"gcc", "-O1", "-pthread", "-o", program, source});
    return program;
}

}  // namespace raddle::testing
