#include "tests/process/programs.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

namespace raddle::testing {

namespace fs = std::filesystem;

namespace {

// A directory for compiled programs, removed at the end of the tests.
struct Folder {
    fs::path path;
    Folder() {
        std::string name = fs::temp_directory_path() / "raddle-process-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path = name;
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

}  // namespace

std::string program(const std::string& source, const std::string& flags, const std::string& compiler) {
    static Folder folder;
    static std::map<std::string, std::string> known;
    std::string& path = known[compiler + flags + source];
    if (!path.empty()) return path;
    const fs::path made = folder.path / ("p" + std::to_string(known.size()));
    const std::string text = made.string() + (compiler.ends_with("++") ? ".cpp" : ".c");
    std::ofstream(text) << source;
    const std::string command = compiler + " -O1 -g -pthread -w " + text + " -o " + made.string() + " " + flags;
    if (std::system(command.c_str()) != 0) throw std::runtime_error("does not compile: " + command);
    return path = made.string();
}

std::string cxx_program(const std::string& source) { return program(source, "-std=c++20", "c++"); }

ProcessOptions running(const std::string& path) {
    ProcessOptions options;
    const char* threads = std::getenv("RADDLE_TEST_THREADS");
    if (threads != nullptr && std::string(threads) == "kernel") options.threads = Threads::kernel;
    options.argv = {path};
    options.shim = std::string(RADDLE_BUILD_DIR) + "/lib/libraddle-preload.so";
    options.output = options.errors = Output::capture;
    return options;
}

Plan run_on() { return {}; }

Plan random_plan(std::uint64_t seed) {
    Plan plan;
    plan.tail.kind = TailKind::random;
    plan.tail.seed = seed;
    return plan;
}

Plan following(const std::string& schedule) {
    Plan plan;
    plan.prefix = parse_schedule(schedule);
    return plan;
}

std::string story_of(const Execution& execution) {
    std::string story;
    for (const Event& event : execution.events)
        story += text_of(event) + " @" + std::to_string(event.action.site) + " v" + std::to_string(event.value) + " t" +
                 std::to_string(event.action.limit_or_initial) + "\n";
    return story + name_of(execution.verdict) + " " + execution.message;
}

namespace {

std::vector<int> numbers_of_processes(const std::string& path) {
    std::vector<int> numbers;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const fs::path executable = fs::read_symlink(entry.path() / "exe", error);
        if (!error && executable == path) numbers.push_back(std::stoi(entry.path().filename()));
    }
    return numbers;
}

}  // namespace

int processes_of(const std::string& path) { return static_cast<int>(numbers_of_processes(path).size()); }

bool kill_one_of(const std::string& path) {
    const std::vector<int> numbers = numbers_of_processes(path);
    return !numbers.empty() && ::kill(*std::max_element(numbers.begin(), numbers.end()), SIGKILL) == 0;
}

}  // namespace raddle::testing
