#include "store/build_id.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <sstream>
#include <system_error>

#include "store/store_error.h"
#include "supervisor/base/checksum.h"
#include "supervisor/base/elf.h"
#include "supervisor/base/files.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

[[noreturn]] void refuse_unreadable(const std::filesystem::path& path) {
    throw StoreError(path.string() + ": cannot be read, so there is no telling whether it changes; make it readable");
}

ElfBytes headers_of(const std::filesystem::path& path) {
    ElfBytes headers(path, ElfParts::headers);
    if (headers.view().empty() && ::access(path.c_str(), R_OK) != 0) refuse_unreadable(path);
    return headers;
}

// The loader runs here to look at a program, so it must be the one that loaded raddle itself: a file may name anything
// as its loader.
bool is_our_loader(const std::string& loader) {
    std::error_code error;
    const std::filesystem::path asked_for = std::filesystem::canonical(loader, error);
    if (error) return false;
    const std::vector<std::string> ours = ElfFile(headers_of("/proc/self/exe")).interpreters();
    return std::any_of(ours.begin(), ours.end(),
                       [&](const std::string& one) { return std::filesystem::equivalent(one, asked_for, error); });
}

// Even with --list, the loader executes the audit libraries that a program names.
bool names_audit_library(const ElfFile& elf) { return elf.has_dynamic(DT_AUDIT) || elf.has_dynamic(DT_DEPAUDIT); }

// The loader maps the segments and then reads the dynamic section from memory. Pages that overlap could replace what
// was checked in the file, and pages at high addresses could replace the loader itself. No linker makes such files.
bool is_laid_out_soundly(const ElfFile& elf) {
    constexpr std::uint64_t page = 4096, below_the_loader = std::uint64_t{1} << 46;
    std::uint64_t free_from = 0;
    for (const Elf64_Phdr& segment : elf.segments()) {
        if (segment.p_type != PT_LOAD) continue;
        if (segment.p_vaddr >= below_the_loader || segment.p_memsz >= below_the_loader ||
            segment.p_vaddr / page * page < free_from)
            return false;
        free_from = (segment.p_vaddr + segment.p_memsz + page - 1) / page * page;
    }
    const auto is_mapped_from_its_offset = [&](const Elf64_Phdr& dynamic) {
        return std::any_of(elf.segments().begin(), elf.segments().end(), [&](const Elf64_Phdr& segment) {
            return segment.p_type == PT_LOAD && dynamic.p_vaddr >= segment.p_vaddr &&
                   dynamic.p_vaddr - segment.p_vaddr < segment.p_filesz &&
                   dynamic.p_offset - segment.p_offset == dynamic.p_vaddr - segment.p_vaddr;
        });
    };
    return std::all_of(elf.segments().begin(), elf.segments().end(), [&](const Elf64_Phdr& segment) {
        return segment.p_type != PT_DYNAMIC || is_mapped_from_its_offset(segment);
    });
}

// Only variables that change the libraries found. Others make the loader execute something (LD_AUDIT, or LD_WARN with
// functions that resolve symbols), or write files (LD_DEBUG_OUTPUT).
bool is_for_finding_libraries(const std::string& entry) {
    static constexpr const char* names[] = {
        "LD_LIBRARY_PATH=", "LD_PRELOAD=", "LD_ORIGIN_PATH=", "LD_HWCAP_MASK=", "LD_ASSUME_KERNEL=", "GLIBC_TUNABLES="};
    return std::any_of(std::begin(names), std::end(names), [&](const char* name) { return entry.starts_with(name); });
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
    for (const std::string& entry : environment)
        if (is_for_finding_libraries(entry)) variables.push_back(const_cast<char*>(entry.c_str()));
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
    while (error == 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
    return answer;
}

}  // namespace

std::string build_id_of(const std::filesystem::path& file) {
    const std::string id = ElfFile(headers_of(file)).build_id();
    if (!id.empty()) return "build-id " + hexadecimal_bytes(id);
    const auto content = content_of(file);
    if (!content) refuse_unreadable(file);
    return "content " + fingerprint(*content);
}

std::vector<std::filesystem::path> files_loaded_by(const std::filesystem::path& executable,
                                                   const std::vector<std::string>& environment) {
    // The loader needs the name of the file itself: it would follow a link such as /proc/self/exe to another file.
    std::error_code error;
    std::filesystem::path itself = std::filesystem::canonical(executable, error);
    if (error) throw StoreError(executable.string() + ": cannot be found: " + error.message());
    std::vector<std::filesystem::path> files = {std::move(itself)};
    const ElfFile elf(headers_of(executable));
    for (const std::string& loader : elf.interpreters()) {
        if (names_audit_library(elf) || !is_laid_out_soundly(elf) || !is_our_loader(loader)) {
            if (std::filesystem::is_regular_file(loader, error)) files.emplace_back(loader);
            continue;
        }
        // "	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x…)", "	/lib64/ld-linux-x86-64.so.2 (0x…)", or "
        // ./libown.so (0x…)"
        std::istringstream lines(answer_of_loader(loader, files[0].string(), environment));
        for (std::string line; std::getline(lines, line);) {
            const std::size_t arrow = line.find("=> "), end = line.rfind(" (0x");
            const std::size_t begin = arrow != std::string::npos ? arrow + 3 : line.find_first_not_of(" \t");
            if (begin == std::string::npos || end == std::string::npos || begin >= end) continue;
            const std::string file = line.substr(begin, end - begin);
            if (file.find('/') != std::string::npos)
                files.push_back(std::filesystem::absolute(file).lexically_normal());
        }
    }
    return files;
}

}  // namespace raddle
