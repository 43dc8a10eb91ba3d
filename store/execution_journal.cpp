#include "store/execution_journal.h"

#include "supervisor/base/checksum.h"
#include "supervisor/trace/action_bytes.h"

namespace raddle {

namespace {

// Stored on disk: any change of the writer needs the same change of the reader, and the next format_version.
constexpr std::uint64_t format_version = 1;
constexpr std::size_t checksum_bytes = 8;

[[noreturn]] void refuse(const std::string& why) { throw BadInput("journal of executions: " + why); }

Misuse misuse_named(const std::string& name) {
#define RADDLE_ROW(misuse, text) \
    if (name == #misuse) return Misuse::misuse;
    RADDLE_MISUSES(RADDLE_ROW)
#undef RADDLE_ROW
    refuse("there is no misuse called '" + name.substr(0, 40) + "'");
}

bool is_same(const Event& a, const Event& b) {
    return a.thread == b.thread && a.value == b.value && a.effect == b.effect && a.misuse == b.misuse &&
           a.result == b.result && a.action == b.action;
}

// Hashing the fields is far cheaper than hashing the bytes, and most events are already known.
Hash128 name_of_content(const Event& event) {
    const Action& action = event.action;
    Hasher hasher;
    hasher.add(event.thread.code).add(event.value).add(static_cast<std::uint64_t>(event.result));
    hasher.add(static_cast<std::uint64_t>(event.effect) | static_cast<std::uint64_t>(event.misuse) << 8 |
               static_cast<std::uint64_t>(action.operation) << 16 | static_cast<std::uint64_t>(action.flags) << 24 |
               static_cast<std::uint64_t>(action.attributes) << 40 | static_cast<std::uint64_t>(action.update) << 48);
    for (const ValueRange& range : action.spin_values) hasher.add(range.from).add(range.to);
    for (const ObjectId& id : {action.object, action.second}) hasher.add(id.region).add(id.offset);
    for (const std::int64_t word : action.words) hasher.add(static_cast<std::uint64_t>(word));
    return hasher.add(action.limit_or_initial).add(action.site).finish();
}

std::string bytes_of(const Event& event) {
    Writer out;
    out.number(event.thread.code);
    out.number(event.value);
    out.number(static_cast<std::uint64_t>(event.effect));
    out.text(name_of(event.misuse));
    out.signed_number(event.result);
    save_action(out, event.action);
    return out.take();
}

Event read_event(Reader& in) {
    Event event;
    event.thread = {in.number()};
    event.value = static_cast<std::uint32_t>(in.number_below(1ULL << 32, "alternative"));
    event.effect = static_cast<Effect>(in.number_below(4, "effect"));
    event.misuse = misuse_named(in.text());
    event.result = in.signed_number();
    event.action = load_action(in);
    return event;
}

}  // namespace

std::uint64_t key_of(const Plan& plan) {
    Hasher hasher;
    for (const Step& step : plan.prefix) hasher.add(step.thread.code).add(step.value);
    hasher.add(plan.prefix.size()).add(plan.sleeping.size());
    for (const Sleeper& sleeper : plan.sleeping) hasher.add(sleeper.thread.code).add(sleeper.value);
    hasher.add(static_cast<std::uint64_t>(plan.tail.kind)).add(plan.tail.depth).add(plan.tail.seed);
    hasher.add(plan.tail.length).add(plan.max_steps).add(plan.epoch);
    // Plans without these keep the key that they have in older journals.
    if (plan.tail.most_preemptions != Tail::any_number) hasher.add(plan.tail.most_preemptions);
    if (plan.tail.leaves_out_impossible) hasher.add(1);
    if (plan.tail.kind == TailKind::surw) hasher.add(plan.tail.interest.region).add(plan.tail.interest.offset);
    for (const ThreadWeight& weight : plan.weights) hasher.add(weight.thread.code).add(weight.events);
    return hasher.finish().low;
}

// The next unused number announces a new event, which follows.
void JournalWriter::write_event(const Event& event) {
    const auto [known, fresh] = known_.try_emplace(name_of_content(event), known_.size());
    out_.number(known->second);
    if (fresh) out_.text(bytes_of(event));
}

void JournalWriter::add(const Plan& plan, const Execution& execution) {
    ++executions_;
    out_.fixed64(key_of(plan));
    std::size_t common = execution.events.shared_with(before_);
    while (common < before_.size() && common < execution.events.size() &&
           is_same(before_[common], execution.events[common]))
        ++common;
    out_.number(common);
    out_.number(execution.events.size() - common);
    for (std::size_t i = common; i < execution.events.size(); ++i) write_event(execution.events[i]);
    before_ = execution.events;
    out_.number(execution.pending.size());
    // A pending action is written as an event that did not happen, so that repeated ones are found among the known.
    for (const Pending& pending : execution.pending) {
        Event event;
        event.thread = pending.thread;
        event.action = pending.action;
        write_event(event);
    }
    const bool plain = execution.verdict == Verdict::ok && execution.message.empty() && execution.exit_status == 0;
    out_.number(plain ? 1 : 0);
    if (plain) return;
    out_.text(name_of(execution.verdict));
    out_.signed_number(execution.exit_status);
    out_.text(execution.message);
}

std::string JournalWriter::take() {
    Writer whole;
    whole.number(format_version);
    whole.number(executions_);
    std::string bytes = whole.take() + out_.bytes();
    Writer checksum;
    checksum.fixed64(checksum_without_size(bytes));
    *this = {};
    return bytes + checksum.bytes();
}

namespace {

class JournalReader {
public:
    explicit JournalReader(Reader& in) : in_(in) {}

    JournalEntry next() {
        JournalEntry entry;
        entry.plan = in_.fixed64();
        before_.resize(in_.number_below(before_.size() + 1, "common part"));
        for (std::size_t left = in_.count("number of events"); left > 0; --left) before_.push_back(number_of_event());
        for (const std::uint64_t number : before_) entry.execution.events.push_back(known_[number]);
        for (std::size_t left = in_.count("number of pending actions"); left > 0; --left) {
            const Event& event = known_[number_of_event()];
            entry.execution.pending.push_back({event.thread, event.action});
        }
        if (in_.number_below(2, "mark") == 1) return entry;
        entry.execution.verdict = parse_verdict(in_.text());
        entry.execution.exit_status = in_.signed_number();
        entry.execution.message = in_.text();
        return entry;
    }

private:
    std::uint64_t number_of_event() {
        const std::uint64_t number = in_.number_below(known_.size() + 1, "event");
        if (number == known_.size()) {
            const std::string bytes = in_.text();
            Reader one(bytes);
            known_.push_back(read_event(one));
            one.expect_end();
        }
        return number;
    }

    Reader& in_;
    std::vector<Event> known_;
    std::vector<std::uint64_t> before_;
};

}  // namespace

std::vector<JournalEntry> read_journal(const std::string& bytes) {
    if (bytes.size() < checksum_bytes) refuse("it ends too early");
    const std::string_view body = std::string_view(bytes).substr(0, bytes.size() - checksum_bytes);
    if (Reader(std::string_view(bytes).substr(body.size())).fixed64() != checksum_without_size(body))
        refuse("it is damaged: its checksum is another");
    Reader in(body);
    if (const std::uint64_t version = in.number(); version != format_version)
        refuse("it is of format " + std::to_string(version) + ", this program reads format " +
               std::to_string(format_version));
    std::vector<JournalEntry> entries(in.count("number of executions"));
    JournalReader reader(in);
    for (JournalEntry& entry : entries) entry = reader.next();
    in.expect_end();
    return entries;
}

}  // namespace raddle
