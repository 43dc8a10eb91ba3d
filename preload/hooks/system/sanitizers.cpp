// The order of calls is: the program, the shim, the runtime of the sanitizer (which checks what a function of libc
// reads and writes), libc. A runtime that is a library is behind the shim by itself. A runtime that is part of the
// executable is in front of everything, so the shim writes jumps to its own functions at the beginning of the
// runtime's.
//
// Exceptions: AddressSanitizer's pthread_create is called, because it makes the runtime's record of the thread.
// Functions that the shim does not export keep the runtime's check.
//
// An error ends the execution at once. The runtime holds its locks while it reports, so no other thread may go on.
#include "preload/hooks/system/sanitizers.h"

#include <cstring>
#include <optional>

#include "preload/base/jump.h"
#include "preload/base/loaded_file.h"
#include "preload/base/raw.h"
#include "preload/base/sanitizer.h"
#include "preload/base/text.h"
#include "preload/debug/stacks.h"
#include "preload/intercept/real.h"
#include "preload/memory/memory.h"
#include "preload/memory/patcher.h"
#include "preload/schedule/call_site.h"
#include "preload/schedule/scheduler.h"

namespace raddle::sanitizers {

namespace {

// ---- operator new and delete of a runtime

[[gnu::noinline]] void* make(std::size_t bytes, std::size_t alignment, bool may_fail) {
    void* const block = alignment == 0 ? hooks::malloc(bytes) : hooks::memalign(alignment, bytes);
    // As the runtimes do: an exception would need the program's own C++ library.
    if (block == nullptr && !may_fail) scheduler::end_with(channel::End::failed, "operator new finds no memory");
    return block;
}

void* new_plain(std::size_t bytes) {
    RADDLE_NOTE_CALLER(heap_call_site);
    return make(bytes, 0, false);
}
void* new_nothrow(std::size_t bytes, const void*) {
    RADDLE_NOTE_CALLER(heap_call_site);
    return make(bytes, 0, true);
}
void* new_aligned(std::size_t bytes, std::size_t alignment) {
    RADDLE_NOTE_CALLER(heap_call_site);
    return make(bytes, alignment, false);
}
void* new_aligned_nothrow(std::size_t bytes, std::size_t alignment, const void*) {
    RADDLE_NOTE_CALLER(heap_call_site);
    return make(bytes, alignment, true);
}
// All forms: the block is the first argument, and nothing else matters.
void delete_any(void* block) {
    RADDLE_NOTE_CALLER(heap_call_site);
    hooks::free(block);
}

void* operator_for(const char* name) {
    struct Form {
        const char* arguments;
        void* function;
    };
    const Form forms[] = {
        {"m", reinterpret_cast<void*>(new_plain)},
        {"mRKSt9nothrow_t", reinterpret_cast<void*>(new_nothrow)},
        {"mSt11align_val_t", reinterpret_cast<void*>(new_aligned)},
        {"mSt11align_val_tRKSt9nothrow_t", reinterpret_cast<void*>(new_aligned_nothrow)},
    };
    const bool is_new = std::strncmp(name, "_Znw", 4) == 0 || std::strncmp(name, "_Zna", 4) == 0;
    const bool is_delete = std::strncmp(name, "_ZdlPv", 6) == 0 || std::strncmp(name, "_ZdaPv", 6) == 0;
    if (is_delete) return reinterpret_cast<void*>(delete_any);
    for (const Form& form : forms)
        if (is_new && std::strcmp(name + 4, form.arguments) == 0) return form.function;
    return nullptr;
}

// ---- jumps in place of a runtime's functions

void lead_to_shim(const LoadedFile& file, const LoadedFile& shim, bool is_executable) {
    const bool keeps_threads = file.defines("__asan_init");
    file.each_function([&](const char* name, std::uint64_t address, bool is_weak) {
        if (void* const function = operator_for(name); function != nullptr) {
            // A strong one beside AddressSanitizer is the program's own.
            if (is_weak || !is_executable || !keeps_threads) write_jump(address, function);
            return;
        }
        if (!is_executable || (keeps_threads && std::strcmp(name, "pthread_create") == 0)) return;
        const std::uint64_t ours = shim.defined(name);
        if (ours != 0 && is_weak) write_jump(address, reinterpret_cast<const void*>(ours));
    });
}

// ---- reports

// The beginning of the runtime's text. It goes to standard error by itself.
Text<8192> report;

void take_text(const char* text) { report.add(text); }

// Called for each report of UndefinedBehaviorSanitizer, in place of a function that does nothing.
void take_undefined_behaviour() {
    for (std::uint32_t i = 0; i < sanitizer::runtime_count; ++i) {
        if (sanitizer::runtimes[i].current_report == nullptr) continue;
        const char *kind = nullptr, *message = nullptr, *file = nullptr;
        unsigned line = 0, column = 0;
        char* address = nullptr;
        sanitizer::runtimes[i].current_report(&kind, &message, &file, &line, &column, &address);
        if (message == nullptr) continue;
        report.length = 0;
        report.add(file != nullptr ? file : "?").add(":").add(line).add(":").add(column);
        report.add(": runtime error: ").add(message).add("\n");
        return;
    }
}

// The lines of the report up to the picture of its shadow memory, separated by " / " as the supervisor expects it.
const char* report_in_one_line() {
    static char line[channel::most_message];
    std::size_t length = 0;
    for (const char* from = report.bytes; *from != 0 && length + 4 < sizeof line;) {
        const bool is_rule = std::strncmp(from, "====", 4) == 0;
        if (std::strncmp(from, "Shadow bytes", 12) == 0) break;
        for (; *from != 0 && *from != '\n'; ++from)
            if (!is_rule && length + 4 < sizeof line) line[length++] = *from;
        if (*from == '\n') ++from;
        if (is_rule || length == 0) continue;
        std::memcpy(line + length, " / ", 3);
        length += 3;
    }
    line[length] = 0;
    return length != 0 ? line : "a sanitizer reported an error";
}

// Where the error happened: AddressSanitizer says it, for others it is the caller of this function.
[[gnu::noinline]] void note_place() {
    channel::Crash& place = scheduler::shared()->result.crash;
    place = {};
    place.thread = scheduler::current().id;
    if (stacks::area != nullptr) stacks::take_crash_here();
    const sanitizer::Functions& asan = sanitizer::address_sanitizer;
    if (asan.report_instruction == nullptr) return;
    place.instruction = memory::original_of(asan.report_instruction());
}

void on_death() {
    if (!recorded() || !scheduler::is_target()) return;
    note_place();
    scheduler::set_message(report_in_one_line());
    scheduler::shared()->result.cut_after_end = 1;
    scheduler::end_with(channel::End::sanitizer, "");
}

}  // namespace

void take_over() {
    sanitizer::find();
    if (!sanitizer::present) return;
    std::optional<LoadedFile> shim;
    LoadedFile::each([&](const LoadedFile& file) {
        if (file.is_shim()) shim = file;
    });
    if (!shim) return;
    bool is_executable = true;
    LoadedFile::each([&](const LoadedFile& file) {
        if (sanitizer::is_runtime(file.begin())) lead_to_shim(file, *shim, is_executable);
        is_executable = false;
    });
}

void prepare() {
    if (!sanitizer::present) return;
    sanitizer::take_shadow();
    if (auto* const set = sanitizer::address_sanitizer.set_report_callback; set != nullptr) set(take_text);
    for (std::uint32_t i = 0; i < sanitizer::runtime_count; ++i) {
        const sanitizer::Runtime& runtime = sanitizer::runtimes[i];
        if (runtime.set_death_callback != nullptr) runtime.set_death_callback(on_death);
        if (runtime.on_report != 0 && runtime.current_report != nullptr)
            write_jump(runtime.on_report, reinterpret_cast<const void*>(take_undefined_behaviour));
    }
}

}  // namespace raddle::sanitizers
