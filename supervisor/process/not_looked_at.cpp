#include "supervisor/process/not_looked_at.h"

#include <algorithm>
#include <vector>

namespace raddle {

std::string not_looked_at_in(const Observed& observed, const InstrumentedCode& code) {
    std::string text = code.names_of_unwatched(observed.unwatched);
    if (observed.made_code) text += std::string(text.empty() ? "" : ", ") + "code that the program made at run time";
    if (!text.empty()) text = "two threads ran code whose accesses to memory were not looked at: " + text;
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
