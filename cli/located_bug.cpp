#include "cli/located_bug.h"

#include <algorithm>
#include <cctype>

#include "cli/kept_campaign.h"
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

fs::path place_named(const Arguments& arguments, const std::string& name) {
    if (!is_number(name) && fs::exists(name)) return name;
    const fs::path campaign = arguments.given("campaign") ? fs::path(arguments.text("campaign")) : newest_campaign();
    const fs::path bugs = campaign / "bugs";
    if (!is_number(name) && fs::exists(bugs / name)) return bugs / name;
    const std::vector<KnownBug> known = bugs_in(bugs);
    for (const KnownBug& bug : known)
        if (is_number(name) && bug.number == std::stoul(name)) return bug.directory;
    std::string there;
    for (const KnownBug& bug : known) there += (there.empty() ? "" : ", ") + bug.directory.filename().string();
    throw BadInput("there is no bug '" + name + "': expected a bug's directory, a schedule file, a token, or one of " + bugs.string() +
                   " (" + (there.empty() ? "there are none" : there) + ")");
}

std::vector<std::string> absolute_program(std::vector<std::string> program) {
    if (program[0].find('/') != std::string::npos) program[0] = fs::absolute(program[0]).lexically_normal().string();
    return program;
}

}  // namespace

LocatedBug locate_bug(const Arguments& arguments) {
    const std::string& name = arguments.words[0];
    LocatedBug bug;
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
        if (fs::is_directory(place)) bug.directory = place;
        bug.expected = {bug.file->schedule(), bug.file->steps, bug.file->verdict, place_mark(bug.file->place)};
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
