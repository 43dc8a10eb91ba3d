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

void write_file(const fs::path& path, const std::string& text, bool executable = false) {
    const fs::path fresh = path.string() + ".new";
    std::ofstream file(fresh, std::ios::binary);
    file << text;
    file.close();
    std::error_code error;
    if (file && executable)
        fs::permissions(fresh,
                        fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read |
                            fs::perms::others_exec,
                        error);
    if (file && !error) fs::rename(fresh, path, error);
    if (!file || error) {
        std::error_code ignored;
        fs::remove(fresh, ignored);
        throw BadInput(path.string() + ": cannot be written" + (error ? ": " + error.message() : "") +
                       "; make room, or give another directory");
    }
}

// In single quotes, whatever is in it.
std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return text;
}

std::string repro_script(const BugFiles& files) {
    return "#!/bin/sh\n# " + std::string(name_of(files.minimal.verdict)) + ": " + one_line(files.minimal.message) +
           "\n# Ends with 1 if the bug shows again, 0 if the program ran clean, 4 if it went another way.\n"
           "here=$(CDPATH= cd -- \"$(dirname -- \"$0\")\" && pwd) || exit 2\n"
           "if [ -z \"${RADDLE:-}\" ]; then\n"
           "    RADDLE=$(command -v raddle) || RADDLE=" +
           shell_quoted(files.raddle) +
           "\nfi\n"
           "exec \"$RADDLE\" replay \"$here/" +
           minimal_name + "\" \"$@\"\n";
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
           "os.execv(raddle, [raddle, 'replay', next(filter(os.path.exists, schedules), schedules[0]), '--gdb'])\nend\n";
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
    write_file(directory / "repro.sh", repro_script(files), true);
    write_file(directory / "repro.gdb", gdb_script(directory, files));
}

void write_minimal(const fs::path& directory, const std::string& text) { write_file(directory / minimal_name, text); }

std::string bug_name(unsigned number, Verdict verdict) {
    std::string digits = std::to_string(number);
    digits.insert(0, digits.size() < 4 ? 4 - digits.size() : 0, '0');
    return digits + "-" + name_of(verdict);
}

std::vector<KnownBug> bugs_in(const fs::path& directory) {
    std::vector<KnownBug> bugs;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
        const std::string name = entry.path().filename().string();
        const std::size_t digits = name.find('-');
        if (digits == std::string::npos || digits == 0 || digits > 9) continue;
        if (!std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(digits),
                         [](unsigned char c) { return std::isdigit(c) != 0; }))
            continue;
        try {
            bugs.push_back({static_cast<unsigned>(std::stoul(name)), entry.path(), read_bug(entry.path())});
        } catch (const BadInput&) {}
    }
    std::sort(bugs.begin(), bugs.end(), [](const KnownBug& a, const KnownBug& b) { return a.number < b.number; });
    return bugs;
}

const KnownBug* find_bug(const std::vector<KnownBug>& bugs, const Finding& finding) {
    const auto found = std::find_if(bugs.begin(), bugs.end(), [&](const KnownBug& one) {
        return one.minimal.verdict == finding.verdict && one.minimal.key == finding.key;
    });
    return found == bugs.end() ? nullptr : &*found;
}

bool has_schedule(const fs::path& directory) {
    std::error_code error;
    return fs::exists(directory / minimal_name, error) || fs::exists(directory / found_name, error);
}

ScheduleFile read_bug(const fs::path& place) {
    std::error_code error;
    fs::path file = place;
    if (fs::is_directory(place, error))
        file = fs::exists(place / minimal_name, error) ? place / minimal_name : place / found_name;
    const auto content = content_of(file);
    if (!content)
        throw BadInput(file.string() + ": cannot be read; expected a schedule file, or the directory of a bug");
    return parse_schedule_file(*content, file.string());
}

}  // namespace raddle
