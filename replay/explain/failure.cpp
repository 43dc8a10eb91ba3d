#include "replay/explain/failure.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "replay/explain/conflict.h"
#include "replay/explain/printed.h"
#include "replay/explain/wording.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

// Messages begin with the path that the compiler was given; the file name is enough.
std::string shorter(const std::string& message) {
    const std::size_t colon = message.find(':');
    const std::size_t slash = colon == std::string::npos ? std::string::npos : message.rfind('/', colon);
    return slash == std::string::npos ? message : message.substr(slash + 1);
}

// The least patience that forbids such a wait to run out early, as a setting.
std::string patience_above(std::uint64_t wait) {
    const std::uint64_t milliseconds = (wait + 999'999) / 1'000'000;
    return milliseconds % 1000 == 0 ? std::to_string(milliseconds / 1000) + "s" : std::to_string(milliseconds) + "ms";
}

class Describer {
public:
    explicit Describer(const Failing& failing)
        : failing_(failing), evidence_(failing.evidence), execution_(failing.execution()) {}

    Failure describe() {
        failure_.sentence = sentence();
        say_what_came_early();
        return std::move(failure_);
    }

private:
    std::string sentence() {
        switch (execution_.verdict) {
            case Verdict::deadlock:
            case Verdict::livelock: return deadlock();
            case Verdict::crash: return crash();
            case Verdict::assertion: return assertion();
            case Verdict::exit_status: return wrong_status();
            case Verdict::misuse: return explain_misuse(failing_, failure_);
            case Verdict::race: return explain_race(failing_, failure_);
            case Verdict::sanitizer: return report();
            case Verdict::uncontrolled: return hang();
            default: return execution_.message.empty() ? text_of(execution_.verdict) : execution_.message;
        }
    }

    // The reader may know that no real delay is ever this long.
    void say_what_came_early() {
        constexpr std::size_t most = 3;
        constexpr std::uint64_t noticeable = 100'000'000;
        std::vector<History::EarlyEnd> longest = failing_.history.early_ends();
        std::ranges::stable_sort(longest, std::ranges::greater{}, &History::EarlyEnd::wait);
        longest.resize(std::min(longest.size(), most));
        for (const auto& [event, wait] : longest) {
            failure_.focus.events.insert(event);
            const ThreadId thread = execution_.events[event].thread;
            const std::string whose = failing_.is_timer(thread) ? " of " + name_of(thread) + ", a timer,"
                                                                : " that " + name_of(thread) + " waits" +
                                                                      at_location(failing_.stack_of(event));
            failure_.facts.push_back(
                "the " + text_of_time(wait) + whose +
                " run out while others could go on, as if they were held up for so long" +
                (wait >= noticeable ? " (--patience " + patience_above(wait) + " leaves that out)" : ""));
        }
    }

    std::string deadlock() {
        for (const BlockedThread& thread : failing_.blocked.threads()) {
            failure_.facts.push_back(thread.text);
            for (const std::string& more : thread.more) failure_.facts.push_back("  " + more);
            for (const std::size_t event : thread.events) failure_.focus.events.insert(event);
            for (const ObjectId& object : thread.objects) failure_.focus.objects.insert(object);
        }
        // Threads that only wait for the end of another thread tell least, so they come last.
        for (const bool is_cause : {true, false})
            for (const BlockedThread& thread : failing_.blocked.threads())
                if (const Stack& stack = failing_.pending_stack(thread.id);
                    stack.size() > 1 && failing_.blocked.is_cause(thread) == is_cause)
                    failure_.stacks.push_back({name_of(thread.id) + " waits", stack});
        return failing_.blocked.sentence();
    }

    std::string crash() {
        const Fault& fault = evidence_.fault;
        if (!fault.happened) return execution_.message;
        failure_.stacks.push_back({name_of(fault.thread) + " crashed here", fault.stack});
        failure_.last_act = fault.address.empty() ? "crashes" : "accesses " + fault.address;
        const std::string where = in_function(own_frame(fault.stack));
        if (fault.address.empty()) return execution_.message + where;
        failure_.facts.push_back("the address that could not be accessed is " + fault.address);
        std::string signal = execution_.message.substr(0, execution_.message.find(' '));
        return name_of(fault.thread) + " accesses " + fault.address + " (" + signal + ")" + where;
    }

    std::string assertion() {
        for (std::size_t i = execution_.events.size(); i-- > 0;)
            if (execution_.events[i].action.operation == Operation::fail) {
                failure_.focus.events.insert(i);
                failure_.stacks.push_back(
                    {name_of(execution_.events[i].thread) + " failed here", failing_.stack_of(i)});
                const std::string who = name_of(execution_.events[i].thread) + ": ";
                return who + failure(failing_.stack_of(i));
            }
        return shorter(execution_.message);
    }

    // An assertion message already names its source line; other failures do not.
    std::string failure(const Stack& stack) {
        const std::string& message = execution_.message;
        const std::size_t colon = message.find(':');
        if (colon != std::string::npos && colon + 1 < message.size() &&
            std::isdigit(static_cast<unsigned char>(message[colon + 1])) != 0)
            return shorter(message);
        say_what_it_wrote();
        const auto calls = [&](const std::string& name) {
            return std::any_of(stack.begin(), stack.end(), [&](const Frame& frame) { return frame.function == name; });
        };
        const std::string what = !calls("std::terminate()") ? message
                                 : calls("__cxa_throw")     ? "an exception is thrown that nobody catches"
                                                            : "std::terminate was called";
        return what + in_function(own_frame(stack));
    }

    // Most programs print the reason before they give up.
    void say_what_it_wrote() {
        const TellingLines told = telling_lines(execution_.output, execution_.errors);
        if (told.lines.empty()) return;
        if (!told.is_check) {
            failure_.facts.push_back(std::string("the last it wrote to standard ") +
                                     (told.is_errors ? "error" : "output") + " is: " + joined(told.lines, " / "));
            return;
        }
        failure_.facts.emplace_back("it printed:");
        for (const std::string& line : told.lines) failure_.facts.push_back("  " + line);
    }

    std::string wrong_status() {
        say_what_it_wrote();
        for (std::size_t i = execution_.events.size(); i-- > 0;)
            if (execution_.events[i].action.operation == Operation::process_exit &&
                has_own_location(Operation::process_exit, failing_.stack_of(i))) {
                failure_.focus.events.insert(i);
                return execution_.message + in_function(own_frame(failing_.stack_of(i)));
            }
        return execution_.message;
    }

    // The first lines of the report of a sanitizer, as its runtime wrote them.
    std::string report() {
        constexpr std::size_t most = 12;
        std::istringstream lines(execution_.errors);
        bool is_report = false;
        std::size_t told = 0;
        for (std::string line; told < most && std::getline(lines, line);) {
            is_report |= line.find("Sanitizer: ") != line.npos || line.find(": runtime error: ") != line.npos;
            if (line.starts_with("Shadow bytes")) break;
            const bool is_of_shim = line.find("libraddle-preload.so") != line.npos;
            if (!is_report || is_of_shim || line.empty() || line.starts_with("====")) continue;
            if (told++ == 0) failure_.facts.emplace_back("its runtime reported:");
            failure_.facts.push_back("  " + line);
        }
        const Fault& fault = evidence_.fault;
        if (!fault.happened) return execution_.message;
        failure_.stacks.push_back({name_of(fault.thread) + " was here", fault.stack});
        failure_.last_act = "makes the error";
        return name_of(fault.thread) + ": " + execution_.message + in_function(own_frame(fault.stack));
    }

    std::string hang() {
        say_where_threads_stood();
        const Fault& fault = evidence_.fault;
        if (!fault.happened) return execution_.message;
        failure_.stacks.push_back({name_of(fault.thread) + " was stopped here", fault.stack});
        failure_.last_act = "does nothing visible any more";
        return name_of(fault.thread) + " does nothing visible any more" + in_function(own_frame(fault.stack));
    }

    void say_where_threads_stood() {
        if (!execution_.standing) return;
        const std::string shown = evidence_.fault.happened ? name_of(evidence_.fault.thread) : "";
        for (const StandingThread& thread : execution_.standing->threads)
            if (thread.name != shown) failure_.stacks.push_back({thread.name + " " + thread.state, thread.stack});
        if (!execution_.standing->gap.empty()) failure_.facts.push_back(execution_.standing->gap);
    }

    const Failing& failing_;
    const Evidence& evidence_;
    const Execution& execution_;
    Failure failure_;
};

}  // namespace

Failure failure_of(const Failing& failing) { return Describer(failing).describe(); }

}  // namespace raddle
