#include "supervisor/process/launch/sanitizers.h"

#include <algorithm>
#include <string_view>

namespace raddle {

namespace {

// A sanitizer whose runtime raddle does not stand: `why` says what it does.
struct Refused {
    std::string_view name, option, first_function, library, library_of_clang, why;
};
constexpr Refused refused[] = {
    {"HWAddressSanitizer", "-fsanitize=hwaddress", "__hwasan_init", "libhwasan.so", "libclang_rt.hwasan",
     "whose pointers have marks in their upper bits"},
    {"MemorySanitizer", "-fsanitize=memory", "__msan_init", "libmsan.so", "libclang_rt.msan",
     "whose shadow memory takes the addresses where raddle keeps the heaps and stacks of threads"},
    {"DataFlowSanitizer", "-fsanitize=dataflow", "__dfsan_init", "libdfsan.so", "libclang_rt.dfsan",
     "whose shadow memory takes the addresses where raddle keeps the heaps and stacks of threads"},
};

struct Known {
    std::string_view name, first_function, library, library_of_clang, variable;
    std::string_view defaults;  // the user's options come after these …
    std::string_view needed;    // … and before these
};
// The runtime shall end the program at its first error, as its verdict; leave signals to raddle, which reports crashes
// itself; give addresses instead of starting a program that finds lines; and not stop all threads at the end to look
// for leaks, which are one kernel thread here.
constexpr std::string_view needed_by_all =
    "symbolize=0:handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0:handle_sigtrap=0:"
    "use_sigaltstack=0:abort_on_error=0:detect_leaks=0:color=never:disable_coredump=0";
constexpr Known known[] = {
    {"AddressSanitizer", "__asan_init", "libasan.so", "libclang_rt.asan", "ASAN_OPTIONS", "",
     "verify_asan_link_order=0"},
    {"LeakSanitizer", "__lsan_init", "liblsan.so", "libclang_rt.lsan", "LSAN_OPTIONS", "", ""},
    {"UndefinedBehaviorSanitizer", "__ubsan_handle_add_overflow", "libubsan.so", "libclang_rt.ubsan", "UBSAN_OPTIONS",
     "halt_on_error=1:print_stacktrace=0", ""},
};

// The rows whose runtime is linked with the program or part of it.
template <typename Row, std::size_t count>
std::vector<const Row*> runtimes_of(const code::ElfCode& elf, const Row (&rows)[count]) {
    std::vector<std::string_view> names;
    for (const Row& row : rows) names.push_back(row.first_function);
    const std::vector<bool> defined = elf.defines_each(names);
    std::vector<const Row*> found;
    for (std::size_t i = 0; i < count; ++i)
        if (defined[i] || !elf.needed(rows[i].library).empty() || !elf.needed(rows[i].library_of_clang).empty())
            found.push_back(&rows[i]);
    return found;
}

constexpr const char* no_leaks = "leaks are not looked for (detect_leaks=0): the heap is raddle's";
bool looks_for_leaks(const Known* one) { return one == &known[0] || one == &known[1]; }

void add_options(const Known& one, std::vector<std::string>& environment) {
    const std::string beginning = std::string(one.variable) + "=";
    std::string users;
    std::erase_if(environment, [&](const std::string& entry) {
        if (!entry.starts_with(beginning)) return false;
        users = entry.substr(beginning.size());
        return true;
    });
    std::string all = beginning;
    for (const std::string_view part : {one.defaults, std::string_view(users), one.needed, needed_by_all}) {
        if (part.empty()) continue;
        if (all.size() > beginning.size()) all += ":";
        all += part;
    }
    environment.push_back(all);
}

}  // namespace

std::string sanitizer_obstacle(const code::ElfCode& elf) {
    if (const std::vector<const Refused*> found = runtimes_of(elf, refused); !found.empty()) {
        const Refused& one = *found.front();
        return "built with " + std::string(one.name) + ", " + std::string(one.why) + ": build it for raddle without " +
               std::string(one.option) + "; raddle works with -fsanitize=address, leak, undefined and thread";
    }
    // The functions that raddle needs of a runtime can be found if the executable exports them.
    const bool has_runtime = elf.defines("__asan_init") || (elf.exports("malloc") && elf.contains("ASAN_OPTIONS"));
    if (has_runtime && !elf.exports("__asan_init"))
        return "built with AddressSanitizer's runtime in the executable, which does not export it: link without "
               "-static-libasan, or with -Wl,--export-dynamic";
    return {};
}

std::vector<std::string> sanitizer_remarks(const code::ElfCode& elf) {
    std::vector<std::string> remarks;
    const std::vector<const Known*> runtimes = runtimes_of(elf, known);
    for (const Known* one : runtimes)
        remarks.push_back("built with " + std::string(one->name) +
                          ": an error that its runtime reports is a bug, in whichever schedule it happens");
    if (std::ranges::any_of(runtimes, looks_for_leaks)) remarks.emplace_back(no_leaks);
    return remarks;
}

std::string unchecked_by_sanitizer(const std::string& executable) {
    const code::ElfCode elf(executable, code::ElfCode::Read::linkage);
    return std::ranges::any_of(runtimes_of(elf, known), looks_for_leaks) ? no_leaks : "";
}

void set_sanitizer_options(const code::ElfCode& elf, std::vector<std::string>& environment) {
    // clang's profiles: thousands of executions would write the same file.
    constexpr std::string_view profile = "LLVM_PROFILE_FILE=";
    if (elf.has_section("__llvm_prf_cnts")) {
        std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(profile); });
        environment.push_back(std::string(profile) + "/dev/null");
    }
    for (const Known* one : runtimes_of(elf, known)) add_options(*one, environment);
}

}  // namespace raddle
