// Prints a random program as readable text.
#include "tests/random_program.h"

#include "supervisor/model/interruption.h"

namespace raddle::testing {

namespace {

const char* letter_of(Kind kind) {
    switch (kind) {
        case Kind::none: return "?";
        case Kind::thread: return "T";
        case Kind::mutex: return "m";
        case Kind::spin: return "spin";
        case Kind::rwlock: return "rw";
        case Kind::condition: return "c";
        case Kind::semaphore: return "s";
        case Kind::barrier: return "b";
        case Kind::once: return "once";
        case Kind::memory: return "x";
        case Kind::futex: return "f";
        case Kind::timer: return "";
        case Kind::descriptor: return "d";
        case Kind::process: return "";
        case Kind::output: return "out";
    }
    return "?";
}

const char* name_of(Update update) {
    switch (update) {
        case Update::add: return "add";
        case Update::exchange: return "exchange";
        case Update::bit_and: return "and";
        case Update::bit_or: return "or";
        case Update::bit_xor: return "xor";
    }
    return "?";
}

std::string text_of(const Op& op) {
    const OperationTraits& what = traits(op.operation);
    std::string text = what.name;
    if (names_object(op.operation) && op.operation != Operation::process_exit)
        text += std::string(" ") + letter_of(what.kind) + std::to_string(op.object);
    const bool second_follows =
        what.second_kind == Kind::thread || what.second_kind == Kind::descriptor || what.second_kind == Kind::process;
    if (what.second != Mode::none && !second_follows)
        text += std::string(" ") + letter_of(what.second_kind) + std::to_string(op.second);
    if (op.operation == Operation::memory_update) text += std::string(" ") + name_of(op.update);
    if (op.operation == Operation::thread_cancel && op.argument != 0) text += " signal";
    switch (what.argument) {
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
        case Argument::abandoned: text += " " + std::to_string(op.argument); break;
        case Argument::futex_wake: text += " " + std::to_string(op.argument); [[fallthrough]];
        case Argument::futex_wait:
            if (op.argument2 != any_bits) text += " bits " + std::to_string(op.argument2);
            break;
        case Argument::futex_requeue:
            text += " " + std::to_string(op.argument) + "," + std::to_string(op.argument2);
            break;
        case Argument::version:
            text += op.argument == seen_last ? " since last" : " since " + std::to_string(op.argument);
            break;
        case Argument::memory_exchange:
            text += " " + std::to_string(op.argument) + "->" + std::to_string(op.argument2);
            break;
        case Argument::detached: text += op.argument != 0 ? " detached" : ""; break;
    }
    if ((op.flags & flag::spins) != 0)
        for (const ValueRange& range : op.spin_values)
            if (range.from <= range.to)
                text += " unless " + std::to_string(range.from) + "-" + std::to_string(range.to);
    if ((op.flags & flag::timed) != 0 || op.operation == Operation::sleep) text += " for " + std::to_string(op.timeout);
    if ((op.flags & flag::absolute) != 0) text += " (absolute)";
    if ((op.flags & flag::cancellable) != 0) text += " cancellable";
    if ((op.flags & flag::interruptible) != 0) text += " interruptible";
    if ((op.flags & flag::uncancellable) != 0) text += " uncancellable";
    if ((op.flags & flag::nonblocking) != 0) text += " nonblocking";
    if (op.skip.when != Skip::When::never)
        text += std::string(" [") + (op.skip.when == Skip::When::equal ? "==" : "!=") +
                std::to_string(op.skip.compared) + ": skip " + std::to_string(op.skip.count) + "]";
    return text;
}

std::string text_of(const std::vector<Op>& ops) {
    std::string text;
    for (const Op& op : ops) text += (text.empty() ? "" : "; ") + text_of(op);
    return text;
}

std::string text_of_attributes(const char* letter, const std::vector<std::uint8_t>& attributes) {
    std::string text;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        if (attributes[i] == 0) continue;
        text += std::string("  ") + letter + std::to_string(i) + ":";
        const auto type = static_cast<MutexType>(attributes[i] & attribute::mutex::type_mask);
        if (type == MutexType::recursive) text += " recursive";
        if (type == MutexType::errorcheck) text += " errorcheck";
        if ((attributes[i] & attribute::mutex::robust) != 0) text += " robust";
        if ((attributes[i] & attribute::rwlock::prefer_writers) != 0) text += " prefers writers";
        text += "\n";
    }
    return text;
}

}  // namespace

std::string to_text(const RandomProgram& program) {
    std::string text = "program " + std::to_string(program.seed) + " (" + program.style + ")" +
                       (program.main_only_ends_itself ? ", main only ends itself" : "") + "\n" +
                       text_of_attributes("m", program.mutex_attributes) +
                       text_of_attributes("rw", program.rwlock_attributes);
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        text += "  T" + std::to_string(t) + ": " + text_of(program.threads[t].ops) + "\n";
        if (!program.threads[t].cleanup.empty())
            text += "      when cancelled: " + text_of(program.threads[t].cleanup) + "\n";
    }
    return text;
}

}  // namespace raddle::testing
