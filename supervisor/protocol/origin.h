// The origin: a process of the program that stands still before any of its code runs, and forks at each request. All
// launches are then copies of one process, with the same addresses. raddle uses it where the system does not let it
// switch address randomisation off. A request comes through a socket, with the descriptors of the new process.
#pragma once

#include <cstdint>

namespace raddle::origin {

// In place of the number of the channel (channel::environment_name): this letter, and the number of the socket.
inline constexpr char mark = 'O';

// The descriptors that come with a request, in this order, as far as the bits of Request::descriptors say so.
enum class Descriptor : std::uint32_t { input, output, errors, guardian, channel, code, count_ };
inline constexpr std::uint32_t descriptors = static_cast<std::uint32_t>(Descriptor::count_);

struct Request {
    std::uint32_t descriptors;  // a bit for each
    std::int32_t channel_as;    // their numbers in the new process
    std::int32_t code_as;
    char directory[4096];  // where the new process works; empty: where the origin does
};

// The process id, or a negative error number.
using Reply = std::int64_t;

}  // namespace raddle::origin
