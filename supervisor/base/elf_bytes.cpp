#include "supervisor/base/elf_bytes.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace raddle {

namespace {

// Copies parts of a file to the same offsets in memory. A part beyond the end of the file is cut there. Thousands of
// headers of a damaged file may name the same parts, so the amount is limited to twice the file.
class PartReader {
public:
    PartReader(int file, char* memory, std::size_t size)
        : file_(file), memory_(memory), size_(size), allowed_(2 * size) {}

    void read(std::uint64_t offset, std::uint64_t length) {
        if (offset >= size_) return;
        std::size_t left = static_cast<std::size_t>(std::min<std::uint64_t>({length, size_ - offset, allowed_}));
        allowed_ -= left;
        while (left > 0) {
            const ssize_t size = ::pread(file_, memory_ + offset, left, static_cast<off_t>(offset));
            if (size < 0 && errno == EINTR) continue;
            if (size <= 0) return;  // somebody truncated the file meanwhile: the rest stays zero
            offset += static_cast<std::size_t>(size);
            left -= static_cast<std::size_t>(size);
        }
    }
    template <typename Record>
    bool get(std::uint64_t offset, Record& record) const {
        if (offset > size_ || size_ - offset < sizeof record) return false;
        std::memcpy(&record, memory_ + offset, sizeof record);
        return true;
    }
    void read_all() { read(0, size_); }

private:
    int file_;
    char* memory_;
    std::size_t size_, allowed_;
};

bool is_debug_information(const Elf64_Shdr& section) {
    return section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_ALLOC) == 0;
}

// Reads the table of `count` records of the size `entry` at `offset`, and passes each to `use`.
template <typename Record, typename Use>
void read_table(PartReader& file, std::uint64_t offset, std::uint64_t entry, std::uint64_t count, Use&& use) {
    if (entry < sizeof(Record)) return;
    file.read(offset, count * entry);
    Record record;
    for (std::uint64_t i = 0; i < count && file.get(offset + i * entry, record); ++i) use(record);
}

void read_parts(PartReader& file, ElfParts parts) {
    Elf64_Ehdr header{};
    file.read(0, sizeof header);
    // Files of other kinds are small, or no programs that raddle can control.
    if (!file.get(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return file.read_all();
    std::uint64_t sections = header.e_shnum, segments = header.e_phnum;
    // Numbers too large for the header stand in the first section.
    if (Elf64_Shdr first{}; header.e_shoff != 0 && (sections == 0 || segments == PN_XNUM)) {
        file.read(header.e_shoff, sizeof first);
        if (!file.get(header.e_shoff, first)) return;
        constexpr std::uint64_t most = 1u << 20;
        if (sections == 0) sections = std::min(first.sh_size, most);
        if (segments == PN_XNUM) segments = std::min<std::uint64_t>(first.sh_info, most);
    }
    read_table<Elf64_Phdr>(file, header.e_phoff, header.e_phentsize, segments, [&](const Elf64_Phdr& segment) {
        if (segment.p_type != PT_LOAD || parts == ElfParts::loaded) file.read(segment.p_offset, segment.p_filesz);
    });
    std::uint64_t index = 0;
    read_table<Elf64_Shdr>(file, header.e_shoff, header.e_shentsize, sections, [&](const Elf64_Shdr& section) {
        const bool has_names = index++ == header.e_shstrndx;
        const bool is_in_segment = (section.sh_flags & SHF_ALLOC) != 0 && segments > 0;
        if (section.sh_type == SHT_NOBITS || is_in_segment || is_debug_information(section)) return;
        if (parts == ElfParts::loaded || section.sh_type == SHT_NOTE || has_names)
            file.read(section.sh_offset, section.sh_size);
    });
}

}  // namespace

ElfBytes::ElfBytes(std::string bytes) : owned_(std::move(bytes)), size_(owned_.size()) {}

ElfBytes::ElfBytes(const std::filesystem::path& path, ElfParts parts) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return;
    struct stat status;
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        const auto size = static_cast<std::size_t>(status.st_size);
        void* memory =
            ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory != MAP_FAILED) {
            mapped_ = static_cast<char*>(memory);
            size_ = size;
            PartReader reader(file, mapped_, size_);
            read_parts(reader, parts);
        }
    }
    const int error = errno;
    ::close(file);
    errno = error;
}

ElfBytes::ElfBytes(ElfBytes&& other) noexcept
    : owned_(std::move(other.owned_)),
      mapped_(std::exchange(other.mapped_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

ElfBytes& ElfBytes::operator=(ElfBytes&& other) noexcept {
    std::swap(owned_, other.owned_);
    std::swap(mapped_, other.mapped_);
    std::swap(size_, other.size_);
    return *this;
}

ElfBytes::~ElfBytes() {
    if (mapped_ != nullptr) ::munmap(mapped_, size_);
}

}  // namespace raddle
