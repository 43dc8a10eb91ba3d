// What the three kinds of System V objects have in common: keys, ids, owners, times. The shim has the objects, so they
// are new in every execution. They exist in this process only: once a child process was started, using one ends the
// execution.
#pragma once

#include <sys/ipc.h>

#include "preload/hooks/ipc/state.h"

namespace raddle::system_v {

struct Head {
    bool used;
    key_t key;
    std::uint16_t mode, sequence;
    std::int64_t changed_at;
};

inline constexpr int most_objects = 128;

// An id never comes back soon: a removed object is not taken for a new one.
template <typename Object>
int id_of(const Object (&table)[most_objects], const Object& object) {
    return static_cast<int>(&object - table) + most_objects * object.head.sequence;
}
template <typename Object>
Object* with_id(Object (&table)[most_objects], int id) {
    if (id < 0) return nullptr;
    Object& object = table[id % most_objects];
    return object.head.used && object.head.sequence == id / most_objects ? &object : nullptr;
}
template <typename Object>
Object* with_key(Object (&table)[most_objects], key_t key) {
    for (Object& object : table)
        if (object.head.used && object.head.key == key && key != IPC_PRIVATE) return &object;
    return nullptr;
}

std::int64_t now();  // in seconds, as time() tells the program

// Orders the calls that make, find and remove objects.
void enter_numbers();

// Whether another process has made an object with this key: `number` is the system call that finds it.
bool is_of_others(long number, key_t key);

// Ends the execution if another process may use the object, too.
void check(const Head& head);

// Finds or makes the object of a key. Returns its id, or a negative error number. `make(object)` prepares a new one and
// returns an error number; `fits(object)` checks one that exists.
template <typename Object, typename Make, typename Fits>
long get(Object (&table)[most_objects], long number, key_t key, int flags, Make make, Fits fits) {
    enter_numbers();
    if (Object* known = with_key(table, key)) {
        check(known->head);
        if ((flags & IPC_CREAT) != 0 && (flags & IPC_EXCL) != 0) return -EEXIST;
        const int error = fits(*known);
        return error != 0 ? -error : id_of(table, *known);
    }
    if (key != IPC_PRIVATE && is_of_others(number, key)) return -EACCES;
    if (key != IPC_PRIVATE && (flags & IPC_CREAT) == 0) return -ENOENT;
    for (Object& object : table) {
        if (object.head.used) continue;
        const auto sequence = static_cast<std::uint16_t>(object.head.sequence + 1);
        object = {};
        object.head.sequence = sequence;
        if (const int error = make(object); error != 0) return -error;
        object.head.used = true;
        object.head.key = key;
        object.head.mode = static_cast<std::uint16_t>(flags & 0777);
        object.head.changed_at = now();
        shared_memory::named_object(&object, sizeof object);
        return id_of(table, object);
    }
    return -ENOSPC;
}

void tell(const Head& head, ipc_perm& permissions);  // as IPC_STAT

}  // namespace raddle::system_v
