// A loaded file as the loader left it in memory: its segments, and a lookup in its own table of symbols. Unlike dlsym,
// the lookup calls no function, so it is possible before libc works and fails without a trace.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace raddle {

class LoadedFile {
public:
    explicit LoadedFile(const dl_phdr_info& info);

    std::uint64_t base() const { return base_; }
    std::uint64_t begin() const { return begin_; }
    std::uint64_t end() const { return end_; }
    bool is_libc() const { return is_libc_; }
    bool is_shim() const;  // it holds this code
    bool contains(std::uint64_t address) const { return address - begin_ < end_ - begin_; }
    bool has_code_at(std::uint64_t address) const { return address - code_begin_ < code_end_ - code_begin_; }
    // The address of what this file defines and exports under that name, in its default version; 0 if there is nothing.
    std::uint64_t defined(const char* name) const;
    bool defines(const char* name) const { return find(name) != nullptr; }
    bool defines_weakly(const char* name) const;

    // A slot that the loader filled with the address of something that another file may define.
    struct Import {
        void** slot;
        const char* name;
        bool is_function;  // by its symbol, or because it is called through this slot
        bool is_data;      // a pointer among the file's data
    };
    // Calls `visit(import)` for each.
    template <typename Visit>
    void each_import(Visit&& visit) const {
        if (symbols_ == nullptr || strings_ == nullptr) return;
        for (const Table& table : tables_) {
            const auto* const entries = reinterpret_cast<const ElfW(Rela)*>(table.begin);
            const std::uint64_t count = entries == nullptr ? 0 : table.bytes / sizeof *entries;
            for (std::uint64_t i = 0; i < count; ++i) {
                const auto type = ELF64_R_TYPE(entries[i].r_info);
                const bool is_data = type == R_X86_64_64 && entries[i].r_addend == 0;
                if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && !is_data) continue;
                const ElfW(Sym)& symbol = symbols_[ELF64_R_SYM(entries[i].r_info)];
                const bool is_function = type == R_X86_64_JUMP_SLOT || ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
                visit(Import{reinterpret_cast<void**>(base_ + entries[i].r_offset), strings_ + symbol.st_name,
                             is_function, is_data});
            }
        }
    }
    // Writes to the slot of an import, which the loader may have made read-only.
    void replace(void** slot, void* with) const;
    // Calls `visit(name, address, is_weak)` for each function that this file defines and exports.
    template <typename Visit>
    void each_function(Visit&& visit) const {
        if (hashes_ == nullptr || symbols_ == nullptr || strings_ == nullptr || hashes_[0] == 0) return;
        const std::uint32_t bucket_count = hashes_[0], first = hashes_[1];
        const std::uint32_t* const buckets = hashes_ + 4 + 2 * std::size_t{hashes_[2]};
        const std::uint32_t* const chain = buckets + bucket_count;
        for (std::uint32_t bucket = 0; bucket < bucket_count; ++bucket)
            for (std::uint32_t index = buckets[bucket]; index >= first; ++index) {
                const ElfW(Sym)& symbol = symbols_[index];
                if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF)
                    visit(strings_ + symbol.st_name, base_ + symbol.st_value,
                          ELF64_ST_BIND(symbol.st_info) == STB_WEAK);
                if ((chain[index - first] & 1) != 0) break;
            }
    }
    // Calls `visit(file)` for each loaded file; the executable comes first.
    template <typename Visit>
    static void each(Visit&& visit) {
        ::dl_iterate_phdr(
            [](dl_phdr_info* info, std::size_t, void* function) {
                (*static_cast<std::remove_reference_t<Visit>*>(function))(LoadedFile(*info));
                return 0;
            },
            &visit);
    }

private:
    struct Table {
        std::uint64_t begin = 0, bytes = 0;
    };
    void read_segments(const dl_phdr_info& info);
    const ElfW(Sym) * find(const char* name) const;
    void take(const ElfW(Dyn) & entry);

    std::uint64_t base_;
    bool is_libc_;
    std::uint64_t begin_ = 0, end_ = 0, code_begin_ = 0, code_end_ = 0, sealed_begin_ = 0, sealed_end_ = 0;
    const ElfW(Sym) * symbols_ = nullptr;
    const char* strings_ = nullptr;
    const std::uint32_t* hashes_ = nullptr;
    const std::uint16_t* versions_ = nullptr;  // of the symbols; null if they have none
    Table tables_[2];
};

}  // namespace raddle
