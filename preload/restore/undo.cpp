#include "preload/restore/undo.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>

#include "preload/base/raw.h"
#include "preload/restore/file_positions.h"
#include "preload/restore/memory_image.h"
#include "preload/restore/restore.h"

namespace raddle::undo {

namespace {

constexpr int most_descriptors = 1024;
constexpr int always_checked = 64;  // descriptors may be opened unseen, and open() takes the lowest
constexpr int signal_count = 65;

struct KernelAction {
    void* handler;
    unsigned long flags;
    void* restorer;
    std::uint64_t mask;
};

// The state at the start. It is part of the memory image, so it is the same at the start of every execution.
bool active = false;
const char* why = nullptr;
bool descriptors_changed = false;
bool mappings_changed = false;
bool actions_changed = false;
bool outside_used = false;
int descriptor_limit = 0;
std::uint64_t open_at_start[most_descriptors / 64];
restore::FilePositions positions;
KernelAction actions[signal_count];
std::uint64_t mask = 0;

bool was_open(int fd) { return fd >= 0 && fd < most_descriptors && (open_at_start[fd / 64] >> (fd % 64) & 1) != 0; }

// Calls `found` for each of the first `count` descriptors, with whether it is open.
template <typename Found>
bool for_each_descriptor(int count, Found found) {
    pollfd asked[most_descriptors];
    if (count > descriptor_limit) count = descriptor_limit;
    for (int fd = 0; fd < count; ++fd) asked[fd] = {fd, 0, 0};
    const timespec now{};
    if (raw::failed(raw::call(SYS_ppoll, asked, count, &now, nullptr, 8L))) return false;
    for (int fd = 0; fd < count; ++fd)
        if (!found(fd, (asked[fd].revents & POLLNVAL) == 0)) return false;
    return true;
}

}  // namespace

void begin() {
    active = true;
    rlimit limit{};
    raw::call(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit);
    descriptor_limit = limit.rlim_cur < most_descriptors ? static_cast<int>(limit.rlim_cur) : most_descriptors;
    for_each_descriptor(most_descriptors, [](int fd, bool is_open) {
        if (is_open) open_at_start[fd / 64] |= std::uint64_t{1} << (fd % 64);
        return true;
    });
    positions.note();
    for (int signal = 1; signal < signal_count; ++signal)
        raw::call(SYS_rt_sigaction, signal, nullptr, &actions[signal], 8L);
    raw::call(SYS_rt_sigprocmask, SIG_SETMASK, nullptr, &mask, 8L);
}

void opened() {
    if (active) descriptors_changed = true;
}

void closed(int fd) {
    opened();
    if (active && was_open(fd)) cannot("close (of a descriptor that was open before the first thread)");
}

void changed(int fd, const char* call) {
    if (active && (was_open(fd) || fd >= most_descriptors)) cannot(call);
}

void mapped() {
    if (active) mappings_changed = true;
}

void mapping_changed(const void* begin, unsigned long bytes, const char* call) {
    mapped();
    if (active && restore::was_there(begin, bytes)) cannot(call);
}

void signals_changed() {
    if (active) actions_changed = true;
}

void cannot(const char* call) {
    if (active && why == nullptr) why = call;
}

void used_outside() {
    if (active) outside_used = true;
}

const char* reason() { return why; }

const char* effect_so_far() {
    if (why != nullptr) return why;
    if (descriptors_changed) return "it had opened or closed descriptors by then";
    if (mappings_changed) return "it had mapped or unmapped memory by then";
    if (actions_changed) return "it had changed the effect of signals by then";
    if (outside_used) return "it had used something outside its memory by then";
    if (!positions.are_as_noted()) return "it had moved the position of a file by then";
    if (!for_each_descriptor(always_checked, [](int fd, bool is_open) { return is_open == was_open(fd); }))
        return "it had opened or closed descriptors by then";
    return nullptr;
}

bool mappings_may_differ() { return mappings_changed; }

const char* put_back() {
    const int count = descriptors_changed ? most_descriptors : always_checked;
    const bool restored = for_each_descriptor(count, [](int fd, bool is_open) {
        if (is_open == was_open(fd)) return true;
        return is_open && !raw::failed(raw::call(SYS_close, fd));
    });
    if (!restored) return "a descriptor that was open at the start is closed now";
    positions.restore();
    if (actions_changed)
        for (int signal = 1; signal < signal_count; ++signal)
            raw::call(SYS_rt_sigaction, signal, &actions[signal], nullptr, 8L);
    raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &mask, nullptr, 8L);
    return nullptr;
}

}  // namespace raddle::undo
