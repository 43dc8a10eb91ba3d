#include "store/build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

#include "store/identity.h"
#include "store/store_error.h"

namespace raddle {

namespace {

std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream content;
    const bool is_empty = file && file.peek() == std::ifstream::traits_type::eof() && !file.bad();  // << of nothing fails
    if (!file || (!is_empty && !(content << file.rdbuf())))
        throw StoreError(path.string() + ": cannot be read, so there is no telling whether it changes; make it readable");
    return std::move(content).str();
}

template <typename Record>
std::optional<Record> record_at(const std::string& bytes, std::uint64_t at) {
    if (at > bytes.size() || bytes.size() - at < sizeof(Record)) return std::nullopt;
    Record record;
    std::memcpy(&record, bytes.data() + at, sizeof record);
    return record;
}

// The content of each segment of that type, as far as it is in the file.
std::vector<std::string> segments_of(const std::string& bytes, std::uint32_t type) {
    std::vector<std::string> found;
    const auto header = record_at<Elf64_Ehdr>(bytes, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return found;
    for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
        const auto segment = record_at<Elf64_Phdr>(bytes, header->e_phoff + i * header->e_phentsize);
        if (segment && segment->p_type == type && segment->p_offset < bytes.size())
            found.push_back(bytes.substr(segment->p_offset, segment->p_filesz));
    }
    return found;
}

std::string hexadecimal(const std::string& bytes) {
    std::string text;
    for (const char byte : bytes) {
        constexpr const char* digits = "0123456789abcdef";
        text += {digits[(byte >> 4) & 15], digits[byte & 15]};
    }
    return text;
}

std::optional<std::string> build_id_in(const std::string& notes) {
    const auto padded = [](std::uint64_t size) { return (size + 3) & ~std::uint64_t{3}; };
    std::uint64_t at = 0;
    while (const auto note = record_at<Elf64_Nhdr>(notes, at)) {
        const std::uint64_t name = at + sizeof *note, content = name + padded(note->n_namesz);
        if (content > notes.size() || notes.size() - content < note->n_descsz) return std::nullopt;
        if (note->n_type == NT_GNU_BUILD_ID && notes.compare(name, note->n_namesz, std::string("GNU\0", 4)) == 0)
            return hexadecimal(notes.substr(content, note->n_descsz));
        at = content + padded(note->n_descsz);
    }
    return std::nullopt;
}

// The loaders that a file asks for: one, in sound files.
std::vector<std::string> loaders_of(const std::filesystem::path& executable) {
    std::vector<std::string> loaders = segments_of(content_of(executable), PT_INTERP);
    for (std::string& loader : loaders) loader.erase(std::min(loader.find('\0'), loader.size()));
    return loaders;
}

// A file may ask for anything by that name. What is executed to look at a program is what we were loaded by ourselves.
bool is_our_loader(const std::string& loader) {
    std::error_code error;
    const std::filesystem::path asked_for = std::filesystem::canonical(loader, error);
    if (error) return false;
    const std::vector<std::string> ours = loaders_of("/proc/self/exe");
    return std::any_of(ours.begin(), ours.end(), [&](const std::string& one) { return std::filesystem::equivalent(one, asked_for, error); });
}

std::string answer_of_loader(const std::string& loader, const std::string& executable,
                             const std::vector<std::string>& environment) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return {};
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> variables;
    for (const std::string& entry : environment) variables.push_back(const_cast<char*>(entry.c_str()));
    variables.push_back(nullptr);
    char list[] = "--list";
    char* words[] = {const_cast<char*>(loader.c_str()), list, const_cast<char*>(executable.c_str()), nullptr};
    pid_t child = 0;
    const int error = ::posix_spawn(&child, loader.c_str(), &actions, nullptr, words, variables.data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    std::string answer;
    char part[4096];
    for (ssize_t size; error == 0 && ((size = ::read(ends[0], part, sizeof part)) > 0 || (size < 0 && errno == EINTR));)
        if (size > 0) answer.append(part, static_cast<std::size_t>(size));
    ::close(ends[0]);
    while (error == 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return answer;
}

}  // namespace

std::string build_id_of(const std::filesystem::path& file) {
    const std::string bytes = content_of(file);
    for (const std::string& notes : segments_of(bytes, PT_NOTE))
        if (const auto id = build_id_in(notes)) return "build-id " + *id;
    return "content " + fingerprint(bytes);
}

std::vector<std::filesystem::path> files_loaded_by(const std::filesystem::path& executable,
                                                   const std::vector<std::string>& environment) {
    // By its own name: a link such as /proc/self/exe leads elsewhere for the loader.
    std::error_code error;
    std::filesystem::path itself = std::filesystem::canonical(executable, error);
    if (error) throw StoreError(executable.string() + ": cannot be found: " + error.message());
    std::vector<std::filesystem::path> files = {std::move(itself)};
    for (const std::string& loader : loaders_of(executable)) {
        if (!is_our_loader(loader)) {
            if (std::filesystem::is_regular_file(loader, error)) files.emplace_back(loader);
            continue;
        }
        // "	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x…)", or "	/lib64/ld-linux-x86-64.so.2 (0x…)"
        std::istringstream lines(answer_of_loader(loader, files[0].string(), environment));
        for (std::string line; std::getline(lines, line);) {
            const std::size_t begin = line.find('/'), end = line.rfind(" (0x");
            if (begin != std::string::npos && end != std::string::npos && begin < end)
                files.emplace_back(line.substr(begin, end - begin));
        }
    }
    return files;
}

}  // namespace raddle
