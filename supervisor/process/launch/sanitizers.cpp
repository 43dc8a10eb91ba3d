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

bool has(const code::ElfCode& elf, std::string_view first_function, std::string_view library,
         std::string_view library_of_clang) {
    return !elf.needed(library).empty() || !elf.needed(library_of_clang).empty() || elf.defines(first_function);
}
bool has(const code::ElfCode& elf, const Known& one) {
    return has(elf, one.first_function, one.library, one.library_of_clang);
}

bool looks_for_leaks(const code::ElfCode& elf) { return has(elf, known[0]) || has(elf, known[1]); }
constexpr const char* no_leaks = "leaks are not looked for (detect_leaks=0): the heap is raddle's";

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
    for (const Refused& one : refused)
        if (has(elf, one.first_function, one.library, one.library_of_clang))
            return "built with " + std::string(one.name) + ", " + std::string(one.why) +
                   ": build it for raddle without " + std::string(one.option) +
                   "; raddle works with -fsanitize=address, leak, undefined and thread";
    // The functions that raddle needs of a runtime can be found if the executable exports them.
    const bool has_runtime = elf.defines("__asan_init") || (elf.exports("malloc") && elf.contains("ASAN_OPTIONS"));
    if (has_runtime && !elf.exports("__asan_init"))
        return "built with AddressSanitizer's runtime in the executable, which does not export it: link without "
               "-static-libasan, or with -Wl,--export-dynamic";
    return {};
}

std::vector<std::string> sanitizer_remarks(const code::ElfCode& elf) {
    std::vector<std::string> remarks;
    for (const Known& one : known)
        if (has(elf, one))
            remarks.push_back("built with " + std::string(one.name) +
                              ": an error that its runtime reports is a bug, in " + "whichever schedule it happens");
    if (looks_for_leaks(elf)) remarks.emplace_back(no_leaks);
    return remarks;
}

std::string unchecked_by_sanitizer(const std::string& executable) {
    return looks_for_leaks(code::ElfCode(executable, code::ElfCode::Read::linkage)) ? no_leaks : "";
}

void set_sanitizer_options(const code::ElfCode& elf, std::vector<std::string>& environment) {
    // clang's profiles: thousands of executions would write the same file.
    constexpr std::string_view profile = "LLVM_PROFILE_FILE=";
    if (elf.has_section("__llvm_prf_cnts")) {
        std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(profile); });
        environment.push_back(std::string(profile) + "/dev/null");
    }
    for (const Known& one : known)
        if (has(elf, one)) add_options(one, environment);
}

}  // namespace raddle
