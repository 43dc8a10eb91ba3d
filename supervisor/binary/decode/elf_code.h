// The machine code of an ELF file, by function. Symbols tell where functions begin and end, and so does the unwind
// table, which stripped files have too. Also the writable memory and the imports. Damaged files have less of all that.
//
// libelf (supervisor/base/elf.h) reads headers, segments, sections and symbols. Two things are read here, with every
// access checked, because libelf has no interface to them: data found by its address in memory, as the loader finds it,
// and .eh_frame_hdr with a row per function.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "supervisor/base/elf.h"
#include "supervisor/base/hash.h"
#include "supervisor/binary/decode/runtime_parts.h"

namespace raddle::code {

struct Range {
    std::uint64_t begin = 0, end = 0;
    bool contains(std::uint64_t address) const { return address >= begin && address < end; }
};

class ElfCode {
public:
    // With `linkage`, only the needed libraries are known.
    enum class Read { all, linkage };
    // Other files than ELF files for x86-64 have no functions.
    explicit ElfCode(const std::string& path, Read how = Read::all);

    const std::vector<Range>& functions() const { return functions_; }  // in order, without overlap
    std::span<const std::uint8_t> bytes(Range range) const;             // empty if they are not all in the file
    // What the file puts at this address and behind it, up to the end of the segment; empty if nothing.
    std::span<const std::uint8_t> loaded_at(std::uint64_t address) const;
    std::vector<Range> loaded(bool executable) const;  // the segments that are code, or are not
    // Addresses that the loader writes somewhere, as far as the file tells them in relocations. The others stand in
    // data if `has_addresses_in_data`.
    const std::vector<std::uint64_t>& written_addresses() const { return written_; }
    bool has_addresses_in_data() const;
    std::uint64_t unwind_table() const { return unwind_table_; }  // the address of .eh_frame_hdr; 0: none
    // Static data that the program itself can change: neither constant, nor written by the loader alone, nor a counter
    // of the compiler.
    bool is_writable(std::uint64_t address) const;
    // The first needed library with this name or beginning; empty if none.
    std::string needed(std::string_view beginning) const;
    bool defines(std::string_view function) const;
    // The same for each of several functions, in one pass over the symbols.
    std::vector<bool> defines_each(const std::vector<std::string_view>& functions) const;
    bool exports(std::string_view function) const;
    // Its code reads the shadow memory of AddressSanitizer.
    bool reads_shadow() const { return runtime_.reads_shadow; }
    bool has_section(std::string_view name) const { return elf_.has_section(name); }
    bool contains(std::string_view text) const;  // in what is loaded
    // The symbol whose address the loader writes to this address, for calls through it; empty if unknown.
    std::string_view imported(std::uint64_t place) const;
    std::string build_id() const { return elf_.build_id(); }
    // Of everything that decoding looks at, except for names of the compiler's own data.
    Hash128 content_hash() const;
    std::uint64_t device() const { return device_; }
    std::uint64_t inode() const { return inode_; }

private:
    struct Segment {
        Range memory;
        std::uint64_t offset = 0, in_file = 0;
        bool executable = false, writable = false;
    };
    template <typename Record>
    bool read(std::uint64_t offset, Record& record) const;  // false: not all in the file
    std::uint64_t offset_of(std::uint64_t address) const;
    void look_for(const std::vector<std::string_view>& functions, std::uint32_t table, std::vector<bool>& found) const;
    void read_segments();
    void read_linkage();
    std::string_view text_at(std::uint64_t address) const;
    void read_imports(std::uint64_t relocations, std::uint64_t bytes, std::uint64_t symbols);
    void read_symbols();
    void read_runtime();
    void read_unwind_table(std::uint64_t address);
    void settle();

    std::uint64_t device_ = 0, inode_ = 0;  // before elf_: reading the file sets them
    ElfFile elf_;
    std::vector<Segment> segments_;
    RuntimeParts runtime_;
    std::vector<Range> functions_, fixed_;
    std::vector<std::uint64_t> needed_;  // offsets of their names in the string table
    std::uint64_t texts_ = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> imports_;  // by address: offset of the name in the string table
    std::vector<std::uint64_t> written_;
    std::uint64_t unwind_table_ = 0;
    bool has_packed_relocations_ = false;
};

}  // namespace raddle::code
