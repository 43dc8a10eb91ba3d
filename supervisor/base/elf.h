// Reads ELF files through libelf. A file may be damaged or made to do harm: every access is checked, and a damaged part
// reads as absent.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "supervisor/base/elf_bytes.h"

struct Elf;

namespace raddle {

class ElfFile {
public:
    explicit ElfFile(ElfBytes bytes);
    ElfFile(const std::filesystem::path& path, ElfParts parts) : ElfFile(ElfBytes(path, parts)) {}
    ~ElfFile();
    ElfFile(const ElfFile&) = delete;
    ElfFile& operator=(const ElfFile&) = delete;

    // An ELF file of any class. Only files of 64 bits have segments, sections and symbols here.
    bool is_elf() const { return is_elf_; }
    bool is_for_x86_64() const;
    std::string_view bytes() const { return bytes_.view(); }

    const std::vector<Elf64_Phdr>& segments() const { return segments_; }
    bool has_segment(std::uint32_t type) const;
    std::string_view content(const Elf64_Phdr& segment) const;  // as far as it is in the file
    bool has_section(std::string_view name) const;
    void each_section(const std::function<void(const Elf64_Shdr&, std::string_view name)>& visit) const;

    // Each symbol of the tables of that type (SHT_SYMTAB, SHT_DYNSYM) with its name, until `visit` returns false.
    using Visit = std::function<bool(const Elf64_Sym&, std::string_view name)>;
    void each_symbol(std::uint32_t table_type, const Visit& visit) const;

    // The entries of the dynamic segments, up to each DT_NULL.
    std::vector<Elf64_Dyn> dynamic() const;
    bool has_dynamic(std::int64_t tag) const;
    // The versions of other libraries' symbols that it needs: "GLIBC_2.34".
    std::vector<std::string> needed_versions() const;
    // The contents of PT_INTERP: one path in sound files.
    std::vector<std::string> interpreters() const;
    // The bytes of the GNU build-id; empty if it has none.
    std::string build_id() const;

    // A record at an offset that something in the file names; nothing if it is not all in the file.
    template <typename Record>
    std::optional<Record> record_at(std::uint64_t offset) const {
        if (offset > bytes().size() || bytes().size() - offset < sizeof(Record)) return std::nullopt;
        Record record;
        std::memcpy(&record, bytes().data() + offset, sizeof record);
        return record;
    }
    // The text at an offset, up to its zero byte or the end of the file.
    std::string_view text_at(std::uint64_t offset) const;

private:
    ElfBytes bytes_;
    Elf* elf_ = nullptr;
    bool is_elf_ = false, has_64_bits_ = false;
    std::vector<Elf64_Phdr> segments_;
};

}  // namespace raddle
