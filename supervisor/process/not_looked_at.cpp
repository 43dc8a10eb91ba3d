#include "supervisor/process/not_looked_at.h"

#include <algorithm>
#include <vector>

namespace raddle {

namespace {

bool has_two_threads(const Observed& observed) {
    return std::any_of(observed.events.begin(), observed.events.end(),
                       [](const Event& event) { return event.thread != main_thread; });
}

std::string code_not_looked_at(const Observed& observed, const InstrumentedCode& code) {
    std::string text;
    for (const std::string& part : {code.names_of_unwatched(observed.unwatched, observed.unwatched_instructions),
                                    code.names_of_skipped(observed.skipped),
                                    std::string(observed.made_code ? "code that the program made at run time" : ""),
                                    has_two_threads(observed) ? code.truncated() : std::string()})
        text += (text.empty() || part.empty() ? "" : ", ") + part;
    return text.empty() ? "" : "two threads ran code whose accesses to memory were not looked at: " + text;
}

}  // namespace

std::string not_looked_at_in(const Observed& observed, const InstrumentedCode& code) {
    std::string text = code_not_looked_at(observed, code);
    std::vector<std::string> calls = observed.unfollowed;
    std::sort(calls.begin(), calls.end());
    std::string list;
    for (const std::string& name : calls) list += (list.empty() ? "" : ", ") + name;
    if (!list.empty())
        text += std::string(text.empty() ? "" : "; ") +
                "the memory that these functions of libc read and write was not looked at: " + list;
    return text;
}

}  // namespace raddle
