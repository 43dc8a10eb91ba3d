#include "supervisor/binary/decode/elf_code.h"

#include <elf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

namespace raddle::code {

namespace {
constexpr std::uint64_t nowhere = ~std::uint64_t{0};
constexpr std::uint32_t most_functions = 1u << 20;
constexpr std::int64_t dt_relr = 36;  // DT_RELR, which older headers do not name

// The encodings of pointers that compilers use on this machine; files with others tell their functions by symbols.
constexpr std::uint8_t relative_to_itself = 0x1b, relative_to_table = 0x3b, four_bytes = 0x03;

ElfBytes code_of(const std::string& path, std::uint64_t& device, std::uint64_t& inode) {
    struct stat status;
    if (::stat(path.c_str(), &status) != 0) return {};
    device = status.st_dev;
    inode = status.st_ino;
    return {path, ElfParts::loaded};
}
}  // namespace

ElfCode::ElfCode(const std::string& path, Read how) : elf_(code_of(path, device_, inode_)) {
    if (!elf_.is_for_x86_64()) return;
    read_segments();
    read_linkage();
    if (how == Read::linkage) return;
    read_symbols();
    read_runtime();
    if (unwind_table_ != 0) read_unwind_table(unwind_table_);
    settle();
}

Hash128 ElfCode::content_hash() const {
    Hasher hash;
    const std::string_view all = elf_.bytes();
    for (const Segment& segment : segments_) {
        hash.add(segment.memory.begin).add(segment.memory.end).add(segment.offset).add(segment.in_file);
        hash.add((segment.executable ? 1u : 0u) + (segment.writable ? 2u : 0u));
        if (segment.offset > all.size()) continue;
        const std::string_view bytes = all.substr(segment.offset, segment.in_file);
        std::uint64_t word = 0;
        for (std::size_t at = 0; at + sizeof word <= bytes.size(); at += sizeof word) {
            std::memcpy(&word, bytes.data() + at, sizeof word);
            hash.add(word);
        }
        for (std::size_t at = bytes.size() & ~std::size_t{7}; at < bytes.size(); ++at)
            hash.add(static_cast<unsigned char>(bytes[at]));
    }
    for (const Range& function : functions_) hash.add(function.begin).add(function.end);
    return hash.add(functions_.size()).finish();
}

template <typename Record>
bool ElfCode::read(std::uint64_t offset, Record& record) const {
    const auto found = elf_.record_at<Record>(offset);
    if (found) record = *found;
    return found.has_value();
}

std::uint64_t ElfCode::offset_of(std::uint64_t address) const {
    for (const Segment& segment : segments_)
        if (address >= segment.memory.begin && address - segment.memory.begin < segment.in_file)
            return segment.offset + (address - segment.memory.begin);
    return nowhere;
}

void ElfCode::read_segments() {
    for (const Elf64_Phdr& row : elf_.segments()) {
        const Range memory{row.p_vaddr, row.p_vaddr + row.p_memsz};
        if (memory.end < memory.begin) continue;
        if (row.p_type == PT_LOAD)
            segments_.push_back({memory, row.p_offset, std::min(row.p_filesz, row.p_memsz), (row.p_flags & PF_X) != 0,
                                 (row.p_flags & PF_W) != 0});
        if (row.p_type == PT_GNU_RELRO) fixed_.push_back(memory);
        if (row.p_type == PT_GNU_EH_FRAME) unwind_table_ = row.p_vaddr;
    }
}

// Only the loader writes the table for calls into other modules (DT_PLTGOT).
void ElfCode::read_linkage() {
    std::uint64_t table = 0, bytes = 0, calls = 0, others = 0, bytes_of_others = 0, symbols = 0;
    for (const Elf64_Dyn& entry : elf_.dynamic()) {
        if (entry.d_tag == DT_PLTGOT) table = entry.d_un.d_ptr;
        if (entry.d_tag == DT_PLTRELSZ) bytes = entry.d_un.d_val;
        if (entry.d_tag == DT_NEEDED) needed_.push_back(entry.d_un.d_val);
        if (entry.d_tag == DT_STRTAB) texts_ = entry.d_un.d_ptr;
        if (entry.d_tag == DT_JMPREL) calls = entry.d_un.d_ptr;
        if (entry.d_tag == DT_RELA) others = entry.d_un.d_ptr;
        if (entry.d_tag == DT_RELASZ) bytes_of_others = entry.d_un.d_val;
        if (entry.d_tag == DT_SYMTAB) symbols = entry.d_un.d_ptr;
        if (entry.d_tag == dt_relr) has_packed_relocations_ = true;
    }
    read_imports(calls, bytes, symbols);
    read_imports(others, bytes_of_others, symbols);
    constexpr std::uint64_t reserved_slots = 3;
    if (table != 0 && bytes < elf_.bytes().size())
        fixed_.push_back({table, table + 8 * (reserved_slots + bytes / sizeof(Elf64_Rela))});
}

void ElfCode::read_imports(std::uint64_t relocations, std::uint64_t bytes, std::uint64_t symbols) {
    for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= bytes; at += sizeof(Elf64_Rela)) {
        Elf64_Rela relocation;
        Elf64_Sym symbol;
        if (!read(offset_of(relocations + at), relocation)) return;
        const auto type = ELF64_R_TYPE(relocation.r_info);
        if (type == R_X86_64_RELATIVE || type == R_X86_64_IRELATIVE)
            written_.push_back(static_cast<std::uint64_t>(relocation.r_addend));
        if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
        if (read(offset_of(symbols + ELF64_R_SYM(relocation.r_info) * sizeof symbol), symbol))
            imports_[relocation.r_offset] = symbol.st_name;
    }
}

std::string_view ElfCode::text_at(std::uint64_t address) const { return elf_.text_at(offset_of(address)); }

std::string ElfCode::needed(std::string_view beginning) const {
    for (const std::uint64_t place : needed_)
        if (const std::string_view name = text_at(texts_ + place); name.starts_with(beginning))
            return std::string(name);
    return {};
}

std::string_view ElfCode::imported(std::uint64_t place) const {
    const auto found = imports_.find(place);
    return found != imports_.end() ? text_at(texts_ + found->second) : std::string_view();
}

bool ElfCode::contains(std::string_view text) const {
    return std::any_of(elf_.segments().begin(), elf_.segments().end(), [&](const Elf64_Phdr& segment) {
        return segment.p_type == PT_LOAD && elf_.content(segment).find(text) != std::string_view::npos;
    });
}

bool ElfCode::defines(std::string_view function) const { return defines_each({function})[0]; }

bool ElfCode::exports(std::string_view function) const {
    std::vector<bool> found(1);
    look_for({function}, SHT_DYNSYM, found);
    return found[0];
}

std::vector<bool> ElfCode::defines_each(const std::vector<std::string_view>& functions) const {
    std::vector<bool> found(functions.size());
    look_for(functions, SHT_SYMTAB, found);
    look_for(functions, SHT_DYNSYM, found);
    return found;
}

// Marks those that the table defines. Ends when all are found.
void ElfCode::look_for(const std::vector<std::string_view>& functions, std::uint32_t table,
                       std::vector<bool>& found) const {
    auto left = std::ranges::count(found, false);
    if (left == 0 || !elf_.is_for_x86_64()) return;
    elf_.each_symbol(table, [&](const Elf64_Sym& symbol, std::string_view name) {
        if (symbol.st_shndx == SHN_UNDEF) return true;
        const auto at = static_cast<std::size_t>(std::ranges::find(functions, name) - functions.begin());
        if (at < functions.size() && !found[at]) {
            found[at] = true;
            --left;
        }
        return left > 0;
    });
}

void ElfCode::read_symbols() {
    const auto add = [&](const Elf64_Sym& symbol, std::string_view) {
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF && symbol.st_size != 0)
            functions_.push_back({symbol.st_value, symbol.st_value + symbol.st_size});
        return functions_.size() < most_functions;
    };
    elf_.each_symbol(SHT_SYMTAB, add);
    elf_.each_symbol(SHT_DYNSYM, add);
}

void ElfCode::read_runtime() {
    runtime_ = runtime_parts(elf_);
    for (const RuntimeParts::Range& range : runtime_.counters) fixed_.push_back({range.begin, range.end});
}

void ElfCode::read_unwind_table(std::uint64_t address) {
    struct Head {
        std::uint8_t version, frame_encoding, count_encoding, table_encoding;
        std::int32_t frame;
        std::uint32_t count;
    } head;
    const std::uint64_t offset = offset_of(address);
    if (offset == nowhere || !read(offset, head) || head.version != 1 || head.frame_encoding != relative_to_itself ||
        head.count_encoding != four_bytes || head.table_encoding != relative_to_table)
        return;
    for (std::uint32_t i = 0; i < head.count && i < most_functions; ++i) {
        struct {
            std::int32_t function, description;
        } row;
        if (!read(offset + sizeof head + std::uint64_t{i} * sizeof row, row)) return;
        const std::uint64_t description = address + static_cast<std::uint64_t>(std::int64_t{row.description});
        struct {
            std::uint32_t length, back;
            std::int32_t begin;
            std::uint32_t size;
        } entry;
        const std::uint64_t at = offset_of(description);
        if (at == nowhere || !read(at, entry) || entry.length == 0xffffffff || entry.back == 0) continue;
        // The description is in the common encoding if its two ways to name the function agree.
        const std::uint64_t begin = address + static_cast<std::uint64_t>(std::int64_t{row.function});
        if (description + 8 + static_cast<std::uint64_t>(std::int64_t{entry.begin}) != begin) continue;
        functions_.push_back({begin, begin + entry.size});
    }
}

// Drops functions that lie within another, and all functions that overlap in another way: nothing is certain about
// them.
void ElfCode::settle() {
    std::erase_if(functions_, [&](const Range& range) {
        return range.end <= range.begin || bytes(range).empty() || runtime_.has_code(range.begin);
    });
    std::sort(functions_.begin(), functions_.end(),
              [](const Range& a, const Range& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
    std::vector<Range> settled;
    std::uint64_t doubtful_to = 0;
    for (const Range& range : functions_) {
        if (range.begin < doubtful_to) continue;
        if (!settled.empty() && range.begin < settled.back().end) {
            if (range.end <= settled.back().end) continue;
            settled.pop_back();
            doubtful_to = range.end;
            continue;
        }
        settled.push_back(range);
    }
    functions_ = std::move(settled);
}

std::span<const std::uint8_t> ElfCode::bytes(Range range) const {
    for (const Segment& segment : segments_) {
        if (!segment.executable || !segment.memory.contains(range.begin)) continue;
        const std::uint64_t inside = range.begin - segment.memory.begin, size = range.end - range.begin;
        if (inside > segment.in_file || segment.in_file - inside < size) return {};
        const std::uint64_t offset = segment.offset + inside;
        if (offset > elf_.bytes().size() || elf_.bytes().size() - offset < size) return {};
        return {reinterpret_cast<const std::uint8_t*>(elf_.bytes().data()) + offset, size};
    }
    return {};
}

std::span<const std::uint8_t> ElfCode::loaded_at(std::uint64_t address) const {
    for (const Segment& segment : segments_) {
        if (!segment.memory.contains(address)) continue;
        const std::uint64_t inside = address - segment.memory.begin;
        if (inside >= segment.in_file || segment.offset > elf_.bytes().size() ||
            elf_.bytes().size() - segment.offset < segment.in_file)
            return {};
        return {reinterpret_cast<const std::uint8_t*>(elf_.bytes().data()) + segment.offset + inside,
                segment.in_file - inside};
    }
    return {};
}

std::vector<Range> ElfCode::loaded(bool executable) const {
    std::vector<Range> ranges;
    for (const Segment& segment : segments_)
        if (segment.executable == executable)
            ranges.push_back({segment.memory.begin, segment.memory.begin + segment.in_file});
    return ranges;
}

bool ElfCode::has_addresses_in_data() const {
    Elf64_Ehdr header;
    return has_packed_relocations_ || !read(0, header) || header.e_type == ET_EXEC;
}

bool ElfCode::is_writable(std::uint64_t address) const {
    const auto holds = [&](const Range& range) { return range.contains(address); };
    if (std::any_of(fixed_.begin(), fixed_.end(), holds)) return false;
    return std::any_of(segments_.begin(), segments_.end(),
                       [&](const Segment& segment) { return segment.writable && segment.memory.contains(address); });
}

}  // namespace raddle::code
