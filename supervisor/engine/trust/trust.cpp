#include "supervisor/engine/trust/trust.h"

#include <filesystem>

#include "supervisor/engine/program/process_settings.h"
#include "supervisor/engine/program/program_identity.h"
#include "supervisor/engine/trust/recorded_command.h"
#include "supervisor/engine/trust/remembered.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> words_of_command(const RecordedCommand& command) {
    std::vector<std::string> words = {"command", std::to_string(command.program.size())};
    words.insert(words.end(), command.program.begin(), command.program.end());
    words.push_back(command.directory);
    for (const auto& [name, value] : command.options) {
        words.push_back(name);
        words.push_back(value);
    }
    return words;
}

std::vector<std::string> words_of_environment(const std::vector<std::string>& entries) {
    std::vector<std::string> words = {"environment"};
    words.insert(words.end(), entries.begin(), entries.end());
    return words;
}

RecordedCommand command_in(const RecordToRun& recorded) {
    Settings settings = settings_from(recorded.subject.options);
    settings.environment = recorded.environment;
    if (recorded.program.empty()) return command_of(settings, recorded.subject.program, recorded.subject.directory);
    return command_of(settings, recorded.program, fs::current_path().string());
}

// The user's own program, prepared by nothing that is in the record.
bool is_users_own(const RecordToRun& recorded, const RecordedCommand& command) {
    return !recorded.program.empty() && command.options.empty();
}

std::string refusal_of(const RecordedCommand& command, const Remembered& remembered) {
    const std::string why =
        remembered.can_be_written()
            ? "you did not have raddle run this before, so it is not run unasked; add --trust to run it"
            : "raddle cannot remember what you had it run, because " +
                  (remembered.file().empty() ? "you have no home directory"
                                             : remembered.file().string() + " cannot be written") +
                  "; add --trust to run this";
    return why + ": " + described(command);
}

}  // namespace

void remember_run(const Settings& settings, const ProcessOptions& process) {
    const Remembered remembered;
    Settings run = settings;
    run.environment = base_environment(settings);
    const RecordedCommand command = command_of(run, recorded_program(settings, process), fs::current_path().string());
    remembered.add(words_of_command(command));
    remembered.add(words_of_environment(*command.environment));
}

void require_trust(const RecordToRun& recorded) {
    const Remembered remembered;
    const RecordedCommand command = command_in(recorded);
    if (recorded.is_trusted) {
        remembered.add(words_of_command(command));
        if (command.environment) remembered.add(words_of_environment(*command.environment));
        return;
    }
    const bool knows_environment = !command.environment || remembered.has(words_of_environment(*command.environment));
    const bool knows_command =
        is_users_own(recorded, command) || remembered.has(words_of_command(command)) ||
        (!recorded.program.empty() && remembered.has(words_of_command(command_in({recorded.subject, {}, {}, false}))));
    if (!knows_environment || !knows_command) throw Untrusted(refusal_of(command, remembered));
}

}  // namespace raddle
