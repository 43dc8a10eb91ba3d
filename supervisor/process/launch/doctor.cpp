#include "supervisor/process/launch/doctor.h"

#include <elf.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "supervisor/binary/decode/nondeterministic_code.h"
#include "supervisor/process/launch/instrumented_code.h"
#include "supervisor/process/launch/process_options.h"

namespace raddle {

namespace {

// An ELF file as bytes. Every access is checked, because the file may hold anything.
class ElfFile {
public:
    explicit ElfFile(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        bytes_.assign(std::istreambuf_iterator<char>(file), {});
    }
    bool is_script() const { return bytes_.starts_with("#!"); }
    bool is_elf() const { return bytes_.starts_with(ELFMAG) && bytes_.size() >= sizeof(Elf64_Ehdr); }
    int elf_class() const { return bytes_[EI_CLASS]; }

    template <typename Record>
    std::optional<Record> at(std::uint64_t offset) const {
        if (offset > bytes_.size() || bytes_.size() - offset < sizeof(Record)) return std::nullopt;
        Record record;
        std::memcpy(&record, bytes_.data() + offset, sizeof record);
        return record;
    }
    std::string text_at(std::uint64_t offset) const {
        if (offset >= bytes_.size()) return {};
        return {bytes_.data() + offset, ::strnlen(bytes_.data() + offset, bytes_.size() - offset)};
    }
    Elf64_Ehdr header() const { return *at<Elf64_Ehdr>(0); }

    template <typename Visit>
    void each_segment(Visit visit) const {
        const Elf64_Ehdr head = header();
        for (unsigned i = 0; i < head.e_phnum; ++i)
            if (const auto segment = at<Elf64_Phdr>(head.e_phoff + std::uint64_t{i} * sizeof(Elf64_Phdr))) visit(*segment);
    }
    bool has_segment(std::uint32_t type) const {
        bool found = false;
        each_segment([&](const Elf64_Phdr& segment) { found |= segment.p_type == type; });
        return found;
    }
    // The section of a type; a stripped file may have none.
    std::optional<Elf64_Shdr> section(std::uint32_t type) const {
        const Elf64_Ehdr head = header();
        for (unsigned i = 0; i < head.e_shnum; ++i) {
            const auto section = at<Elf64_Shdr>(head.e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr));
            if (section && section->sh_type == type) return section;
        }
        return std::nullopt;
    }
    std::optional<Elf64_Shdr> section_number(std::uint32_t number) const {
        const Elf64_Ehdr head = header();
        if (number >= head.e_shnum) return std::nullopt;
        return at<Elf64_Shdr>(head.e_shoff + std::uint64_t{number} * sizeof(Elf64_Shdr));
    }
    // The functions it imports; nothing if the file does not tell.
    std::optional<std::set<std::string>> wanted() const {
        const auto symbols = section(SHT_DYNSYM);
        if (!symbols) return std::nullopt;
        const auto texts = section_number(symbols->sh_link);
        if (!texts) return std::nullopt;
        std::set<std::string> names;
        for (std::uint64_t at_byte = 0; at_byte + sizeof(Elf64_Sym) <= symbols->sh_size; at_byte += sizeof(Elf64_Sym)) {
            const auto symbol = at<Elf64_Sym>(symbols->sh_offset + at_byte);
            if (!symbol) break;
            if (symbol->st_shndx == SHN_UNDEF && symbol->st_name != 0) names.insert(text_at(texts->sh_offset + symbol->st_name));
        }
        return names;
    }
    // The newest version of glibc that it requires, as "2.38"; empty if none.
    std::string newest_glibc() const {
        const auto needs = section(SHT_GNU_verneed);
        if (!needs) return {};
        const auto texts = section_number(needs->sh_link);
        if (!texts) return {};
        std::string newest;
        std::uint64_t place = needs->sh_offset;
        for (unsigned i = 0; i < needs->sh_info && i < 1000; ++i) {
            const auto need = at<Elf64_Verneed>(place);
            if (!need) break;
            std::uint64_t inner = place + need->vn_aux;
            for (unsigned j = 0; j < need->vn_cnt; ++j) {
                const auto version = at<Elf64_Vernaux>(inner);
                if (!version) break;
                const std::string name = text_at(texts->sh_offset + version->vna_name);
                if (name.starts_with("GLIBC_2.") && ::strverscmp(name.c_str() + 6, newest.c_str()) > 0) newest = name.substr(6);
                if (version->vna_next == 0) break;
                inner += version->vna_next;
            }
            if (need->vn_next == 0) break;
            place += need->vn_next;
        }
        return newest;
    }

private:
    std::string bytes_;
};

std::string system_glibc() {
    char buffer[64] = {};
    const std::size_t length = ::confstr(_CS_GNU_LIBC_VERSION, buffer, sizeof buffer);
    const std::string text = length > 0 ? buffer : "";
    return text.starts_with("glibc ") ? text.substr(6) : "";
}

bool uses_threads(const std::set<std::string>& names) {
    for (const std::string& name : names)
        if (name == "pthread_create" || name == "thrd_create" || name.find("thread15_M_start_thread") != std::string::npos) return true;
    return false;
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
    if (!elf.has_section(".go.buildinfo")) return {};
    return "a Go program, whose runtime has its threads wait by system calls of its own, not by functions of the C library: try Go's own tools (go build -race)";
}

std::string not_controlled(const std::string& path, const std::string& why) { return path + ": cannot be controlled: " + why; }

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
    if (gains_rights(path, status)) refuse("it is setuid, setgid or has capabilities, so the loader ignores LD_PRELOAD: run a copy without them");

    const ElfFile file(path);
    if (file.is_script()) {
        result.remarks.emplace_back("a script: its interpreter is what would be controlled");
        return result;
    }
    if (!file.is_elf()) {
        refuse("not an ELF executable");
        return result;
    }
    if (file.elf_class() != ELFCLASS64 || file.header().e_machine != EM_X86_64) {
        refuse("not built for x86-64: only such programs can be controlled");
        return result;
    }
    if (!file.has_segment(PT_INTERP)) {
        refuse("statically linked, so LD_PRELOAD does nothing: link it dynamically (without -static)");
        return result;
    }
    const std::string wants = file.newest_glibc(), has = system_glibc();
    if (!wants.empty() && !has.empty() && ::strverscmp(wants.c_str(), has.c_str()) > 0)
        refuse("needs glibc " + wants + ", this system has " + has + ": build it here, or use a newer system");
    const code::ElfCode code(path);
    if (const std::string obstacle = known_obstacle(code); !obstacle.empty()) refuse(obstacle);
    if (code.defines("__tsan_init"))
        refuse("built with -fsanitize=thread by clang, whose runtime is part of it and starts threads out of raddle's sight: compile "
               "with -fsanitize=thread, but link without it and with raddle's lib/" + std::string(tsan_runtime));
    if (const std::string other = code.needed("libtsan.so"); !other.empty() && other != tsan_runtime)
        refuse("asks for " + other + " (-fsanitize=thread of another gcc); raddle stands in for " + std::string(tsan_runtime) + ": build it with gcc 12");
    if (const auto unruled = code::nondeterministic_instructions(code); !unruled.empty()) result.remarks.push_back(remark_on_nondeterminism(unruled));
    if (const auto names = file.wanted(); names && !uses_threads(*names))
        result.remarks.emplace_back("it starts no threads itself; if a library it loads does not either, there is one schedule only");
    if (wants.empty()) result.remarks.emplace_back("it does not name glibc: with another C library it cannot be controlled");
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
