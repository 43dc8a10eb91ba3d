// Finds the registers and frame bytes that a thread may still read, for each instruction of a function; the others
// cannot influence the thread. It works backwards over one function, as compilers do. Where the analysis is impossible
// (jumps to unknown targets, escaping addresses of the frame), everything counts as read. It follows the bytes below
// rbp, in functions that keep rbp as frame pointer.
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
    // `only_tells`: the instruction calls a function that reports an access and leaves the memory alone.
    void see(const ZydisDecodedInstruction& what, const ZydisDecodedOperand* operands, std::uint64_t address,
             bool only_tells = false);
    // Call it after the whole function was seen. `keeps_frame`: rbp points to the frame wherever it is used.
    void settle(bool keeps_frame);
    memory::Unread unread_at(std::uint64_t instruction) const;
    bool uses_red_zone() const { return uses_red_zone_; }

private:
    static constexpr std::size_t registers = 16, flags = registers, vectors = flags + 1, frame = vectors + registers;
    // General registers by number, flags, vector registers, bytes of the frame: the one at rbp - 1 - i.
    using LiveSet = std::bitset<frame + memory::frame_bytes>;
    struct Step {
        std::uint64_t address = 0;
        LiveSet uses, kills, live;
        LiveSet partly;              // written in part
        LiveSet meant = ~LiveSet();  // hold a deliberate value, on every path to here
        LiveSet addressed;           // of a call: registers that name its target
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
    std::size_t escaped_ = 0;  // bytes below rbp that pointers may reach
    std::size_t named_ = 0;    // … and bytes that an unused pointer in a register may reach
};

}  // namespace raddle::code
