#include "cli/shell/replay_shell.h"

#include <algorithm>
#include <istream>
#include <ostream>
#include <sstream>

#include "cli/shell/held_memory.h"
#include "replay/explain/debugger_state.h"
#include "replay/explain/values.h"
#include "replay/explain/wording.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/divergence/repetitions.h"
#include "supervisor/engine/program/verdict_rules.h"
#include "supervisor/process/collect_evidence.h"

namespace raddle::cli {

namespace {

constexpr const char* help_text =
    "step [N]   take one more step of the schedule, or N\n"
    "back [N]   go back one step, or N\n"
    "goto N     be where N steps were taken; 0 is the start, end the end\n"
    "threads    what each thread does, or waits for\n"
    "locks      who holds which lock, who waits for it\n"
    "why        why nobody goes on, or what went wrong\n"
    "bt [T1]    the stacks of all threads, or of one\n"
    "print VAR  the value of a global variable here\n"
    "list [N]   the steps around this one\n"
    "quit       or Ctrl-D\n";

class Trouble : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

std::size_t number_of(const std::string& word) {
    if (word.empty() || word.size() > 9 || word.find_first_not_of("0123456789") != std::string::npos)
        throw Trouble("expected a number of steps, not '" + word + "'");
    return std::stoul(word);
}

class ReplayShell {
public:
    ReplayShell(const LocatedBug& bug, std::ostream& out)
        : bug_(bug),
          process_(quiet(bug.target.process)),
          evidence_target_(process_),
          held_target_(process_),
          out_(out) {
        go_to(bug.expected.schedule.size());
    }

    // False after quit.
    bool answer(const std::string& line) {
        std::istringstream words(line);
        std::string command, argument, surplus;
        words >> command >> argument >> surplus;
        if (command.empty()) return true;
        if (command == "quit" || command == "q" || command == "exit") return false;
        if (!surplus.empty()) throw Trouble("'" + surplus + "' is too much; help lists the commands");
        for (const Row& row : rows_)
            if (command == row.name || command == row.letter) {
                (this->*row.act)(argument);
                return true;
            }
        throw Trouble("there is no command '" + command + "'; help lists them");
    }

private:
    struct Row {
        const char* name;
        const char* letter;
        void (ReplayShell::*act)(const std::string&);
    };
    static const Row rows_[10];

    std::size_t all() const { return bug_.expected.schedule.size(); }
    bool is_at_end() const { return at_ == all(); }

    // Each state is that of a new execution, so going back is as exact as going on.
    void go_to(std::size_t step) {
        if (step > all()) throw Trouble("the schedule has " + counted(all(), "step"));
        Plan plan = plan_until(bug_.expected.schedule, step, process_);
        if (step == all()) plan.tail = {};
        here_ = evidence_target_.collect(plan);
        at_ = step;
        verdict_rules_of(bug_.target.settings).expectations.apply(here_.execution);
        if (here_.execution.events.size() < step)
            out_ << "the program went another way: it took " << counted(here_.execution.events.size(), "step") << "\n";
        say_place();
    }

    DebuggerState state() const { return {here_, process_.machine, std::nullopt}; }

    void say_place() {
        out_ << "step " << at_ << " of " << all();
        if (at_ > 0) out_ << ": " << printable(state().step(at_)) << value_at(at_ - 1);
        out_ << "\n";
        if (is_at_end())
            out_ << name_of(here_.execution.verdict)
                 << (here_.execution.message.empty() ? "" : ": " + printable(here_.execution.message)) << "\n";
    }

    std::string value_at(std::size_t event) const {
        if (event >= here_.execution.events.size()) return {};
        const std::string value = KnownValues(here_.execution).after(here_.execution.events[event]);
        return value.empty() ? "" : " = " + value;
    }

    void step(const std::string& count) {
        const std::size_t by = count.empty() ? 1 : number_of(count);
        if (is_at_end()) throw Trouble("the execution is over; back goes back");
        go_to(std::min(all(), at_ + by));
    }
    void back(const std::string& count) {
        const std::size_t by = count.empty() ? 1 : number_of(count);
        go_to(at_ - std::min(at_, by));
    }
    void go(const std::string& where) { go_to(where == "end" ? all() : number_of(where)); }
    void threads(const std::string&) { out_ << printable_lines(state().threads()); }
    void locks(const std::string&) { out_ << printable_lines(state().locks()); }
    void why(const std::string&) { out_ << printable_lines(state().why()); }
    void help(const std::string&) { out_ << help_text; }

    void stacks(const std::string& wanted) {
        bool any = false;
        for (const auto& [thread, stack] : here_.pending) {
            if (!wanted.empty() && wanted != name_of(thread)) continue;
            any = true;
            out_ << name_of(thread) << ":\n";
            for (std::size_t i = 0; i < stack.size(); ++i)
                out_ << "  #" << i << " " << printable(text_of(stack[i])) << "\n";
        }
        if (!any)
            throw Trouble(wanted.empty() ? "no thread stands anywhere"
                                         : "'" + wanted + "' is no thread that stands; threads lists them");
    }

    void print(const std::string& name) {
        if (name.empty()) throw Trouble("expected the name of a global variable");
        std::string text;
        // At the end there is no process any more: the last step before it is the nearest.
        Plan plan = plan_until(bug_.expected.schedule, at_, process_);
        held_target_.run_held(plan, [&](int process, const std::vector<std::uint64_t>&) {
            if (here_.execution.modules == nullptr) return;
            Symbols symbols(*here_.execution.modules, process_.argv.at(0), process_.directory);
            text = variable_in(process, symbols, name);
        });
        out_ << printable(text.empty() ? "the process has ended here; back goes to where it runs" : text) << "\n";
    }

    void list(const std::string& around) {
        const std::size_t by = around.empty() ? 5 : number_of(around);
        const std::size_t known = here_.execution.events.size();
        for (std::size_t i = at_ - std::min(at_, by); i < std::min(known, at_ + by); ++i)
            out_ << (i + 1 == at_ ? "* " : "  ") << i + 1 << "  " << printable(state().step(i + 1)) << value_at(i)
                 << "\n";
        if (known < all()) out_ << "  … " << counted(all() - known, "step") << " more in the schedule\n";
    }

    static std::string printable_lines(const std::string& text) {
        std::istringstream lines(text);
        std::string safe;
        for (std::string line; std::getline(lines, line);) safe += printable(line) + "\n";
        return safe;
    }

    const LocatedBug& bug_;
    const ProcessOptions process_;
    EvidenceTarget evidence_target_;
    ProcessTarget held_target_;
    std::ostream& out_;
    Evidence here_;
    std::size_t at_ = 0;
};

const ReplayShell::Row ReplayShell::rows_[10] = {
    {"step", "s", &ReplayShell::step},       {"back", "b", &ReplayShell::back},   {"goto", "g", &ReplayShell::go},
    {"threads", "t", &ReplayShell::threads}, {"locks", "l", &ReplayShell::locks}, {"why", "w", &ReplayShell::why},
    {"bt", "bt", &ReplayShell::stacks},      {"print", "p", &ReplayShell::print}, {"list", "ls", &ReplayShell::list},
    {"help", "h", &ReplayShell::help},
};

}  // namespace

void run_replay_shell(const LocatedBug& bug, std::istream& in, std::ostream& out, bool is_interactive) {
    ReplayShell shell(bug, out);
    const auto prompt = [&] { out << (is_interactive ? "(raddle) " : "") << std::flush; };
    prompt();
    for (std::string line; std::getline(in, line);) {
        try {
            if (!shell.answer(line)) return;
        } catch (const Trouble& trouble) {
            out << printable(trouble.what()) << "\n";
        }
        prompt();
    }
    if (is_interactive) out << "\n";
}

}  // namespace raddle::cli
