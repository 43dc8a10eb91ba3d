#include "preload/hooks/ipc/objects.h"

namespace raddle::system_v {

std::int64_t now() {
    return static_cast<std::int64_t>((virtual_clock::realtime_start + scheduler::virtual_time()) /
                                     virtual_clock::second);
}

void enter_numbers() { state::enter(state::object(state::numbers, 0)); }

bool is_of_others(long number, key_t key) {
    if (raw::failed(raw::call(number, key, 0L, 0L))) return false;
    if (recorded() && scheduler::is_target())
        scheduler::end_with(channel::End::uncontrolled,
                            "another process has made the System V object that the program wants to use");
    return true;
}

void check(const Head& head) { shared_memory::check_object(&head, Operation::state_enter); }

void tell(const Head& head, ipc_perm& permissions) {
    permissions.__key = head.key;
    permissions.uid = permissions.cuid = static_cast<uid_t>(raw::call(SYS_geteuid));
    permissions.gid = permissions.cgid = static_cast<gid_t>(raw::call(SYS_getegid));
    permissions.mode = head.mode;
    permissions.__seq = head.sequence;
}

}  // namespace raddle::system_v
