#include "preload/memory/copies/patch_plan.h"

#include <cstring>

#include "preload/base/raw.h"
#include "preload/base/search.h"

namespace raddle::memory::copies {

InstructionRow* rows = nullptr;
State* states = nullptr;
std::uint64_t* checks = nullptr;

namespace {

constexpr std::uint32_t short_jump_bytes = 2;
constexpr std::int64_t short_reach = 127;

// Bytes of the original code that never run.
struct Unused {
    std::uint64_t begin, end;
};
Unused* unused = nullptr;  // sorted
std::uint32_t unused_count = 0, most_unused = 0;

void add_unused(std::uint64_t begin, std::uint64_t end) {
    if (end - begin >= jump_bytes && begin < end && unused_count < most_unused) unused[unused_count++] = {begin, end};
}

// Takes room for a jump that a short jump at this address can reach. 0: there is none.
std::uint64_t take_unused_near(std::uint64_t address) {
    const std::uint64_t from = address + short_jump_bytes - 128;
    for (std::uint32_t i = first_not_before(unused_count, [&](std::uint32_t row) { return unused[row].end < from; });
         i < unused_count; ++i) {
        Unused& one = unused[i];
        const std::uint64_t at = one.begin > from ? one.begin : from;
        if (static_cast<std::int64_t>(at - (address + short_jump_bytes)) > short_reach) return 0;
        if (at > one.end || one.end - at < jump_bytes) continue;
        one.begin = at + jump_bytes;
        return at;
    }
    return 0;
}

bool is_armed(std::uint32_t instruction) {
    const std::uint32_t site = rows[instruction].site;
    return site != 0 && is_to_be_armed(site - 1);
}

struct Run {
    std::uint32_t end;  // the first instruction behind it
    std::uint32_t bytes;
    bool is_watched;  // it has an armed access
};

class FunctionPlan {
public:
    FunctionPlan(const Area& area, std::uint32_t number)
        : area_(area),
          function_(function_at(number)),
          end_(function_.first_instruction + function_.instruction_count),
          moves_(states[number] == State::whole && function_.knows_entries != 0) {}

    void plan() {
        for (std::uint32_t at = function_.first_instruction; at < end_;) at = plan_from(at);
    }
    // When the bytes that never run are known.
    void settle() {
        for (std::uint32_t at = function_.first_instruction; at < end_; ++at)
            if (rows[at].fate == Fate::short_jump) settle_short_jump(at);
    }

private:
    bool runs_elsewhere(std::uint32_t at) const {
        const Placement placement = instruction_at(at).placement;
        return placement != Placement::stays && placement != Placement::padding;
    }
    bool is_plain_call(std::uint32_t at) const {
        return instruction_at(at).placement == Placement::call && rows[at].site == 0;
    }

    Run run_from(std::uint32_t at) const {
        Run run{at + 1, instruction_at(at).length, is_armed(at)};
        while (moves_ && run.end < end_ && instruction_at(run.end).entered == 0 &&
               instruction_at(run.end).placement != Placement::stays) {
            run.bytes += instruction_at(run.end).length;
            run.is_watched |= is_armed(run.end);
            ++run.end;
        }
        return run;
    }

    // A call is best made by the original code.
    void leave_out_call(std::uint32_t first, Run& run) const {
        const std::uint32_t call = run.end - 1;
        if (call == first || !is_plain_call(call)) return;
        const std::uint32_t without = run.bytes - instruction_at(call).length;
        if (without < jump_bytes && run.is_watched) return;
        run.bytes = without;
        --run.end;
    }

    std::uint32_t plan_from(std::uint32_t at) {
        const bool may_leave = runs_elsewhere(at) && (is_armed(at) || (moves_ && instruction_at(at).entered != 0));
        if (!may_leave) return at + 1;
        Run run = run_from(at);
        if (!run.is_watched && is_plain_call(run.end - 1)) return run.end;
        leave_out_call(at, run);
        if (run.bytes >= jump_bytes) {
            rows[at].fate = Fate::jump;
            cover(at + 1, run.end);
            const std::uint64_t begin = address_of(area_, function_, at);
            add_unused(begin + jump_bytes, begin + run.bytes);
        } else if (run.is_watched) {
            rows[at].fate = Fate::short_jump;
        }
        return run.end;
    }

    void cover(std::uint32_t from, std::uint32_t to) {
        for (; from < to; ++from) rows[from].fate = Fate::covered;
    }

    void settle_short_jump(std::uint32_t at) {
        Run run = run_from(at);
        const std::uint64_t address = address_of(area_, function_, at);
        const std::uint64_t room = run.bytes >= short_jump_bytes ? take_unused_near(address) : 0;
        rows[at].fate = Fate::native;
        if (room == 0) {
            for (; at < run.end; ++at)
                if (is_armed(at)) rows[at].fate = Fate::breakpoint;
            return;
        }
        rows[at].long_jump = static_cast<std::uint32_t>(room - area_.module_base);
        rows[at].fate = Fate::short_jump;
        cover(at + 1, run.end);
    }

    const Area& area_;
    const CodeFunction& function_;
    const std::uint32_t end_;
    const bool moves_;  // several instructions may be overwritten
};

// Bytes that differ from the file were changed by the loader, or by somebody else: then each instruction is compared.
State state_of(const Area& area, const CodeFunction& function, bool may_move) {
    const std::uint64_t begin = area.module_base + function.address;
    if (begin < area.code_begin || begin + function.bytes > area.code_end) return State::absent;
    bool any = false;
    for (std::uint32_t site = function.first_site; site < function.first_site + function.site_count && !any; ++site)
        any = is_to_be_armed(site);
    if (!any) return State::absent;
    if (!may_move) return State::single;
    return checksum_of(reinterpret_cast<const std::uint8_t*>(begin), function.bytes) == function.checksum
               ? State::whole
               : State::single;
}

void fill_rows(const Area& area, std::uint32_t number) {
    const CodeFunction& function = function_at(number);
    std::uint32_t site = function.first_site, offset = 0;
    for (std::uint32_t i = 0; i < function.instruction_count; ++i) {
        InstructionRow& row = rows[function.first_instruction + i];
        row = {offset, 0, 0, 0, Fate::native};
        if (site < function.first_site + function.site_count &&
            patches.sites[site].address == function.address + offset) {
            const auto* const at = reinterpret_cast<const void*>(area.module_base + patches.sites[site].address);
            const bool is_original = states[number] == State::whole ||
                                     std::memcmp(at, patches.sites[site].original, patches.sites[site].length) == 0;
            if (is_original) row.site = site + 1;
            ++site;
        }
        offset += instruction_at(function.first_instruction + i).length;
    }
}

}  // namespace

bool prepare() {
    rows = static_cast<InstructionRow*>(raw::map((patches.header->instruction_count + 1) * sizeof(InstructionRow)));
    states = static_cast<State*>(raw::map(patches.header->function_count + 1));
    checks = static_cast<std::uint64_t*>(raw::map((patches.header->site_count + 1) * sizeof(std::uint64_t)));
    return rows != nullptr && states != nullptr && checks != nullptr;
}

bool is_to_be_armed(std::uint32_t site) {
    const AccessSite& it = patches.sites[site];
    return patches.arming[site] != Arming::off && (it.own == 0 || patches.header->stacks != 0) &&
           it.length <= longest_instruction && it.copy_length <= longest_copy;
}

void plan(const Area& area, bool may_move) {
    const InstrumentedModule& module = module_of(area);
    std::uint32_t instructions = 0;
    for (std::uint32_t number = module.first_function; number < module.first_function + module.function_count;
         ++number) {
        states[number] = state_of(area, function_at(number), may_move);
        if (states[number] == State::absent) continue;
        fill_rows(area, number);
        instructions += function_at(number).instruction_count;
    }
    most_unused = instructions / 2 + 1;
    unused_count = 0;
    unused = static_cast<Unused*>(raw::map(most_unused * sizeof(Unused)));
    if (unused == nullptr) most_unused = 0;
    for_functions(area, [&](std::uint32_t number) { FunctionPlan(area, number).plan(); });
    for_functions(area, [&](std::uint32_t number) { FunctionPlan(area, number).settle(); });
    if (unused != nullptr) raw::unmap(unused, most_unused * sizeof(Unused));
}

}  // namespace raddle::memory::copies
