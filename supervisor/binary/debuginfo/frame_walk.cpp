#include "supervisor/binary/debuginfo/frame_walk.h"

#include <libunwind.h>

#include <algorithm>

// The function that libunwind exports for those who find tables themselves; its headers do not declare it.
extern "C" int _Ux86_64_dwarf_search_unwind_table(unw_addr_space_t, unw_word_t, unw_dyn_info_t*, unw_proc_info_t*, int,
                                                  void*);

namespace raddle {

namespace {

constexpr std::size_t most_walked = 100;
constexpr unsigned most_words_read = 200'000;  // damaged tables may be endless
constexpr std::size_t rsp = 7, rip = 16;

struct Walk {
    const Registers& registers;
    const std::vector<MappedCode>& code;
    const ReadWord& read;
    unsigned reads = 0;

    bool word(std::uint64_t address, std::uint64_t& into) {
        if (++reads > most_words_read) return false;
        if (const std::uint64_t shift = address % 8; shift != 0) {
            std::uint64_t low = 0, high = 0;
            if (!read(address - shift, low) || !read(address - shift + 8, high)) return false;
            into = low >> (8 * shift) | high << (64 - 8 * shift);
            return true;
        }
        return read(address, into);
    }
};

Walk& of(void* argument) { return *static_cast<Walk*>(argument); }

// Where the sorted table of a .eh_frame_hdr lies. Linkers write one form; others are left alone.
struct Table {
    std::uint64_t rows = 0, count = 0;
};
bool find_table(Walk& walk, std::uint64_t header, Table& table) {
    constexpr std::uint64_t version = 1, count_is_udata4 = 0x03, rows_are_datarel_sdata4 = 0x3b;
    std::uint64_t first = 0, second = 0;
    if (!walk.word(header, first) || !walk.word(header + 8, second)) return false;
    const std::uint64_t pointer_form = first >> 8 & 0x0f;
    const bool pointer_has_4_bytes = pointer_form == 0x03 || pointer_form == 0x0b;
    if ((first & 0xff) != version || !pointer_has_4_bytes || (first >> 16 & 0xff) != count_is_udata4 ||
        (first >> 24 & 0xff) != rows_are_datarel_sdata4)
        return false;
    table = {header + 12, second & 0xffffffff};
    return true;
}

int find_proc_info(unw_addr_space_t space, unw_word_t address, unw_proc_info_t* found, int need_info, void* argument) {
    Walk& walk = of(argument);
    const auto code = std::find_if(walk.code.begin(), walk.code.end(), [&](const MappedCode& one) {
        return one.begin <= address && address < one.end && one.unwind_table != 0;
    });
    Table table;
    if (code == walk.code.end() || !find_table(walk, code->unwind_table, table)) return -UNW_ENOINFO;
    unw_dyn_info_t info{};
    info.format = UNW_INFO_FORMAT_REMOTE_TABLE;
    info.start_ip = code->begin;
    info.end_ip = code->end;
    info.u.rti.segbase = code->unwind_table;
    info.u.rti.table_data = table.rows;
    info.u.rti.table_len = table.count;  // in words; a row has two numbers of four bytes
    return _Ux86_64_dwarf_search_unwind_table(space, address, &info, found, need_info, argument);
}

void put_unwind_info(unw_addr_space_t, unw_proc_info_t*, void*) {}
int no_dynamic_code(unw_addr_space_t, unw_word_t*, void*) { return -UNW_ENOINFO; }
int no_floating_point(unw_addr_space_t, unw_regnum_t, unw_fpreg_t*, int, void*) { return -UNW_EBADREG; }
int no_resuming(unw_addr_space_t, unw_cursor_t*, void*) { return -UNW_EINVAL; }
int no_names(unw_addr_space_t, unw_word_t, char*, std::size_t, unw_word_t*, void*) { return -UNW_ENOINFO; }

int access_memory(unw_addr_space_t, unw_word_t address, unw_word_t* value, int writes, void* argument) {
    std::uint64_t word = 0;
    if (writes != 0 || !of(argument).word(address, word)) return -UNW_EINVAL;
    *value = word;
    return 0;
}

int access_register(unw_addr_space_t, unw_regnum_t number, unw_word_t* value, int writes, void* argument) {
    if (writes != 0 || number < 0 || number >= static_cast<int>(channel::register_count)) return -UNW_EBADREG;
    *value = of(argument).registers[static_cast<std::size_t>(number)];
    return 0;
}

class AddressSpace {
public:
    AddressSpace() : space_(unw_create_addr_space(&accessors_, 0)) {
        if (space_ != nullptr) unw_set_caching_policy(space_, UNW_CACHE_NONE);
    }
    ~AddressSpace() {
        if (space_ != nullptr) unw_destroy_addr_space(space_);
    }
    AddressSpace(const AddressSpace&) = delete;
    AddressSpace& operator=(const AddressSpace&) = delete;

    bool begin(unw_cursor_t& cursor, Walk& walk) const {
        return space_ != nullptr && unw_init_remote(&cursor, space_, &walk) == 0;
    }

private:
    unw_accessors_t accessors_ = [] {
        unw_accessors_t all{};
        all.find_proc_info = find_proc_info;
        all.put_unwind_info = put_unwind_info;
        all.get_dyn_info_list_addr = no_dynamic_code;
        all.access_mem = access_memory;
        all.access_reg = access_register;
        all.access_fpreg = no_floating_point;
        all.resume = no_resuming;
        all.get_proc_name = no_names;
        return all;
    }();
    unw_addr_space_t space_;
};

bool is_code(const std::vector<MappedCode>& code, std::uint64_t address) {
    return std::any_of(code.begin(), code.end(),
                       [&](const MappedCode& one) { return one.begin <= address && address < one.end; });
}

}  // namespace

WalkedFrames walk_frames(const Registers& registers, const std::vector<MappedCode>& code, const ReadWord& read) {
    WalkedFrames walked{{registers[rip]}, false};
    std::vector<std::uint64_t>& frames = walked.instructions;
    Walk walk{registers, code, read};
    const AddressSpace space;
    unw_cursor_t cursor;
    if (!space.begin(cursor, walk)) return walked;
    std::uint64_t last_stack_pointer = registers[rsp];
    bool was_interrupted = unw_is_signal_frame(&cursor) > 0;
    while (frames.size() < most_walked) {
        const int step = unw_step(&cursor);
        walked.to_the_end = step == 0;
        if (step <= 0) break;
        unw_word_t at = 0, pointer = 0;
        if (unw_get_reg(&cursor, UNW_REG_IP, &at) != 0 || unw_get_reg(&cursor, UNW_REG_SP, &pointer) != 0 || at == 0)
            break;
        // Without a table libunwind guesses; a guess that leads outside of all code was wrong.
        if (!is_code(code, at) || (pointer <= last_stack_pointer && !was_interrupted)) break;
        frames.push_back(was_interrupted ? at : at - 1);
        last_stack_pointer = pointer;
        was_interrupted = unw_is_signal_frame(&cursor) > 0;
    }
    return walked;
}

}  // namespace raddle
