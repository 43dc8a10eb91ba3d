// The tables of imported functions of instrumented modules. They are changed before the program's own code runs.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstring>

#include "preload/base/jump.h"
#include "preload/base/loaded_file.h"
#include "preload/base/lookup.h"
#include "preload/base/sanitizer.h"
#include "preload/memory/calls/call_classes.h"
#include "preload/memory/calls/constants.h"
#include "preload/memory/calls/library_calls.h"
#include "preload/memory/calls/unfollowed_calls.h"

namespace raddle::memory {

namespace {

// The table of imported functions of a module.
class Linkage {
public:
    Linkage(const canonical::Module& module, const LoadedFile& file) : module_(module), file_(file) {}

    void redirect() const {
        file_.each_import([this](const LoadedFile::Import& import) { redirect(import); });
    }

private:
    void redirect(const LoadedFile::Import& import) const {
        void* const target = *import.slot;
        const auto leads_to = reinterpret_cast<std::uint64_t>(target);
        // A function of the module itself is instrumented already.
        if (leads_to == 0 || (leads_to >= module_.begin && leads_to < module_.end)) return;
        // The program may have changed its data by now.
        const bool is_of_glibc = unfollowed::is_of_glibc(target);
        if (import.is_data && (!is_of_glibc || lookup::in(RTLD_DEFAULT, import.name) != target)) return;
        if (const FollowedFunction* const followed = followed_function(import.name)) {
            if (target == followed->ours) return;
            // The executable's own, part of a sanitizer's runtime, leads to the shim as well (lead_runtime_here).
            *followed->original = sanitizer::is_executables(leads_to) ? lookup::next(import.name) : target;
            file_.replace(import.slot, followed->ours);
        } else if (is_of_glibc && class_of_call(import.name) == CallClass::not_looked_at) {
            if (void* const ours = unfollowed::stub_for(import.name, target)) file_.replace(import.slot, ours);
        }
    }

    const canonical::Module& module_;
    const LoadedFile& file_;
};

// A sanitizer's runtime in the executable defines functions of libc, and the program calls them there. What they check
// is checked in library_call.h, too.
void lead_runtime_here(const LoadedFile& file) {
    constexpr const char* prefix = "__asan_";
    constexpr std::size_t prefix_length = 7;
    file.each_function([&](const char* name, std::uint64_t address, bool is_weak) {
        // Calls that clang writes for assignments and initialisers; behind them is the interceptor, which checks.
        const bool is_clangs =
            std::strncmp(name, prefix, prefix_length) == 0 && std::strncmp(name + prefix_length, "mem", 3) == 0;
        const FollowedFunction* const followed = followed_function(is_clangs ? name + prefix_length : name);
        if (followed == nullptr || (!is_clangs && !is_weak)) return;
        *followed->original = lookup::next(followed->name);
        if (*followed->original != nullptr) write_jump(address, followed->ours);
    });
}

int redirect_if_it_is(dl_phdr_info* info, std::size_t, void* wanted) {
    const auto& module = *static_cast<const canonical::Module*>(wanted);
    if (info->dlpi_addr != module.base) return 0;
    constants::add(*info);
    const LoadedFile file(*info);
    Linkage(module, file).redirect();
    if (sanitizer::is_executables(module.begin)) lead_runtime_here(file);
    return 1;
}

}  // namespace

void redirect_calls_of(const canonical::Module& module) {
    unfollowed::find_code();
    dl_iterate_phdr(redirect_if_it_is, const_cast<canonical::Module*>(&module));
}

}  // namespace raddle::memory
