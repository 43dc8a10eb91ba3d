#include "supervisor/process/launch/launch.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "supervisor/binary/decode/elf_code.h"
#include "supervisor/process/launch/argument_pointers.h"
#include "supervisor/process/launch/guardian.h"
#include "supervisor/process/launch/instrumented_code.h"
#include "supervisor/process/launch/sanitizers.h"
#include "supervisor/protocol/origin.h"

namespace raddle {

namespace {

bool is_file(const std::string& path) {
    struct stat status;
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

constexpr std::string_view bind_now = "LD_BIND_NOW=";

// OpenMP threads spin before they wait with a call. Nothing else runs meanwhile, so they shall wait at once, unless the
// user chose otherwise.
constexpr std::string_view waiting_of_openmp[] = {"OMP_WAIT_POLICY=", "GOMP_SPINCOUNT=", "KMP_BLOCKTIME="};

bool is_without_wish_for_openmp(const code::ElfCode& elf, const std::vector<std::string>& entries) {
    if (elf.needed("libgomp.so").empty() && elf.needed("libomp.so").empty()) return false;
    return std::none_of(entries.begin(), entries.end(), [](const std::string& entry) {
        return std::any_of(std::begin(waiting_of_openmp), std::end(waiting_of_openmp),
                           [&](std::string_view name) { return entry.starts_with(name); });
    });
}

std::string channel_text(const Launch& how) {
    const int number = channel_in_target();
    if (how.is_origin) return origin::mark + std::to_string(number);
    return std::to_string(number) + (how.code >= 0 ? "," + std::to_string(number - 1) : "");
}

}  // namespace

// A seccomp filter may refuse it, or, in some containers, pretend that it worked.
bool switch_off_address_randomisation() {
    constexpr unsigned long ask = 0xffffffff;
    if (::personality(ADDR_NO_RANDOMIZE) < 0) return false;
    const int now = ::personality(ask);
    return now >= 0 && (now & ADDR_NO_RANDOMIZE) != 0;
}

std::vector<std::string> wanted_environment(const ProcessOptions& options) {
    if (options.environment) return *options.environment;
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
    return entries;
}

int channel_in_target() {
    rlimit descriptors{};
    ::getrlimit(RLIMIT_NOFILE, &descriptors);
    return static_cast<int>(std::min<rlim_t>(descriptors.rlim_cur, 1024)) - 1;
}

std::vector<std::string> environment_in_target(const ProcessOptions& options, const Launch& how) {
    std::vector<std::string> entries = wanted_environment(options);
    const std::string shim = options.shim.empty() ? default_shim() : options.shim;
    std::string preload = "LD_PRELOAD=" + shim;
    if (!how.stand_in.empty()) preload += ":" + how.stand_in;
    const std::string_view name = "LD_PRELOAD=";
    for (const std::string& entry : entries)
        if (entry.starts_with(name) && entry.size() > name.size()) preload += ":" + entry.substr(name.size());
    std::erase_if(entries,
                  [&](const std::string& entry) { return entry.starts_with(name) || entry.starts_with("RADDLE_"); });
    const code::ElfCode elf(find_executable(options.argv.at(0)), code::ElfCode::Read::linkage);
    if (is_without_wish_for_openmp(elf, entries)) entries.emplace_back("OMP_WAIT_POLICY=passive");
    set_sanitizer_options(elf, entries);
    entries.push_back(preload);
    if (how.bind_now) entries.push_back(std::string(bind_now) + "1");
    entries.emplace_back("RADDLE_ACTIVE=1");
    entries.push_back(std::string(channel::environment_name) + "=" + channel_text(how));
    return entries;
}

namespace {

// Everything the child needs, prepared beforehand: between vfork and exec it shares our memory and must not allocate.
struct Preparation {
    const char* path;
    const char* directory;
    char** arguments;
    char** environment;
    int channel, channel_as, code, code_as, input, output, errors, guardian;
    sigset_t no_signals;
    pid_t parent;
    volatile int error;
    volatile bool same_addresses;
};

void become_target(Preparation& p) {
    for (const int signal : {SIGPIPE, SIGINT, SIGQUIT, SIGXFSZ}) ::signal(signal, SIG_DFL);
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != p.parent) ::_exit(127);
    const pid_t group = ::getpid();
    if (p.guardian >= 0) guardian::tell(p.guardian, group);
    p.same_addresses = switch_off_address_randomisation();
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    if (p.input >= 0) ::dup2(p.input, 0);
    if (p.output >= 0) ::dup2(p.output, 1);
    if (p.errors >= 0) ::dup2(p.errors, 2);
    ::syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC);
    if (p.code >= 0) ::dup2(p.code, p.code_as);
    if (::dup2(p.channel, p.channel_as) < 0 || (p.directory != nullptr && ::chdir(p.directory) != 0)) {
        p.error = errno;
        ::_exit(127);
    }
    ::sigprocmask(SIG_SETMASK, &p.no_signals, nullptr);
    ::execve(p.path, p.arguments, p.environment);
    p.error = errno;
    ::_exit(127);
}

__attribute__((noinline)) pid_t start(Preparation& p) {
    const pid_t child = ::vfork();
    if (child == 0) become_target(p);
    return child;
}

[[noreturn]] void refuse(const std::string& path, int error) {
    using Reason = CannotRun::Reason;
    switch (error) {
        case ENOENT: throw CannotRun(Reason::not_found, path + ": it, or the interpreter it names, is not there");
        case EACCES:
            throw CannotRun(Reason::not_executable, path + ": not executable; is it the right file (chmod +x)?");
        case ENOEXEC: throw CannotRun(Reason::not_executable, path + ": not an executable of this system");
        default: throw CannotRun(Reason::not_executable, path + ": cannot be executed: " + std::strerror(error));
    }
}

}  // namespace

std::string find_executable(const std::string& name) {
    using Reason = CannotRun::Reason;
    if (name.find('/') != std::string::npos) {
        if (::access(name.c_str(), F_OK) != 0) throw CannotRun(Reason::not_found, name + ": no such file");
        if (std::filesystem::is_directory(name))
            throw CannotRun(Reason::not_executable, name + ": is a directory; give the program itself");
        if (!is_file(name) || ::access(name.c_str(), X_OK) != 0)
            throw CannotRun(Reason::not_executable, name + ": not executable; is it the right file (chmod +x)?");
        return name;
    }
    const char* path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
    while (!name.empty()) {
        const std::size_t colon = rest.find(':');
        const std::string_view folder = rest.substr(0, colon);
        const std::string candidate = (folder.empty() ? "." : std::string(folder)) + "/" + name;
        if (is_file(candidate) && ::access(candidate.c_str(), X_OK) == 0) return candidate;
        if (colon == std::string_view::npos) break;
        rest.remove_prefix(colon + 1);
    }
    throw CannotRun(Reason::not_found, (name.empty() ? "no program named" : name + ": not found in PATH") +
                                           std::string("; give the path of an executable, such as ./program"));
}

std::string stand_in_for(const std::string& executable, const std::string& shim) {
    if (!reports_accesses_of_itself(executable)) return {};
    const auto folder = std::filesystem::path(shim.empty() ? default_shim() : shim).parent_path();
    std::error_code error;
    for (const char* place : {"", "raddle"})
        if (const auto path = folder / place / tsan_runtime; std::filesystem::exists(path, error)) return path.string();
    throw BadInput(executable + " is built with -fsanitize=thread, and raddle's own " + tsan_runtime +
                   " is not beside its shim in " + folder.string() + "; build it, or install it there");
}

bool asks_to_bind_now(const ProcessOptions& options) {
    const std::vector<std::string> entries = wanted_environment(options);
    return std::any_of(entries.begin(), entries.end(),
                       [](const std::string& entry) { return entry.starts_with(bind_now); });
}

namespace {

// The kernel puts file name, arguments and environment at the upper end of the stack, and an array of pointers below
// them, both aligned to 16 bytes. Their total size is padded to a multiple of this.
constexpr std::size_t room_for_texts = 32768;

// A pointer to a variable of main() is a value once it is in memory. A schedule found in one environment must find the
// same pointers in another.
void keep_stack_in_place(const std::string& path, const std::vector<std::string>& arguments,
                         std::vector<std::string>& environment) {
    constexpr std::size_t alignment = 16;
    const std::string room = std::string(channel::room_name) + "=";
    std::size_t texts = sizeof(void*) + path.size() + 1;
    for (const std::string& entry : arguments) texts += entry.size() + 1;
    for (const std::string& entry : environment) texts += entry.size() + 1;
    // Further words: one or two entries of ours, the end of each list, and argc.
    std::size_t words = arguments.size() + environment.size() + 3 + 1;
    if (words % 2 != 0) {
        environment.push_back(room);
        texts += room.size() + 1;
        ++words;
    }
    texts += room.size() + 1;
    const std::size_t used = texts + words * sizeof(char*);
    const std::size_t wanted = (used + room_for_texts - 1) / room_for_texts * room_for_texts;
    static_assert(room_for_texts % alignment == 0);
    environment.push_back(room + std::string(wanted - used, '.'));
}

}  // namespace

Launched execute(const ProcessOptions& options, const Launch& how) {
    const int channel_as = channel_in_target();
    std::vector<std::string> environment = environment_in_target(options, how);
    keep_stack_in_place(how.path, options.argv, environment);
    std::vector<char*> arguments = pointers_to(options.argv);
    std::vector<char*> entries = pointers_to(environment);

    Preparation p{};
    p.path = how.path.c_str();
    p.directory = options.directory.empty() ? nullptr : options.directory.c_str();
    p.arguments = arguments.data();
    p.environment = entries.data();
    p.channel = how.channel;
    p.channel_as = channel_as;
    p.code = how.code;
    p.code_as = channel_as - 1;
    p.input = how.input;
    p.output = how.output;
    p.errors = how.errors;
    p.guardian = guardian::descriptor();
    p.parent = ::getpid();
    ::sigemptyset(&p.no_signals);

    // The child shares our memory, so no handler of ours may run there.
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t child = start(p);
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (child < 0)
        throw CannotRun(CannotRun::Reason::not_executable,
                        how.path + ": the system refused another process: " + std::strerror(error));
    if (p.error != 0) guardian::forget(child);
    if (p.error != 0)
        refuse(p.directory != nullptr && p.error == ENOENT ? options.directory + " or " + how.path : how.path, p.error);
    return {child, p.same_addresses ? Addresses::fixed : Addresses::of_each_launch};
}

std::string default_shim() {
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* place :
         {"../lib/libraddle-preload.so", "libraddle-preload.so", "../lib/raddle/libraddle-preload.so"}) {
        const auto candidate = self / place;
        if (std::filesystem::exists(candidate, error)) return std::filesystem::canonical(candidate, error).string();
    }
    throw BadInput("libraddle-preload.so is not beside " + self.string() + "; build it, or install it to lib/");
}

}  // namespace raddle
