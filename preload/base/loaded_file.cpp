#include "preload/base/loaded_file.h"

#include <elf.h>

#include "preload/base/raw.h"
#include "preload/base/text.h"

extern "C" const char __ehdr_start[] __attribute__((visibility("hidden")));

namespace raddle {

LoadedFile::LoadedFile(const dl_phdr_info& info)
    : base_(info.dlpi_addr), is_libc_(info.dlpi_name != nullptr && ends_with(info.dlpi_name, "/libc.so.6")) {
    read_segments(info);
}

void LoadedFile::take(const ElfW(Dyn) & entry) {
    const std::uint64_t value = entry.d_un.d_val;
    // The loader relocates these entries, except in files whose table is read-only.
    const std::uint64_t address = value < base_ ? value + base_ : value;
    switch (entry.d_tag) {
        case DT_SYMTAB: symbols_ = reinterpret_cast<const ElfW(Sym)*>(address); break;
        case DT_STRTAB: strings_ = reinterpret_cast<const char*>(address); break;
        case DT_GNU_HASH: hashes_ = reinterpret_cast<const std::uint32_t*>(address); break;
        case DT_VERSYM: versions_ = reinterpret_cast<const std::uint16_t*>(address); break;
        case DT_RELA: tables_[0].begin = address; break;
        case DT_RELASZ: tables_[0].bytes = value; break;
        case DT_JMPREL: tables_[1].begin = address; break;
        case DT_PLTRELSZ: tables_[1].bytes = value; break;
        default: break;
    }
}

void LoadedFile::read_segments(const dl_phdr_info& info) {
    begin_ = ~std::uint64_t{0};
    for (std::uint64_t i = 0; i < info.dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = info.dlpi_phdr[i];
        const std::uint64_t from = base_ + segment.p_vaddr, to = from + segment.p_memsz;
        if (segment.p_type == PT_GNU_RELRO) sealed_begin_ = from, sealed_end_ = to;
        if (segment.p_type == PT_DYNAMIC)
            for (const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(from); entry->d_tag != DT_NULL; ++entry)
                take(*entry);
        if (segment.p_type != PT_LOAD) continue;
        if (from < begin_) begin_ = from;
        if (to > end_) end_ = to;
        if ((segment.p_flags & PF_X) == 0) continue;
        if (code_end_ == 0) code_begin_ = from;
        code_end_ = to;
    }
}

bool LoadedFile::is_shim() const { return contains(reinterpret_cast<std::uint64_t>(__ehdr_start)); }

void LoadedFile::replace(void** slot, void* with) const {
    constexpr std::uint64_t page = 4096;
    const std::uint64_t begin = reinterpret_cast<std::uint64_t>(slot) & ~(page - 1);
    const bool is_sealed = reinterpret_cast<std::uint64_t>(slot) - sealed_begin_ < sealed_end_ - sealed_begin_;
    if (is_sealed && raw::failed(raw::call(SYS_mprotect, begin, page, PROT_READ | PROT_WRITE))) return;
    *slot = with;
    if (is_sealed) raw::call(SYS_mprotect, begin, page, PROT_READ);
}

bool LoadedFile::defines_weakly(const char* name) const {
    const ElfW(Sym)* const symbol = find(name);
    return symbol != nullptr && ELF64_ST_BIND(symbol->st_info) == STB_WEAK;
}

std::uint64_t LoadedFile::defined(const char* name) const {
    const ElfW(Sym)* const symbol = find(name);
    if (symbol == nullptr) return 0;
    const std::uint64_t address = base_ + symbol->st_value;
    // The file chooses one of several functions for this processor.
    if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC) return reinterpret_cast<std::uint64_t (*)()>(address)();
    return address;
}

const ElfW(Sym) * LoadedFile::find(const char* name) const {
    if (hashes_ == nullptr || symbols_ == nullptr || strings_ == nullptr) return nullptr;
    std::uint32_t hash = 5381;
    for (const char* c = name; *c != 0; ++c) hash = hash * 33 + static_cast<unsigned char>(*c);
    const std::uint32_t bucket_count = hashes_[0], first = hashes_[1], filter_words = hashes_[2];
    const std::uint32_t* buckets = hashes_ + 4 + 2 * std::size_t{filter_words};
    const std::uint32_t* chain = buckets + bucket_count;
    if (bucket_count == 0) return nullptr;
    std::uint32_t index = buckets[hash % bucket_count];
    if (index < first) return nullptr;
    for (;; ++index) {
        const std::uint32_t entry = chain[index - first];
        const ElfW(Sym)& symbol = symbols_[index];
        constexpr std::uint16_t is_old = 0x8000;
        const bool is_default = versions_ == nullptr || (versions_[index] & is_old) == 0;
        if (is_default && (entry | 1) == (hash | 1) && symbol.st_shndx != SHN_UNDEF &&
            is_same_text(strings_ + symbol.st_name, name))
            return &symbol;
        if ((entry & 1) != 0) return nullptr;
    }
}

}  // namespace raddle
