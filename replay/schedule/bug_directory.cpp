#include "replay/schedule/bug_directory.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <system_error>

#include "supervisor/base/error.h"
#include "supervisor/base/files.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

constexpr const char* found_name = "schedule";
constexpr const char* minimal_name = "minimal.schedule";
constexpr const char* then_name = "then.schedule";
constexpr const char* divergence_name = "divergence";
constexpr std::size_t largest_divergence = 1 << 20;

constexpr fs::perms for_all_to_run = fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                     fs::perms::others_read | fs::perms::others_exec;
constexpr fs::perms as_usual = fs::perms::unknown;

void write_file(const fs::path& path, const std::string& text, fs::perms rights = as_usual) {
    const fs::path fresh = path.string() + ".new";
    std::ofstream file(fresh, std::ios::binary);
    std::error_code error;
    if (file && rights != as_usual) fs::permissions(fresh, rights, error);
    file << text;
    file.close();
    if (file && !error) fs::rename(fresh, path, error);
    if (!file || error) {
        std::error_code ignored;
        fs::remove(fresh, ignored);
        throw BadInput(path.string() + ": cannot be written" + (error ? ": " + error.message() : "") +
                       "; make room, or give another directory");
    }
}

// In single quotes, whatever is in it.
std::string repro_script(const ScheduleFile& schedule, const char* name, const std::string& raddle) {
    return "#!/bin/sh\n# " + std::string(name_of(schedule.verdict)) + ": " + one_line(schedule.message) +
           "\n# Ends with 1 if the bug shows again, 0 if the program ran clean, 4 if it went another way.\n"
           "here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd) || exit 2\n"
           "if [ -z \"${RADDLE:-}\" ]; then\n"
           "    RADDLE=$(command -v raddle) || RADDLE=" +
           shell_quoted(raddle) +
           "\nfi\n"
           "exec \"$RADDLE\" replay --trust \"$here" +
           name + "\" \"$@\"\n";
}

// Quoted as a Python string.
std::string python_word(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    return out + "\"";
}

// gdb passes its own path to raddle, which starts a prepared gdb. A gdb script does not know its own path.
std::string gdb_script(const fs::path& directory, const BugFiles& files) {
    return "# " + std::string(name_of(files.minimal.verdict)) + ": " + one_line(files.minimal.message) +
           "\n# gdb -x repro.gdb runs the program to where the bug shows: type run, then raddle why, raddle bt all, raddle back.\n"
           "# It is the same as ./repro.sh --gdb. If the directory was moved, start it in there.\n"
           "python\nimport os, shutil\n"
           "schedules = [os.path.join(place, " +
           python_word(minimal_name) + ") for place in (" +
           python_word(one_line(fs::absolute(directory).lexically_normal().string())) +
           ", os.getcwd())]\n"
           "raddle = os.environ.get('RADDLE') or shutil.which('raddle') or " +
           python_word(one_line(files.raddle)) +
           "\n"
           "os.execv(raddle, [raddle, 'replay', '--trust', next(filter(os.path.exists, schedules), schedules[0]), '--gdb'])\nend\n";
}

fs::path schedule_path_in(const fs::path& place) {
    std::error_code error;
    if (!fs::is_directory(place, error)) return place;
    return fs::exists(place / minimal_name, error) ? place / minimal_name : place / found_name;
}

std::string text_in(const fs::path& file) {
    auto content = content_of(file);
    if (!content)
        throw BadInput(file.string() + ": cannot be read; expected a schedule file, or the directory of a bug");
    return std::move(*content);
}

Bug bug_in(const fs::path& directory, unsigned number) {
    const fs::path path = schedule_path_in(directory);
    std::string text = text_in(path);
    const ScheduleFile file = parse_schedule_file(text, path.string());
    const Finding finding{file.verdict, file.preemptions, file.schedule(), file.message, file.key};
    Bug bug{{finding}};
    bug.minimised = {finding, file.fewest};
    bug.filed = Filed{.number = number, .directory = directory.string(), .schedule = std::move(text)};
    return bug;
}

}  // namespace

void write_bug(const fs::path& directory, const BugFiles& files) {
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) throw BadInput(directory.string() + ": cannot be made: " + error.message());
    const std::vector<std::string> hint = {"raddle replay runs it again."};
    write_file(directory / found_name, text_of(files.found, hint));
    write_file(directory / minimal_name, text_of(files.minimal, hint));
    write_file(directory / "report.txt", files.report);
    if (!files.stacks.empty()) write_file(directory / "stacks.json", files.stacks);
    if (!files.page.empty()) write_file(directory / "report.html", files.page);
    write_file(directory / "stdout", files.output);
    write_file(directory / "stderr", files.errors);
    write_file(directory / "repro.sh", repro_script(files.minimal, "/minimal.schedule", files.raddle), for_all_to_run);
    write_file(directory / "repro.gdb", gdb_script(directory, files));
}

void write_divergence(const fs::path& directory, const DivergenceFiles& files) {
    std::error_code error;
    fs::create_directories(directory, error);
    if (!error) fs::permissions(directory, fs::perms::owner_all, error);
    if (error) throw BadInput(directory.string() + ": cannot be made: " + error.message());
    const fs::perms owners = fs::perms::owner_read | fs::perms::owner_write;
    const std::vector<std::string> hint = {"raddle replay runs it again."};
    if (files.then) write_file(directory / then_name, text_of(*files.then, hint), owners);
    write_file(directory / divergence_name, text_of(files.record), owners);
    write_file(directory / "report.txt", files.report, owners);
    if (!files.page.empty()) write_file(directory / "report.html", files.page, owners);
    write_file(directory / "repro.sh", repro_script(files.first, "", files.raddle), fs::perms::owner_all);
    write_file(directory / found_name, text_of(files.first, hint), owners);  // last: it makes the directory a bug's
}

void write_minimal(const fs::path& directory, const std::string& text) { write_file(directory / minimal_name, text); }

std::string bug_name(unsigned number, Verdict verdict) {
    std::string digits = std::to_string(number);
    digits.insert(0, digits.size() < 4 ? 4 - digits.size() : 0, '0');
    return digits + "-" + name_of(verdict);
}

std::string directory_name_of(const Bug& bug) {
    return bug.filed ? fs::path(bug.filed->directory).filename().string() : "";
}

std::string replay_command_of(const Bug& bug) {
    return bug.filed && !bug.filed->directory.empty() ? "raddle replay " + shell_word(bug.filed->directory) : "";
}

std::vector<Bug> bugs_in(const fs::path& directory) {
    std::vector<Bug> bugs;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
        const std::string name = entry.path().filename().string();
        const std::size_t digits = name.find('-');
        if (digits == std::string::npos || digits == 0 || digits > 9) continue;
        if (!std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(digits),
                         [](unsigned char c) { return std::isdigit(c) != 0; }))
            continue;
        try {
            bugs.push_back(bug_in(entry.path(), static_cast<unsigned>(std::stoul(name))));
        } catch (const BadInput&) {}
    }
    std::sort(bugs.begin(), bugs.end(), [](const Bug& a, const Bug& b) { return a.filed->number < b.filed->number; });
    return bugs;
}

void add_files(std::vector<Bug>& bugs, const std::vector<Bug>& in_directories) {
    for (Bug& bug : bugs)
        if (const Bug* known = find_bug(in_directories, key_of(bug.found))) {
            bug.minimised = known->minimised;
            bug.filed = known->filed;
        }
}

void add_written_divergences(std::vector<Bug>& bugs, const std::vector<Bug>& in_directories) {
    for (const Bug& bug : in_directories)
        if (bug.found.verdict == Verdict::diverged && find_bug(bugs, key_of(bug.found)) == nullptr) bugs.push_back(bug);
}

ScheduleFile schedule_file_of(const Bug& bug) { return parse_schedule_file(bug.filed->schedule, bug.filed->directory); }

bool has_schedule(const fs::path& directory) {
    std::error_code error;
    return fs::exists(directory / minimal_name, error) || fs::exists(directory / found_name, error);
}

DivergenceRecord read_divergence(const fs::path& directory) {
    const fs::path path = directory / divergence_name;
    const auto text = content_of(path, largest_divergence);
    if (!text) throw BadInput(path.string() + ": cannot be read; expected the record of a divergence");
    return parse_divergence(*text, path.string());
}

ScheduleFile read_bug(const fs::path& place) {
    const fs::path file = schedule_path_in(place);
    return parse_schedule_file(text_in(file), file.string());
}

}  // namespace raddle
