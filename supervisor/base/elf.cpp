#include "supervisor/base/elf.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>

namespace raddle {

namespace {

// Sound files have a handful of each; damaged ones must not keep us busy.
constexpr std::size_t most_segments = 4096;
constexpr int most_versions = 100'000;

}  // namespace

ElfFile::ElfFile(ElfBytes file) : bytes_(std::move(file)) {
    ::elf_version(EV_CURRENT);
    if (bytes().size() < EI_NIDENT) return;
    elf_ = ::elf_memory(bytes_.data(), bytes().size());
    GElf_Ehdr header;
    is_elf_ = elf_ != nullptr && ::elf_kind(elf_) == ELF_K_ELF;
    has_64_bits_ = is_elf_ && ::gelf_getclass(elf_) == ELFCLASS64 && ::gelf_getehdr(elf_, &header) != nullptr;
    std::size_t count = 0;
    if (!has_64_bits_ || ::elf_getphdrnum(elf_, &count) != 0) return;
    for (std::size_t i = 0; i < std::min(count, most_segments); ++i)
        if (GElf_Phdr segment; ::gelf_getphdr(elf_, static_cast<int>(i), &segment) != nullptr)
            segments_.push_back(segment);
}

ElfFile::~ElfFile() {
    if (elf_ != nullptr) ::elf_end(elf_);
}

bool ElfFile::is_for_x86_64() const {
    GElf_Ehdr header;
    return has_64_bits_ && ::gelf_getehdr(elf_, &header) != nullptr && header.e_machine == EM_X86_64 &&
           header.e_ident[EI_DATA] == ELFDATA2LSB;
}

bool ElfFile::has_segment(std::uint32_t type) const {
    return std::any_of(segments_.begin(), segments_.end(),
                       [&](const Elf64_Phdr& segment) { return segment.p_type == type; });
}

std::string_view ElfFile::content(const Elf64_Phdr& segment) const {
    if (segment.p_offset >= bytes().size()) return {};
    return bytes().substr(segment.p_offset, segment.p_filesz);
}

bool ElfFile::has_section(std::string_view name) const {
    bool has = false;
    each_section([&](const Elf64_Shdr&, std::string_view one) { has |= one == name; });
    return has;
}

void ElfFile::each_section(const std::function<void(const Elf64_Shdr&, std::string_view name)>& visit) const {
    std::size_t names = 0;
    if (!has_64_bits_ || ::elf_getshdrstrndx(elf_, &names) != 0) return;
    for (Elf_Scn* section = nullptr; (section = ::elf_nextscn(elf_, section)) != nullptr;) {
        GElf_Shdr header;
        if (::gelf_getshdr(section, &header) == nullptr) continue;
        const char* found = ::elf_strptr(elf_, names, header.sh_name);
        if (found != nullptr) visit(header, found);
    }
}

void ElfFile::each_symbol(std::uint32_t table_type, const Visit& visit) const {
    if (!has_64_bits_) return;
    for (Elf_Scn* section = nullptr; (section = ::elf_nextscn(elf_, section)) != nullptr;) {
        GElf_Shdr header;
        if (::gelf_getshdr(section, &header) == nullptr || header.sh_type != table_type) continue;
        Elf_Data* data = ::elf_getdata(section, nullptr);
        GElf_Sym symbol;
        for (int i = 0; data != nullptr && ::gelf_getsym(data, i, &symbol) != nullptr; ++i) {
            const char* name = ::elf_strptr(elf_, header.sh_link, symbol.st_name);
            if (!visit(symbol, name == nullptr ? std::string_view() : name)) return;
        }
    }
}

std::vector<Elf64_Dyn> ElfFile::dynamic() const {
    std::vector<Elf64_Dyn> entries;
    for (const Elf64_Phdr& segment : segments_) {
        if (segment.p_type != PT_DYNAMIC) continue;
        const std::uint64_t size = content(segment).size();
        for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= size; at += sizeof(Elf64_Dyn)) {
            const auto entry = record_at<Elf64_Dyn>(segment.p_offset + at);
            if (!entry || entry->d_tag == DT_NULL) break;
            entries.push_back(*entry);
        }
    }
    return entries;
}

bool ElfFile::has_dynamic(std::int64_t tag) const {
    const std::vector<Elf64_Dyn> entries = dynamic();
    return std::any_of(entries.begin(), entries.end(), [&](const Elf64_Dyn& entry) { return entry.d_tag == tag; });
}

std::vector<std::string> ElfFile::needed_versions() const {
    std::vector<std::string> versions;
    if (!has_64_bits_) return versions;
    int left = most_versions;
    for (Elf_Scn* section = nullptr; (section = ::elf_nextscn(elf_, section)) != nullptr;) {
        GElf_Shdr header;
        if (::gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_GNU_verneed) continue;
        Elf_Data* data = ::elf_getdata(section, nullptr);
        GElf_Verneed need;
        GElf_Vernaux version;
        for (std::uint64_t at = 0; data != nullptr && at < data->d_size && left-- > 0 &&
                                   ::gelf_getverneed(data, static_cast<int>(at), &need) != nullptr;
             at += need.vn_next) {
            for (std::uint64_t inner = at + need.vn_aux;
                 inner < data->d_size && left-- > 0 &&
                 ::gelf_getvernaux(data, static_cast<int>(inner), &version) != nullptr;
                 inner += version.vna_next) {
                if (const char* name = ::elf_strptr(elf_, header.sh_link, version.vna_name))
                    versions.emplace_back(name);
                if (version.vna_next == 0) break;
            }
            if (need.vn_next == 0) break;
        }
    }
    return versions;
}

std::vector<std::string> ElfFile::interpreters() const {
    std::vector<std::string> found;
    for (const Elf64_Phdr& segment : segments_) {
        const std::string_view path = content(segment);
        if (segment.p_type == PT_INTERP) found.emplace_back(path.substr(0, path.find('\0')));
    }
    return found;
}

std::string ElfFile::build_id() const {
    const void* id = nullptr;
    const ssize_t size = has_64_bits_ ? ::dwelf_elf_gnu_build_id(elf_, &id) : 0;
    return size > 0 ? std::string(static_cast<const char*>(id), static_cast<std::size_t>(size)) : std::string();
}

std::string_view ElfFile::text_at(std::uint64_t offset) const {
    if (offset >= bytes().size()) return {};
    return {bytes().data() + offset, ::strnlen(bytes().data() + offset, bytes().size() - offset)};
}

}  // namespace raddle
