// The machine code of an ELF file, by function: where functions are known to begin and end (symbols, and the table for
// unwinding that stripped files have too), and which memory is writable. The file may be anything: all is checked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace raddle::code {

struct Range {
    std::uint64_t begin = 0, end = 0;
    bool contains(std::uint64_t address) const { return address >= begin && address < end; }
};

class ElfCode {
public:
    // Of `linkage` only the libraries it asks for are known.
    enum class Read { all, linkage };
    // What is no ELF file for x86-64 has no functions.
    explicit ElfCode(const std::string& path, Read how = Read::all);

    const std::vector<Range>& functions() const { return functions_; }  // in order, without overlap
    std::span<const std::uint8_t> bytes(Range range) const;             // empty if they are not all in the file
    // Static data that the program itself can change.
    bool is_writable(std::uint64_t address) const;
    // A library it asks for by this name, or the beginning of one; empty if none.
    std::string needed(std::string_view beginning) const;
    bool defines(std::string_view function) const;
    bool has_section(std::string_view name) const;
    bool contains(std::string_view text) const { return file_.find(text) != std::string::npos; }  // anywhere in the file
    // What the loader puts into this place, so that calls can go by it; empty if that is not known.
    std::string_view imported(std::uint64_t place) const;
    std::uint64_t device() const { return device_; }
    std::uint64_t inode() const { return inode_; }

private:
    struct Segment {
        Range memory;
        std::uint64_t offset = 0, in_file = 0;
        bool executable = false, writable = false;
    };
    template <typename Record>
    bool read(std::uint64_t offset, Record& record) const;
    std::uint64_t offset_of(std::uint64_t address) const;
    void read_segments();
    void read_linkage(std::uint64_t offset, std::uint64_t size);
    std::string_view text_at(std::uint64_t address) const;
    void read_imports(std::uint64_t relocations, std::uint64_t bytes, std::uint64_t symbols);
    void read_symbols();
    void read_unwind_table(std::uint64_t address);
    void settle();

    std::string file_;
    std::vector<Segment> segments_;
    std::vector<Range> functions_, fixed_;
    std::vector<std::uint64_t> needed_;    // where their names are, among the linker's texts
    std::uint64_t texts_ = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> imports_;  // by place: the name, as above
    std::uint64_t unwind_table_ = 0;
    std::uint64_t device_ = 0, inode_ = 0;
};

}  // namespace raddle::code
