#include "cli/located_bug.h"

#include <algorithm>
#include <cctype>
#include <iostream>

#include "cli/kept_campaign.h"
#include "cli/text.h"
#include "replay/bug_directory.h"

namespace raddle::cli {

namespace fs = std::filesystem;

const std::vector<OptionRow> bug_place_options = {
    {"campaign", 'C', "DIR", nullptr, "the campaign whose bug is meant by a number (default: the newest in raddle.out/)", "bug",
     &directory_form},
};

namespace {

bool is_number(const std::string& text) {
    return !text.empty() && text.size() <= 9 && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// A word that is no name at all is too long for one, perhaps.
bool is_there(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
}

bool is_schedule_text(const std::string& text) {
    try {
        return text.starts_with('T') && !parse_schedule(text).empty();
    } catch (const BadInput&) {
        return false;
    }
}

fs::path bugs_meant(const Arguments& arguments) {
    return (arguments.given("campaign") ? fs::path(arguments.text("campaign")) : newest_campaign()) / "bugs";
}

fs::path place_named(const Arguments& arguments, const std::string& name) {
    constexpr std::size_t longest_quoted = 80;
    if (!is_number(name) && is_there(name)) return name;
    if (is_schedule_text(name)) throw Usage("a schedule alone names no bug; expected raddle run --schedule SCHEDULE -- prog args, or raddle show SCHEDULE -- prog args");
    const fs::path bugs = bugs_meant(arguments);
    if (!is_number(name) && is_there(bugs / name)) return bugs / name;
    const std::vector<KnownBug> known = bugs_in(bugs);
    for (const KnownBug& bug : known)
        if (is_number(name) && bug.number == std::stoul(name)) return bug.directory;
    std::string there;
    for (const KnownBug& bug : known) there += (there.empty() ? "" : ", ") + bug.directory.filename().string();
    const std::string quoted = name.size() > longest_quoted ? name.substr(0, longest_quoted) + "…" : name;
    throw BadInput("there is no bug '" + quoted + "': expected a bug's directory, a schedule file, a token, or one of " + bugs.string() +
                   " (" + (there.empty() ? "there are none" : there) + ")");
}

// Numbers are given in the order in which bugs were found.
fs::path newest_bug(const Arguments& arguments) {
    const fs::path bugs = bugs_meant(arguments);
    const std::vector<KnownBug> known = bugs_in(bugs);
    if (known.empty()) throw BadInput("there is no bug in " + bugs.string() + "; expected a bug's directory, a schedule file or a token");
    const fs::path newest = known.back().directory;
    std::cerr << "raddle: " << printable(newest.string()) << ", the bug found last" << std::endl;
    return newest;
}

std::vector<std::string> absolute_program(std::vector<std::string> program) {
    if (program[0].find('/') != std::string::npos) program[0] = fs::absolute(program[0]).lexically_normal().string();
    return program;
}

}  // namespace

LocatedBug locate_bug(const Arguments& arguments) {
    LocatedBug bug;
    bug.name = arguments.words.empty() ? newest_bug(arguments).string() : arguments.words[0];
    const std::string& name = bug.name;
    Subject subject;
    std::optional<std::uint64_t> identity;
    if (is_token(name)) {
        const Token token = parse_token(name);
        if (arguments.program.empty()) throw BadInput("a token names no program; expected raddle replay TOKEN -- prog args");
        bug.expected = {token.schedule, {}, token.verdict, token.place};
        subject.options = token.options;
        identity = token.identity;
    } else {
        const fs::path place = place_named(arguments, name);
        bug.file = read_bug(place);
        if (std::error_code error; fs::is_directory(place, error)) bug.directory = place;
        bug.expected = expected_of(*bug.file);
        subject = bug.file->subject;
    }
    const Subject recorded = subject;
    const std::vector<std::string> more = target_options_given(arguments, {});
    subject.options.insert(subject.options.end(), more.begin(), more.end());
    if (!arguments.program.empty()) {
        subject.program = absolute_program(arguments.program);
        subject.directory.clear();
    }
    bug.target = recalled(subject);
    const Subject now = subject_of(bug.target.arguments, bug.target.process);
    if (identity)
        bug.difference = *identity == identity_of(now) ? "" : "its content, its arguments or the options are not those that the token was made with";
    else
        bug.difference = difference(recorded, now);
    bug.other_environment = !recorded.environment.empty() && recorded.environment != now.environment;
    return bug;
}

}  // namespace raddle::cli
