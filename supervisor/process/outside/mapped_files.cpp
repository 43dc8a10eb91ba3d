#include "supervisor/process/outside/mapped_files.h"

#include <elf.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace raddle {

namespace {

constexpr std::size_t most_files = 1024, most_lines = 65536;

struct File {
    std::string path;
    std::uint64_t begin = 0, end = 0;
    bool has_code = false;
};

std::vector<File> files_of(pid_t process) {
    std::vector<File> files;
    std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
    std::size_t lines = 0;
    for (std::string line; lines < most_lines && std::getline(maps, line); ++lines) {
        std::uint64_t begin = 0, end = 0, offset = 0;
        char rights[8] = {};
        int path_at = 0;
        if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n", &begin, &end, rights,
                        &offset, &path_at) != 4 ||
            path_at <= 0)
            continue;
        const std::string path = line.substr(static_cast<std::size_t>(path_at));
        if (path.empty() || path[0] != '/') continue;
        const bool continues = !files.empty() && files.back().path == path && offset != 0;
        if (!continues && (offset != 0 || files.size() == most_files)) continue;
        if (!continues) files.push_back({path, begin, end, false});
        files.back().end = end;
        files.back().has_code |= rights[2] == 'x';
    }
    std::erase_if(files, [](const File& file) { return !file.has_code; });
    return files;
}

}  // namespace

MappedFiles mapped_files_of(const StoppedProcess& process) {
    constexpr std::size_t most_segments = 64;
    MappedFiles found;
    for (const File& file : files_of(process.id())) {
        Elf64_Ehdr header{};
        Elf64_Phdr segments[most_segments] = {};
        if (!process.read(file.begin, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
            header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr) ||
            header.e_phnum > most_segments ||
            !process.read(file.begin + header.e_phoff, segments, header.e_phnum * sizeof(Elf64_Phdr)))
            continue;
        constexpr std::uint64_t page = 4096;
        std::uint64_t lowest = ~std::uint64_t{0}, table = 0;
        for (std::size_t i = 0; i < header.e_phnum; ++i) {
            if (segments[i].p_type == PT_LOAD) lowest = std::min(lowest, segments[i].p_vaddr & ~(page - 1));
            if (segments[i].p_type == PT_GNU_EH_FRAME) table = segments[i].p_vaddr;
        }
        if (lowest == ~std::uint64_t{0}) continue;
        const std::uint64_t base = file.begin - lowest;
        found.modules.push_back({file.path, base, file.end});
        found.code.push_back({file.begin, file.end, table == 0 ? 0 : base + table});
    }
    return found;
}

}  // namespace raddle
