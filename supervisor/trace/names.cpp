#include "supervisor/trace/names.h"

#include <optional>
#include <vector>

#include "supervisor/base/text.h"

namespace raddle {

namespace {

// The path of creations that the code stands for; nothing for a hashed code.
std::optional<std::vector<std::uint32_t>> path_of(ThreadId thread) {
    if (thread.code >> thread_code_bits != 0) return std::nullopt;
    std::vector<std::uint32_t> path;
    std::uint64_t number = 0;
    bool within = false;
    for (int shift = thread_code_bits - 4; shift >= 0; shift -= 4) {
        const std::uint64_t nibble = thread.code >> shift & 15u;
        if (path.empty() && !within && nibble == 0) continue;
        number = number << 3 | (nibble & 7u);
        within = (nibble & 8u) != 0;
        if (within) continue;
        if (number == 0 || number > 0xffffffffu) return std::nullopt;
        path.push_back(static_cast<std::uint32_t>(number));
        number = 0;
    }
    ThreadId again = main_thread;
    for (const std::uint32_t child : path) again = child_of(again, child);
    if (within || !(again == thread)) return std::nullopt;
    return path;
}

}  // namespace

std::string name_of(ThreadId thread) {
    if (thread == main_thread) return "T0";
    const auto path = path_of(thread);
    if (!path) return "T~" + hexadecimal_digits(thread.code);
    std::string name = "T";
    for (const std::uint32_t child : *path) name += (name.size() > 1 ? "." : "") + std::to_string(child);
    return name;
}

std::string name_of(const ObjectId& object) {
    const std::string offset = "+0x" + hexadecimal_digits(object.offset);
    const std::string thread = name_of(thread_of(object));
    switch (object.space()) {
        case Space::process: return "process";
        case Space::thread: return "thread:" + thread;
        case Space::cancel: return "cancel:" + thread;
        case Space::module: return "module" + std::to_string(object.owner()) + offset;
        case Space::heap: return "heap:" + thread + offset;
        case Space::stack: return "stack:" + thread + offset;
        case Space::descriptor: return "fd" + std::to_string(object.offset);
        case Space::descriptors: return "fds";
        case Space::named:
            return "named" + (object.owner() != 0 ? std::to_string(object.owner()) : "") + ":" +
                   hexadecimal_digits(object.offset);
        case Space::program:
            return "program" + (object.owner() != 0 ? std::to_string(object.owner()) : "") + ":" +
                   std::to_string(object.offset);
        case Space::hold: return "hold:" + thread + offset;
        case Space::tool: return "tool" + std::to_string(object.owner()) + offset;
    }
    return "space" + std::to_string(object.region >> 56) + ":" + hexadecimal_digits(object.owner()) + offset;
}

}  // namespace raddle
