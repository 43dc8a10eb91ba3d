// Parses the output of random_text.cpp, so that a program can outlive the generator that made it.
#include <algorithm>
#include <charconv>
#include <sstream>

#include "supervisor/base/error.h"
#include "supervisor/model/interruption.h"
#include "tests/random_program.h"

namespace raddle::testing {

namespace {

[[noreturn]] void refuse(const std::string& what, std::string_view where) {
    throw BadInput("not a program: " + what + " in '" + std::string(where) + "'");
}

// Parses one operation, from left to right.
class Words {
public:
    explicit Words(std::string_view text) : all_(text), rest_(text) {}

    bool take(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    void expect(std::string_view word) {
        if (!take(word)) refuse("no '" + std::string(word) + "'", all_);
    }
    std::string_view name() {
        const std::size_t length = std::min(rest_.find_first_of(" [;"), rest_.size());
        const std::string_view name = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return name;
    }
    template <typename Number = std::int64_t>
    Number number() {
        Number value{};
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc{}) refuse("no number", all_);
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }
    // " m1": an object by its letters and number.
    std::uint32_t object() {
        expect(" ");
        while (!rest_.empty() && std::isalpha(static_cast<unsigned char>(rest_.front())) != 0) rest_.remove_prefix(1);
        return number<std::uint32_t>();
    }
    void expect_end() const {
        if (!rest_.empty()) refuse("too much: '" + std::string(rest_) + "'", all_);
    }
    std::string_view all() const { return all_; }

private:
    std::string_view all_, rest_;
};

Operation operation_named(std::string_view name, std::string_view where) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(Operation::count_); ++i)
        if (name == traits(static_cast<Operation>(i)).name) return static_cast<Operation>(i);
    refuse("an unknown operation", where);
}

Update parse_update(Words& words) {
    words.expect(" ");
    if (words.take("add")) return Update::add;
    if (words.take("exchange")) return Update::exchange;
    if (words.take("and")) return Update::bit_and;
    if (words.take("or")) return Update::bit_or;
    words.expect("xor");
    return Update::bit_xor;
}

std::int64_t parse_argument(Words& words) {
    words.expect(" ");
    return words.number();
}

void parse_arguments(Words& words, Op& op) {
    if (op.operation == Operation::memory_update) op.update = parse_update(words);
    if (op.operation == Operation::thread_cancel) op.argument = words.take(" signal") ? 1 : 0;
    switch (traits(op.operation).argument) {
        case Argument::no_argument:
        case Argument::memory:
        case Argument::thread_result:
        case Argument::wait_result: break;
        case Argument::memory_value:
        case Argument::awaited_reads:
        case Argument::initial_count:
        case Argument::choices:
        case Argument::buffer:
        case Argument::amount:
        case Argument::exit_status:
        case Argument::signal_number:
        case Argument::abandoned: op.argument = parse_argument(words); break;
        case Argument::futex_wake: op.argument = parse_argument(words); [[fallthrough]];
        case Argument::futex_wait: op.argument2 = words.take(" bits ") ? words.number() : any_bits; break;
        case Argument::futex_requeue:
            op.argument = parse_argument(words);
            words.expect(",");
            op.argument2 = words.number();
            break;
        case Argument::version:
            words.expect(" since ");
            op.argument = words.take("last") ? seen_last : words.number();
            break;
        case Argument::memory_exchange:
            op.argument = parse_argument(words);
            words.expect("->");
            op.argument2 = words.number();
            break;
        case Argument::detached: op.argument = words.take(" detached") ? 1 : 0; break;
    }
}

// The second object is named in the text, unless it follows from the first.
bool names_second(Operation operation) {
    const Kind kind = traits(operation).second_kind;
    return kind != Kind::none && kind != Kind::thread && kind != Kind::descriptor && kind != Kind::process;
}

Op parse_op(std::string_view text) {
    Words words(text);
    Op op;
    op.operation = operation_named(words.name(), text);
    if (names_object(op.operation) && op.operation != Operation::process_exit) op.object = words.object();
    if (names_second(op.operation)) op.second = words.object();
    parse_arguments(words, op);
    for (ValueRange& range : op.spin_values) {
        if (!words.take(" unless ")) break;
        op.flags |= flag::spins;
        range.from = words.number<std::uint64_t>();
        words.expect("-");
        range.to = words.number<std::uint64_t>();
    }
    if (words.take(" for ")) {
        op.timeout = words.number<std::uint64_t>();
        if (op.operation != Operation::sleep) op.flags |= flag::timed;
    }
    if (words.take(" (absolute)")) op.flags |= flag::absolute;
    if (words.take(" cancellable")) op.flags |= flag::cancellable;
    if (words.take(" interruptible")) op.flags |= flag::interruptible;
    if (words.take(" uncancellable")) op.flags |= flag::uncancellable;
    if (words.take(" nonblocking")) op.flags |= flag::nonblocking;
    if (words.take(" [")) {
        op.skip.when = words.take("==") ? Skip::When::equal : Skip::When::different;
        if (op.skip.when == Skip::When::different) words.expect("!=");
        op.skip.compared = words.number();
        words.expect(": skip ");
        op.skip.count = words.number<std::uint32_t>();
        words.expect("]");
    }
    words.expect_end();
    return op;
}

std::vector<Op> parse_ops(std::string_view text) {
    std::vector<Op> ops;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find("; "), text.size());
        ops.push_back(parse_op(text.substr(0, end)));
        text.remove_prefix(std::min(end + 2, text.size()));
    }
    return ops;
}

std::uint8_t parse_attributes(Words words) {
    auto type = MutexType::normal;
    if (words.take(" recursive")) type = MutexType::recursive;
    if (words.take(" errorcheck")) type = MutexType::errorcheck;
    auto attributes = static_cast<std::uint8_t>(type);
    if (words.take(" robust")) attributes |= attribute::mutex::robust;
    if (words.take(" prefers writers")) attributes |= attribute::rwlock::prefer_writers;
    words.expect_end();
    return attributes;
}

void parse_title(std::string_view line, RandomProgram& program) {
    constexpr std::string_view alone = ", main only ends itself";
    program.main_only_ends_itself = line.ends_with(alone);
    if (program.main_only_ends_itself) line.remove_suffix(alone.size());
    Words words(line);
    words.expect("program ");
    program.seed = words.number<std::uint64_t>();
    words.expect(" (");
    const std::size_t style = line.find('(') + 1;
    if (!line.ends_with(')')) refuse("no style", line);
    program.style = line.substr(style, line.size() - style - 1);
}

void parse_line(std::string_view line, RandomProgram& program) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) refuse("no colon", line);
    std::string_view name = line.substr(0, colon);
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    const std::string_view after = line.substr(colon + 1);
    const std::string_view ops = after.substr(after.starts_with(' ') ? 1 : 0);
    if (name == "when cancelled") {
        if (program.threads.empty()) refuse("nobody", line);
        program.threads.back().cleanup = parse_ops(ops);
        return;
    }
    Words words(name);
    if (words.take("T")) {
        if (words.number<std::size_t>() != program.threads.size()) refuse("threads out of order", line);
        program.threads.push_back({parse_ops(ops), {}});
        return;
    }
    const bool of_mutex = words.take("m");
    if (!of_mutex) words.expect("rw");
    auto& attributes = of_mutex ? program.mutex_attributes : program.rwlock_attributes;
    const auto number = words.number<std::size_t>();
    if (number >= attributes.size()) refuse("no such lock", line);
    attributes[number] = parse_attributes(Words(after));
}

}  // namespace

RandomProgram parse_program(const std::string& text) {
    RandomProgram program;
    program.mutex_attributes.resize(2);
    program.rwlock_attributes.resize(2);
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line) && line.empty()) {}
    parse_title(line, program);
    while (std::getline(lines, line))
        if (!line.empty()) parse_line(line, program);
    if (program.threads.empty() || !is_valid(program))
        throw BadInput("not a program: its threads do not know each other");
    return program;
}

}  // namespace raddle::testing
