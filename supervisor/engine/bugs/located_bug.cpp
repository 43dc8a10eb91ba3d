#include "supervisor/engine/bugs/located_bug.h"

#include "replay/schedule/bug_directory.h"
#include "replay/schedule/token.h"
#include "supervisor/engine/bugs/named_bug.h"
#include "supervisor/engine/kept/kept_campaign.h"
#include "supervisor/engine/trust/trust.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> absolute_program(std::vector<std::string> program) {
    if (program[0].find('/') != std::string::npos) program[0] = fs::absolute(program[0]).lexically_normal().string();
    return program;
}

}  // namespace

RecordedBug recorded_bug(const NamedBug& named) {
    const fs::path place = named.as == Named::every_bug ? only_bug_in(named.path) : named.path;
    return {place, read_bug(place)};
}

LocatedBug locate_bug(const NamedBug& named, const Settings& settings) {
    if (named.as == Named::schedule)
        throw BadInput(
            "a schedule alone names no bug; expected raddle run --schedule SCHEDULE -- prog args, or raddle show SCHEDULE -- prog args");
    LocatedBug bug{};
    bug.name = named.word;
    Subject subject;
    std::optional<std::uint64_t> identity;
    if (named.as == Named::token) {
        const Token token = parse_token(named.word);
        if (settings.program.empty())
            throw BadInput("a token names no program; expected raddle replay TOKEN -- prog args");
        bug.expected = {token.schedule, {}, token.verdict, token.key_checksum};
        subject.options = token.options;
        identity = token.identity;
    } else {
        auto [place, file] = recorded_bug(named);
        if (named.as == Named::every_bug) bug.name = place.string();
        bug.file = std::move(file);
        if (std::error_code error; fs::is_directory(place, error)) bug.directory = place;
        bug.expected = expected_of(*bug.file);
        subject = bug.file->subject;
    }
    const Subject recorded = subject;
    const std::optional<std::vector<std::string>> environment = environment_around(bug.directory);
    require_trust({recorded, environment,
                   settings.program.empty() ? settings.program : absolute_program(settings.program),
                   settings.given("trust")});
    if (!settings.program.empty()) {
        subject.program = absolute_program(settings.program);
        subject.directory.clear();
    }
    subject = without_numbers_of_another_build(std::move(subject));
    const std::vector<std::string> more = recorded_settings(settings, {});
    subject.options.insert(subject.options.end(), more.begin(), more.end());
    bug.target = recalled(subject, environment);
    const Subject now = subject_of(bug.target.settings, bug.target.process);
    if (identity)
        bug.difference = *identity == identity_of(now)
                             ? ""
                             : "its content, its settings or the options are not those that the token was made with";
    else
        bug.difference = difference(recorded, now);
    bug.other_environment = !recorded.environment.empty() && recorded.environment != now.environment;
    return bug;
}

}  // namespace raddle
