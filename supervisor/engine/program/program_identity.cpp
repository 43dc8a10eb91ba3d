#include "supervisor/engine/program/program_identity.h"

#include <algorithm>
#include <filesystem>

#include "store/build_id.h"
#include "store/identity.h"
#include "supervisor/base/checksum.h"
#include "supervisor/base/text.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

std::string environment_mark(const std::vector<std::string>& entries) {
    Identity identity;
    identity.add_environment(entries);
    std::string all;
    for (const IdentityRow& row : identity.rows()) all += row.key + "=" + row.value + "\n";
    return fingerprint(all);
}

}  // namespace

std::vector<std::string> subject_options(const Settings& settings, const ProcessOptions& process) {
    std::vector<std::string> words = recorded_settings(settings, process);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const SettingRow* row =
            find_setting(words[i].substr(std::min<std::size_t>(words[i].size(), 2)), command::programs);
        if (!words[i].starts_with("--") || row == nullptr || row->is_flag()) continue;
        ++i;
        if (row->is_path()) words[i] = fs::absolute(words[i]).lexically_normal().string();
    }
    return words;
}

std::vector<std::string> recorded_program(const Settings& settings, const ProcessOptions& process) {
    std::vector<std::string> program = settings.program;
    program[0] = fs::absolute(find_executable(process.argv[0])).lexically_normal().string();
    return program;
}

Subject subject_of(const Settings& settings, const ProcessOptions& process) {
    Subject subject;
    subject.program = recorded_program(settings, process);
    const fs::path executable = subject.program[0];
    subject.directory = fs::current_path().string();
    subject.options = subject_options(settings, process);
    const std::vector<std::string> environment = wanted_environment(process);
    subject.environment = environment_mark(environment);
    for (const fs::path& path : files_loaded_by(executable, environment))
        subject.files.push_back({path.string(), build_id_of(path)});
    return subject;
}

Subject without_numbers_of_another_build(Subject recorded) {
    const auto visible = std::find(recorded.options.begin(), recorded.options.end(), "--visible");
    if (visible == recorded.options.end() || recorded.files.empty()) return recorded;
    try {
        if (build_id_of(fs::absolute(find_executable(recorded.program[0]))) == recorded.files[0].id) return recorded;
    } catch (const BadInput&) {
        return recorded;  // the run itself reports the reason
    }
    recorded.options.erase(visible, visible + 2);
    return recorded;
}

Recalled recalled(const Subject& subject, std::optional<std::vector<std::string>> environment) {
    Recalled recalled{settings_from(subject.options), {}};
    recalled.settings.program = subject.program;
    recalled.settings.environment = std::move(environment);
    recalled.process = process_options(recalled.settings);
    std::error_code error;
    if (recalled.process.directory.empty() && fs::is_directory(subject.directory, error))
        recalled.process.directory = subject.directory;
    return recalled;
}

}  // namespace raddle
