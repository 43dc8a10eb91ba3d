#include "supervisor/process/launch/doctor.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <sstream>

#include "supervisor/base/elf.h"
#include "supervisor/binary/decode/nondeterministic_code.h"
#include "supervisor/process/launch/instrumented_code.h"
#include "supervisor/process/launch/process_options.h"
#include "supervisor/process/launch/sanitizers.h"

namespace raddle {

namespace {

// The newest version of glibc that it needs, as "2.38"; empty if none.
std::string newest_glibc(const ElfFile& elf) {
    std::string newest;
    for (const std::string& version : elf.needed_versions())
        if (version.starts_with("GLIBC_2.") && ::strverscmp(version.c_str() + 6, newest.c_str()) > 0)
            newest = version.substr(6);
    return newest;
}

std::string system_glibc() {
    char buffer[64] = {};
    const std::size_t length = ::confstr(_CS_GNU_LIBC_VERSION, buffer, sizeof buffer);
    const std::string text = length > 0 ? buffer : "";
    return text.starts_with("glibc ") ? text.substr(6) : "";
}

// Whether it calls a function that starts threads; nothing if its dynamic symbols are stripped away.
std::optional<bool> starts_threads(const ElfFile& elf) {
    std::optional<bool> found;
    elf.each_symbol(SHT_DYNSYM, [&](const Elf64_Sym& symbol, std::string_view name) {
        const bool is_one = name == "pthread_create" || name == "thrd_create" ||
                            name.find("thread15_M_start_thread") != std::string_view::npos;
        found = symbol.st_shndx == SHN_UNDEF && is_one;
        return !*found;
    });
    return found;
}

bool gains_rights(const std::string& path, const struct stat& status) {
    if ((status.st_mode & S_ISUID) != 0 && status.st_uid != ::getuid()) return true;
    if ((status.st_mode & S_ISGID) != 0 && status.st_gid != ::getgid()) return true;
    return ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

// One line for any number of instructions.
std::string remark_on_nondeterminism(const std::vector<code::NondeterministicInstruction>& found) {
    std::ostringstream text;
    text << "it asks the processor for what is another each time: " << found.front().mnemonic << " at 0x" << std::hex
         << found.front().address << std::dec;
    if (found.size() > 1) text << " and " << found.size() - 1 << " more";
    text << "; if its way depends on that, results are called diverged";
    return text.str();
}

// The reason why raddle can never control it; empty if none is known.
std::string known_obstacle(const code::ElfCode& elf) {
    if (std::string sanitizer = sanitizer_obstacle(elf); !sanitizer.empty()) return sanitizer;
    if (!elf.has_section(".go.buildinfo")) return {};
    return "a Go program, whose runtime has its threads wait by system calls of its own, not by functions of the C library: try Go's own tools (go build -race)";
}

std::string not_controlled(const std::string& path, const std::string& why) {
    return path + ": cannot be controlled: " + why;
}

}  // namespace

Examination examine(const std::string& path) {
    Examination result;
    const auto refuse = [&](const std::string& why) {
        result.controllable = false;
        result.reasons.push_back(why);
    };
    struct stat status;
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        refuse(path + ": no such file");
        return result;
    }
    if (::access(path.c_str(), X_OK) != 0) refuse("not executable (chmod +x)");
    if (gains_rights(path, status))
        refuse("it is setuid, setgid or has capabilities, so the loader ignores LD_PRELOAD: run a copy without them");

    const ElfFile file(path, ElfParts::loaded);
    if (file.bytes().starts_with("#!")) {
        result.remarks.emplace_back("a script: its interpreter is what would be controlled");
        return result;
    }
    if (!file.is_elf()) {
        refuse("not an ELF executable");
        return result;
    }
    if (!file.is_for_x86_64()) {
        refuse("not built for x86-64: only such programs can be controlled");
        return result;
    }
    if (!file.has_segment(PT_INTERP)) {
        refuse("statically linked, so LD_PRELOAD does nothing: link it dynamically (without -static)");
        return result;
    }
    const std::string wants = newest_glibc(file), has = system_glibc();
    if (!wants.empty() && !has.empty() && ::strverscmp(wants.c_str(), has.c_str()) > 0)
        refuse("needs glibc " + wants + ", this system has " + has + ": build it here, or use a newer system");
    const code::ElfCode code(path);
    if (const std::string obstacle = known_obstacle(code); !obstacle.empty()) refuse(obstacle);
    if (code.defines("__tsan_init"))
        refuse(
            "built with -fsanitize=thread by clang, whose runtime is part of it and starts threads out of raddle's sight: compile "
            "with -fsanitize=thread, but link without it and with raddle's lib/" +
            std::string(tsan_runtime));
    if (const std::string other = code.needed("libtsan.so"); !other.empty() && other != tsan_runtime)
        refuse("asks for " + other + " (-fsanitize=thread of another gcc); raddle stands in for " +
               std::string(tsan_runtime) + ": build it with gcc 12");
    for (std::string& remark : sanitizer_remarks(code)) result.remarks.push_back(std::move(remark));
    if (const auto unruled = code::nondeterministic_instructions(code); !unruled.empty())
        result.remarks.push_back(remark_on_nondeterminism(unruled));
    if (starts_threads(file) == false)
        result.remarks.emplace_back(
            "it starts no threads itself; if a library it loads does not either, there is one schedule only");
    if (wants.empty())
        result.remarks.emplace_back("it does not name glibc: with another C library it cannot be controlled");
    return result;
}

void refuse_if_never_controllable(const std::string& path) {
    const std::string obstacle = known_obstacle(code::ElfCode(path, code::ElfCode::Read::linkage));
    if (!obstacle.empty()) throw CannotRun(CannotRun::Reason::not_controllable, not_controlled(path, obstacle));
}

std::string why_not_controlled(const std::string& path, int wait_status) {
    const Examination found = examine(path);
    if (!found.reasons.empty()) return not_controlled(path, found.reasons.front());
    std::string how = "did not load raddle's shim";
    if (WIFSIGNALED(wait_status)) how += " and died of signal " + std::to_string(WTERMSIG(wait_status));
    if (WIFEXITED(wait_status)) how += " and ended with status " + std::to_string(WEXITSTATUS(wait_status));
    return not_controlled(path, "it " + how + "; is its C library glibc 2.34 or later (see ldd)?");
}

}  // namespace raddle
