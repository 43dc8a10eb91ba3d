#include "replay/explain/wording.h"

#include <filesystem>
#include <optional>

#include "supervisor/base/text.h"
#include "supervisor/model/interruption.h"
#include "supervisor/model/tool_objects.h"

namespace raddle {

namespace {

const char* word_of(Kind kind) {
    switch (kind) {
        case Kind::mutex: return "mutex";
        case Kind::spin: return "spin lock";
        case Kind::rwlock: return "rwlock";
        case Kind::condition: return "condition";
        case Kind::semaphore: return "semaphore";
        case Kind::barrier: return "barrier";
        case Kind::once: return "once";
        case Kind::memory: return "variable";
        case Kind::futex: return "futex";
        case Kind::none:
        case Kind::thread:
        case Kind::timer:
        case Kind::descriptor:
        case Kind::process:
        case Kind::output: break;
    }
    return "";
}

std::string beyond(std::uint64_t offset) { return offset == 0 ? "" : "+" + std::to_string(offset); }

// Actions on the shim's own objects, worded as the calls of the program. Nothing for other objects.
std::optional<std::string> text_of_tool(const Action& action, Effect effect) {
    if (action.object.space() != Space::tool) return std::nullopt;
    const bool timed_out = effect == Effect::timed_out;
    const bool looks = action.operation == Operation::futex_enter, wakes = action.operation == Operation::futex_wake;
    switch (action.object.offset) {
        case tool::signals_of_thread: {
            const std::string whose = name_of(thread_of(action.object));
            return looks       ? "looks for signals to " + whose
                   : wakes     ? "sends " + whose + " a signal"
                   : timed_out ? "sees its time run out"
                               : "waits for a signal";
        }
        case tool::signals_of_process: return "looks for signals to the process";
        case tool::timer:
        case tool::interval_timer:
            return looks       ? "looks at a timer"
                   : wakes     ? "sets a timer"
                   : timed_out ? "sees its timer expire"
                               : "waits for its timer to expire";
        case tool::timer_numbers: return "looks which timers there are";
        case tool::output:
            return action.object.owner() == 1   ? "writes to standard output"
                   : action.object.owner() == 2 ? "writes to standard error"
                                                : "writes to a file";
        default: return std::nullopt;
    }
}

// The name without the kind: "a", "in a block that …".
std::string name_of_object(const ObjectId& object, Kind kind, const Evidence& evidence) {
    // The byte after the word names the queue of a futex.
    const std::uint64_t beside = kind == Kind::futex && (object.offset & 3) == 1 ? 1 : 0;
    const auto known = evidence.origins.find(object);
    const ObjectOrigin* origin = known == evidence.origins.end() ? nullptr : &known->second;
    switch (object.space()) {
        case Space::module:
            if (origin != nullptr && !origin->symbol.empty()) return origin->symbol + beyond(origin->offset - beside);
            return (origin != nullptr && !origin->module.empty() ? "at " + origin->module : "at module") + "+" +
                   hexadecimal(object.offset - beside);
        case Space::heap:
            if (origin == nullptr || !origin->in_block)
                return "on the heap of " + name_of(thread_of(object)) + " +" + hexadecimal(object.offset - beside);
            return "in the heap block of " + location_of(origin->block.allocated_at) + beyond(origin->offset - beside);
        case Space::stack:
            if (origin != nullptr && !origin->symbol.empty())
                return origin->symbol + beyond(origin->offset - beside) + " of " + name_of(thread_of(object));
            return "on the stack of " + name_of(thread_of(object)) + " (-" + hexadecimal(object.offset) + ")";
        case Space::thread:
        case Space::cancel: return name_of(thread_of(object));
        case Space::descriptor: return "descriptor " + std::to_string(object.offset);
        case Space::descriptors: return "the descriptors";
        case Space::process: return "the process";
        case Space::named: return "with a name";
        case Space::program: return std::to_string(object.offset);
        case Space::hold: return "hold";
        case Space::tool: return "of raddle's own";
    }
    return "?";
}

// An object of the kernel whose state only the shim knows.
std::string name_of_state(const ObjectId& object) {
    const std::string number = std::to_string(object.offset);
    switch (object.owner()) {
        case state::semaphores: return "the System V semaphores " + number;
        case state::messages: return "the System V messages " + number;
        case state::numbers: return "the numbers of System V objects";
        case state::asynchronous: return "asynchronous input and output";
        default: return "a state of the system";
    }
}

bool is_of_the_system(const std::string& file) {
    return file.starts_with("/usr/include") || file.starts_with("/usr/lib") || !file.starts_with("/");
}

}  // namespace

const Frame* own_frame(const Stack& stack) {
    for (const Frame& frame : stack)
        if (!frame.file.empty() && !is_of_the_system(frame.file)) return &frame;
    for (const Frame& frame : stack)
        if (frame.module.find(".so") == std::string::npos) return &frame;
    return stack.empty() ? nullptr : &stack.front();
}

std::string location_of(const Frame& frame) {
    if (!frame.file.empty() && frame.line != 0)
        return std::filesystem::path(frame.file).filename().string() + ":" + std::to_string(frame.line);
    if (!frame.function.empty()) return frame.function + " in " + frame.module;
    return frame.module.empty() ? "" : frame.module + "+" + hexadecimal(frame.offset);
}

std::string location_of(const Stack& stack) {
    const Frame* frame = own_frame(stack);
    return frame == nullptr ? "" : location_of(*frame);
}

std::string at_location(const Stack& stack) {
    const std::string location = location_of(stack);
    return location.empty() ? "" : " at " + location;
}

std::string text_of_time(std::uint64_t nanoseconds) {
    constexpr std::pair<const char*, std::uint64_t> units[] = {
        {" s", 1'000'000'000}, {" ms", 1'000'000}, {" us", 1'000}};
    for (const auto& [unit, length] : units) {
        const std::uint64_t tenths = (nanoseconds + length / 20) / (length / 10);
        if (tenths < 10) continue;
        return std::to_string(tenths / 10) + (tenths % 10 != 0 ? "." + std::to_string(tenths % 10) : "") + unit;
    }
    return std::to_string(nanoseconds) + " ns";
}

std::string text_of(const Frame& frame) {
    if (frame.function.empty()) return location_of(frame);
    if (frame.file.empty()) return frame.function + " (" + frame.module + "+" + hexadecimal(frame.offset) + ")";
    return frame.function + " (" + location_of(frame) + ")";
}

std::string in_function(const Frame* frame) {
    if (frame == nullptr) return {};
    if (frame->function.empty()) return ", at " + location_of(*frame);
    const std::string function = frame->function.ends_with(')') ? frame->function : frame->function + "()";
    return ", in " + function + (frame->file.empty() ? " of " + frame->module : " at " + location_of(*frame));
}

std::string text_of_object(const Action& action, bool second, const Evidence& evidence) {
    Kind kind = traits(action.operation).kind;
    if (second && kind == Kind::condition) kind = traits(action.operation).second_kind;
    const ObjectId& object = second ? action.second : action.object;
    if (object.space() == Space::named && object.owner() != 0) return name_of_state(object);
    const std::string word = word_of(kind);
    if (is_freeing(action) && !second)
        if (const auto known = evidence.origins.find(action.object);
            known != evidence.origins.end() && known->second.in_block && known->second.offset == 0)
            return "the heap block of " + location_of(known->second.block.allocated_at);
    return (word.empty() ? "" : word + " ") + name_of_object(object, kind, evidence);
}

std::string text_of_data(const Action& action, const Evidence& evidence) {
    const auto known = evidence.origins.find(action.object);
    const bool has_name = known != evidence.origins.end() && !known->second.symbol.empty();
    return has_name ? name_of_object(action.object, Kind::memory, evidence)
                    : "the " + text_of_object(action, false, evidence);
}

namespace {

struct Words {
    const char* does;
    const char* waits;
    const char* if_failed;
};

Words words_of(Operation operation) {
    constexpr const char* in_vain = ", in vain";
    switch (operation) {
#define RADDLE_WORDS(operation, does, waits, if_failed) \
    case Operation::operation:                          \
        return {does, waits, if_failed};
#include "replay/explain/wording.def"
#undef RADDLE_WORDS
        case Operation::count_: break;
    }
    return {"", "", ""};
}

std::string with_object(std::string text, const Action& action, const Evidence& evidence) {
    if (const std::size_t at = text.find('%'); at != std::string::npos)
        text.replace(at, 1, text_of_object(action, false, evidence));
    return text;
}

}  // namespace

std::string text_of_wait(const Action& action, const Evidence& evidence) {
    const std::string words = words_of(action.operation).waits;
    return words.empty() ? "waits in " + std::string(name_of(action.operation)) : with_object(words, action, evidence);
}

std::string text_of_action(const Action& action, Effect effect, const Evidence& evidence) {
    if (const std::optional<std::string> of_tool = text_of_tool(action, effect))
        return *of_tool + (effect == Effect::cancelled ? ": it is cancelled" : "");
    const Words words = words_of(action.operation);
    const bool in_frame = action.object.space() == Space::stack;
    const std::string does = is_freeing(action)  ? (in_frame ? "ends the frame of %" : "frees %")
                             : is_signal(action) ? "interrupts % with a signal"
                                                 : words.does;
    std::string text = with_object(does, action, evidence);
    if (effect == Effect::timed_out) text += ": its time runs out";
    if (effect == Effect::cancelled) text += ": it is cancelled";
    if (effect == Effect::failed) text += words.if_failed;
    return text;
}

std::string text_of_event(const Event& event, const Evidence& evidence) {
    const bool interrupted = event.effect == Effect::cancelled && event.result == error::interrupted;
    if (interrupted) return text_of_action(event.action, Effect::done, evidence) + ": a signal interrupts it";
    return text_of_action(event.action, event.effect, evidence);
}

}  // namespace raddle
