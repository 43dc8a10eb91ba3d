// Hundreds of instructions have the same effect when they are executed from a copy elsewhere.
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/memory/explore.h"

namespace raddle {
namespace {

namespace fs = std::filesystem;

struct Native {
    std::string output;
    int status = 0;
};

Native run_natively(const std::string& command) {
    Native native;
    FILE* pipe = ::popen(("timeout 10 setarch -R " + command + " 2>/dev/null </dev/null").c_str(), "r");
    std::array<char, 65536> some;
    for (std::size_t got; (got = std::fread(some.data(), 1, some.size(), pipe)) > 0;)
        native.output.append(some.data(), got);
    native.status = ::pclose(pipe);
    return native;
}

std::string under_raddle(ProcessOptions options, Execution& execution) {
    options.output = Output::capture;
    options.capture_limit = 1 << 24;
    options.max_steps = 500000;
    options.exec_timeout = std::chrono::seconds{60};
    ProcessTarget target(options);
    Plan plan;
    plan.epoch = options.code->epoch();
    execution = target.run(plan);
    return target.output();
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        lines.push_back(text.substr(begin, end - begin));
    return lines;
}

void expect_same_instructions(MemoryLevel level, const std::string& rounds) {
    const std::string program = lockless_program("O2", "instructions");
    const std::vector<std::string> native = lines_of(run_natively(program + " " + rounds).output);
    ASSERT_GT(native.size(), 800u);
    Execution execution;
    const std::vector<std::string> ours = lines_of(under_raddle(with_memory({program, rounds}, level), execution));
    EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
    ASSERT_EQ(ours.size(), native.size());
    for (std::size_t i = 0; i < native.size(); ++i) EXPECT_EQ(ours[i], native[i]);
}

TEST(Instructions, HaveTheSameEffectWhenWatched) { expect_same_instructions(MemoryLevel::races, "3"); }
TEST(Instructions, HaveTheSameEffectWhenVisible) { expect_same_instructions(MemoryLevel::all, "1"); }

// ---- copies of functions

void expect_same_output(const char* compiled, MemoryLevel level) {
    const std::string program = lockless_program(compiled, "copies");
    const std::vector<std::string> native = lines_of(run_natively(program).output);
    ASSERT_GT(native.size(), 40u);
    Execution execution;
    const std::vector<std::string> ours = lines_of(under_raddle(with_memory({program}, level), execution));
    EXPECT_EQ(execution.verdict, Verdict::ok) << execution.message;
    EXPECT_EQ(ours, native);
}

TEST(Copies, AreEnteredAndLeftInEveryWayWhenWatched) {
    expect_same_output("O0", MemoryLevel::races);
    expect_same_output("O2", MemoryLevel::races);
}
TEST(Copies, AreEnteredAndLeftInEveryWayWhenVisible) {
    expect_same_output("O0", MemoryLevel::all);
    expect_same_output("O2", MemoryLevel::all);
}

TEST(Copies, NeedBreakpointsForTwoOfAHundredVisibleAccessesAtMost) {
    const std::vector<std::vector<std::string>> programs = {{"wsq", "4"},      {"readers", "5"}, {"lastzero", "6"},
                                                            {"indexer", "12"}, {"copies"},       {"lost_update"}};
    for (const std::vector<std::string>& one : programs) {
        std::vector<std::string> argv = one;
        argv[0] = lockless_program("O2", one[0]);
        const ProcessOptions options = with_memory(argv, MemoryLevel::all);
        ProcessTarget target(options);
        Plan plan;
        plan.epoch = options.code->epoch();
        target.run(plan);
        const auto [all, slow] = target.visible_accesses();
        EXPECT_GT(all, 0u) << one[0];
        EXPECT_LE(slow * 50, all) << one[0] << ": " << slow << " of " << all;
    }
}

// ---- programs of this system

bool links_libc(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string head(1 << 16, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    return head.starts_with("\177ELF") && head.find("ld-linux-x86-64") != std::string::npos;
}

std::vector<std::string> programs_of_this_system() {
    std::vector<std::string> programs;
    for (const auto& entry : fs::directory_iterator("/usr/bin")) {
        std::error_code error;
        const auto status = fs::status(entry, error);
        if (error || entry.is_symlink() || !fs::is_regular_file(status)) continue;
        const auto special = fs::perms::set_uid | fs::perms::set_gid;
        if ((status.permissions() & special) != fs::perms::none ||
            (status.permissions() & fs::perms::others_exec) == fs::perms::none)
            continue;
        if (links_libc(entry.path())) programs.push_back(entry.path());
    }
    std::sort(programs.begin(), programs.end());
    return programs;
}

// Skips programs whose output varies from run to run, and programs that raddle refuses to run.
std::optional<std::string> compare_version_of(const std::string& program) {
    const Native once = run_natively(program + " --version"), twice = run_natively(program + " --version");
    if (once.output != twice.output || once.status != twice.status || WEXITSTATUS(once.status) >= 124)
        return std::nullopt;
    Execution execution;
    const std::string ours = under_raddle(with_memory({program, "--version"}, MemoryLevel::races), execution);
    if (execution.verdict == Verdict::uncontrolled || execution.verdict == Verdict::diverged) return std::nullopt;
    if (ours == once.output && execution.exit_status == WEXITSTATUS(once.status)) return "";
    return program + ": " + text_of(execution.verdict) + ": " + execution.message + "\n" + ours.substr(0, 200) +
           "\ninstead of\n" + once.output.substr(0, 200);
}

TEST(Programs, PrintTheSameWithEveryInstructionWatched) {
    const bool nightly = std::getenv("RADDLE_NIGHTLY") != nullptr;
    const std::vector<std::string> programs = programs_of_this_system();
    const std::size_t stride = nightly ? 1 : programs.size() / 12 + 1;
    std::size_t compared = 0, differences = 0;
    for (std::size_t i = 0; i < programs.size(); i += stride) {
        const auto difference = compare_version_of(programs[i]);
        if (!difference) continue;
        ++compared;
        if (difference->empty()) continue;
        ++differences;
        ADD_FAILURE() << *difference;
    }
    RecordProperty("compared", std::to_string(compared));
    std::printf("compared %zu of %zu programs, %zu differ\n", compared, programs.size(), differences);
    EXPECT_GT(compared, nightly ? 250u : 3u);
}

}  // namespace
}  // namespace raddle
