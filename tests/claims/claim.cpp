#include "tests/claims/claim.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

namespace raddle::testing {

namespace {

const std::set<std::string> kModes = {"default", "races", "kernel", "tsan"};
const std::set<std::string> kVerdicts = {"deadlock", "livelock", "assertion",   "crash",  "misuse",
                                         "hang",     "race",     "exit_status", "output", "sanitizer"};

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream words(text);
    std::vector<std::string> all;
    for (std::string word; words >> word;) all.push_back(word);
    return all;
}

// "a" "b" -> a, b; empty if there is anything else.
std::vector<std::string> quoted_texts(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
        const std::size_t end = text[at] == '"' ? text.find('"', at + 1) : std::string::npos;
        if (end == std::string::npos) return {};
        all.push_back(text.substr(at + 1, end - at - 1));
        at = end + 1;
    }
    std::sort(all.begin(), all.end());
    return all;
}

// "crash, assertion"; nothing if a word is no verdict.
std::optional<std::vector<std::string>> verdicts_in(std::string text) {
    std::replace(text.begin(), text.end(), ',', ' ');
    std::vector<std::string> all = words_of(text);
    if (all.empty() || !std::all_of(all.begin(), all.end(), [](const auto& word) { return kVerdicts.contains(word); }))
        return std::nullopt;
    std::sort(all.begin(), all.end());
    return all;
}

// The words before the colon.
void read_command(const std::string& text, Claim& claim) {
    std::vector<std::string>* list = &claim.options;
    for (std::string& word : words_of(text)) {
        if (word == "--")
            list = &claim.arguments;
        else
            list->push_back(std::move(word));
    }
}

// "ok", or verdicts.
bool read_verdicts(const std::string& text, Claim& claim) {
    if (text == "ok") return true;
    const auto verdicts = verdicts_in(text);
    if (verdicts) claim.expected = *verdicts;
    return verdicts.has_value();
}

// The words after the colon; false if they make no sense.
bool read_result(const std::string& text, Claim& claim) {
    const std::string first = text.substr(0, text.find(' '));
    if (first == "ok" && text != "ok") {
        const std::string without = "without ", rest = text.substr(3);
        const bool is_silent = rest.starts_with(without);
        auto& texts = is_silent ? claim.is_silent_about : claim.says;
        texts = quoted_texts(is_silent ? rest.substr(without.size()) : rest);
        return !texts.empty();
    }
    if (first == "bounded") {
        claim.kind = Claim::Kind::bounded;
        const std::size_t rest = text.find_first_not_of(' ', first.size());
        return rest != std::string::npos && read_verdicts(text.substr(rest), claim);
    }
    if (read_verdicts(text, claim)) return true;
    if (first == "outcomes")
        claim.kind = Claim::Kind::outcomes;
    else if (first == "incomplete")
        claim.kind = Claim::Kind::incomplete;
    else if (first == "refused")
        claim.kind = Claim::Kind::refused;
    else
        return false;
    claim.expected = quoted_texts(text.substr(first.size()));
    return !claim.expected.empty();
}

}  // namespace

Claims claims_in(const std::string& source) {
    const std::string expect = "// expect", modes = "// modes: ";
    Claims found{{"default", "races", "kernel"}, {}, {}};
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(modes)) {
            found.modes = words_of(line.substr(modes.size()));
            for (const std::string& mode : found.modes)
                if (!kModes.contains(mode)) found.mistake = "there is no mode " + mode;
        }
        if (!line.starts_with(expect)) continue;
        const std::size_t colon = line.find(": ");
        Claim claim;
        claim.line = line;
        if (colon != std::string::npos) read_command(line.substr(expect.size(), colon - expect.size()), claim);
        if (colon == std::string::npos || !read_result(line.substr(colon + 2), claim))
            found.mistake = "this line makes no sense: " + line;
        found.claims.push_back(std::move(claim));
    }
    if (found.claims.empty()) found.mistake = "there is no line \"// expect\"";
    return found;
}

}  // namespace raddle::testing
