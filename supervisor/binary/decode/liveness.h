// What of a thread's registers and of its function's frame is still looked at, instruction by instruction: the rest
// can differ without any difference to what the thread does. Backwards over one function, as compilers do it; where
// that cannot be told (jumps to unknown places, addresses of the frame that are given away), all counts as looked at.
// The frame is followed only in functions that keep rbp as its pointer: the bytes below it.
#pragma once

#include <Zydis/Zydis.h>

#include <bitset>
#include <optional>
#include <unordered_map>
#include <vector>

#include "supervisor/protocol/patches.h"

namespace raddle::code {

class Liveness {
public:
    // `only_tells`: it calls what is told of memory, and leaves it alone.
    void see(const ZydisDecodedInstruction& what, const ZydisDecodedOperand* operands, std::uint64_t address, bool only_tells = false);
    // After all of the function was seen; `keeps_frame`: rbp points to its frame wherever it is used.
    void settle(bool keeps_frame);
    memory::Unread unread_at(std::uint64_t instruction) const;
    bool uses_red_zone() const { return uses_red_zone_; }

private:
    static constexpr std::size_t registers = 16, flags = registers, vectors = flags + 1, frame = vectors + registers;
    // General registers by number, flags, vector registers, bytes of the frame: the one at rbp - 1 - i.
    using Places = std::bitset<frame + memory::frame_bytes>;
    struct Step {
        std::uint64_t address = 0;
        Places uses, kills, live;
        Places partly;              // written, but not all of it
        Places meant = ~Places();  // hold what somebody put there on purpose, on every way to here
        Places addressed;           // of a call: what names its target
        std::optional<std::uint64_t> target;
        bool falls_through = true;
        bool is_call = false, gives_back = false, is_padding = false;
        bool leads_anywhere = false;
    };

    void see_register(const ZydisDecodedOperand& operand, Step& step);
    void see_memory(const ZydisDecodedOperand& operand, Step& step);
    void see_escape(const ZydisDecodedInstruction& what, const ZydisDecodedOperand* operands, bool only_tells);
    void see_branch(const ZydisDecodedInstruction& what, const ZydisDecodedOperand* operands, Step& step);
    void find_landing_pads();
    void find_arguments();

    std::vector<Step> steps_;
    std::unordered_map<std::uint64_t, std::size_t> at_;
    std::vector<std::size_t> landing_pads_;
    bool frame_is_followed_ = true, has_calls_ = false, uses_red_zone_ = false, uses_vectors_ = false;
    std::size_t escaped_ = 0;  // so many bytes below rbp may be reached by pointers
    std::size_t named_ = 0;    // … and so many by what has been put into a register, with which nothing was done yet
};

}  // namespace raddle::code
