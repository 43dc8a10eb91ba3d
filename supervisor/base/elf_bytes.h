// The bytes of an ELF file in memory: all of them, or only the parts that the caller needs. Parts that were not read
// are zeros. Debug information is most of a large program, so leaving it out saves nearly all of the reading.
//
// The bytes are a copy, since a mapped file that somebody truncates would kill us by SIGBUS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace raddle {

enum class ElfParts : std::uint8_t {
    headers,  // all headers, and the contents of segments other than PT_LOAD: notes, interpreter, dynamic section
    loaded,   // the loaded segments and the symbol tables, too: all but debug information
};

class ElfBytes {
public:
    ElfBytes() = default;
    ElfBytes(std::string bytes);
    // Empty if the file is not regular or cannot be read; `errno` then says why.
    ElfBytes(const std::filesystem::path& path, ElfParts parts);
    ElfBytes(ElfBytes&& other) noexcept;
    ElfBytes& operator=(ElfBytes&& other) noexcept;
    ~ElfBytes();

    std::string_view view() const { return {data(), size_}; }
    char* data() const { return mapped_ != nullptr ? mapped_ : const_cast<char*>(owned_.data()); }

private:
    std::string owned_;
    char* mapped_ = nullptr;  // anonymous memory as large as the file: pages that nobody fills cost nothing
    std::size_t size_ = 0;
};

}  // namespace raddle
