// System V semaphores (objects.h). SEM_UNDO takes effect at the end of the process, where nobody is left to see it.
#include <sys/sem.h>

#include <climits>
#include <cstring>

#include "preload/hooks/ipc/objects.h"
#include "preload/hooks/threads/identity.h"
#include "preload/intercept/real.h"
#include "preload/memory/calls/unfollowed_calls.h"

namespace raddle {

namespace {

struct Semaphore {
    std::int32_t value;
    std::int32_t process;        // the last one that changed it
    std::uint32_t want_more;     // threads that wait for a larger value
    std::uint32_t want_nothing;  // threads that wait for zero
};

constexpr std::uint32_t most_semaphores = 1u << 14;  // of all sets
constexpr int most_in_set = 32000, most_value = 32767;
constexpr std::size_t most_operations = 500;

struct Set {
    system_v::Head head;
    std::uint32_t first, count;
    std::int64_t used_at;
};

Set sets[system_v::most_objects];
Semaphore pool[most_semaphores];

ObjectId state_of(int id) { return state::object(state::semaphores, static_cast<std::uint64_t>(id)); }

bool is_free(std::uint32_t first, std::uint32_t count) {
    if (first + count > most_semaphores) return false;
    for (const Set& set : sets)
        if (set.head.used && first < set.first + set.count && set.first < first + count) return false;
    return true;
}

int make(Set& set, int count) {
    if (count <= 0 || count > most_in_set) return EINVAL;
    const auto wanted = static_cast<std::uint32_t>(count);
    std::uint32_t first = 0;
    for (const Set& other : sets)  // a set begins where the pool does, or where another set ends
        if (!is_free(first, wanted) && other.head.used) first = other.first + other.count;
    for (const Set& other : sets) {
        if (is_free(first, wanted)) break;
        if (other.head.used && is_free(other.first + other.count, wanted)) first = other.first + other.count;
    }
    if (!is_free(first, wanted)) return ENOSPC;
    set.first = first;
    set.count = wanted;
    std::memset(&pool[first], 0, wanted * sizeof(Semaphore));
    return 0;
}

// Performs all operations, or none. Returns 0, an error, or -1 if they must wait, for operation `blocked`.
int perform(const Set& set, const sembuf* operations, std::size_t count, std::size_t& blocked) {
    int result = 0;
    std::size_t done = 0;
    for (; done < count && result == 0; ++done) {
        Semaphore& one = pool[set.first + operations[done].sem_num];
        const std::int32_t change = operations[done].sem_op;
        const bool must_wait = change == 0 ? one.value != 0 : one.value + change < 0;
        if (must_wait) {
            blocked = done;
            result = (operations[done].sem_flg & IPC_NOWAIT) != 0 ? EAGAIN : -1;
        } else if (one.value + change > most_value) {
            result = ERANGE;
        } else {
            one.value += change;
        }
    }
    if (result == 0) return 0;
    for (--done; done > 0; --done) {
        const sembuf& before = operations[done - 1];
        pool[set.first + before.sem_num].value -= before.sem_op;
    }
    return result;
}

int check_operations(const Set& set, const sembuf* operations, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (operations[i].sem_num >= set.count) return EFBIG;
    return 0;
}

void finish(Set& set, const sembuf* operations, std::size_t count) {
    set.used_at = system_v::now();
    for (std::size_t i = 0; i < count; ++i) pool[set.first + operations[i].sem_num].process = hooks::getpid();
}

long operate(int id, const sembuf* given, std::size_t count, const timespec* span) {
    if (count == 0) return -EINVAL;
    if (count > most_operations) return -E2BIG;
    if (span != nullptr && (!valid(span) || span->tv_sec < 0)) return -EINVAL;
    const state::Limit limit = state::Limit::after(span);
    const ObjectId state = state_of(id);
    bool was_there = false;
    state::Waited waited = state::Waited::changed;
    Semaphore* awaited = nullptr;
    bool awaits_more = false;
    for (;;) {
        state::enter(state);
        Set* set = system_v::with_id(sets, id);
        if (set == nullptr) return was_there ? -EIDRM : -EINVAL;
        system_v::check(set->head);
        if (awaited != nullptr) --(awaits_more ? awaited->want_more : awaited->want_nothing);
        awaited = nullptr;
        if (const int error = was_there ? 0 : check_operations(*set, given, count); error != 0) return -error;
        was_there = true;
        std::size_t blocked = 0;
        const int result = perform(*set, given, count, blocked);
        if (result == 0) {
            finish(*set, given, count);
            state::changed(state);
            return 0;
        }
        if (result > 0) return -result;
        if (waited == state::Waited::interrupted) return -EINTR;
        if (waited == state::Waited::timed_out || !recorded()) return -EAGAIN;
        awaited = &pool[set->first + given[blocked].sem_num];
        awaits_more = given[blocked].sem_op != 0;
        ++(awaits_more ? awaited->want_more : awaited->want_nothing);
        waited = state::wait(state, limit, false);
    }
}

void tell(const Set& set, semid_ds& told) {
    std::memset(&told, 0, sizeof told);
    system_v::tell(set.head, told.sem_perm);
    told.sem_otime = set.used_at;
    told.sem_ctime = set.head.changed_at;
    told.sem_nsems = set.count;
}

long change_values(Set& set, const ObjectId& state, std::uint32_t first, std::uint32_t count,
                   const unsigned short* values) {
    for (std::uint32_t i = 0; i < count; ++i)
        if (values[i] > most_value) return -ERANGE;
    for (std::uint32_t i = 0; i < count; ++i) {
        pool[set.first + first + i].value = values[i];
        pool[set.first + first + i].process = hooks::getpid();
    }
    set.head.changed_at = system_v::now();
    state::changed(state);
    return 0;
}

long control_one(Set& set, const ObjectId& state, int number, int command, long argument) {
    if (number < 0 || static_cast<std::uint32_t>(number) >= set.count) return -EINVAL;
    const Semaphore& one = pool[set.first + static_cast<std::uint32_t>(number)];
    switch (command) {
        case GETVAL: return one.value;
        case GETPID: return one.process;
        case GETNCNT: return one.want_more;
        case GETZCNT: return one.want_nothing;
        default: {
            const int value = static_cast<int>(argument);
            if (value < 0 || value > most_value) return -ERANGE;
            const auto wanted = static_cast<unsigned short>(value);
            return change_values(set, state, static_cast<std::uint32_t>(number), 1, &wanted);
        }
    }
}

long control(int id, int number, int command, long argument) {
    if (command == IPC_INFO || command == SEM_INFO) return raw::call(SYS_semctl, id, number, command, argument);
    const ObjectId state = state_of(id);
    // The table of effects cannot tell how long the array is.
    if (command == GETALL || command == SETALL) memory::unfollowed::note("semctl");
    if (command == IPC_RMID) system_v::enter_numbers();
    state::enter(state);
    Set* set = system_v::with_id(sets, id);
    if (set == nullptr) return -EINVAL;
    system_v::check(set->head);
    switch (command) {
        case GETVAL:
        case GETPID:
        case GETNCNT:
        case GETZCNT:
        case SETVAL: return control_one(*set, state, number, command, argument);
        case GETALL:
            for (std::uint32_t i = 0; i < set->count; ++i)
                reinterpret_cast<unsigned short*>(argument)[i] =
                    static_cast<unsigned short>(pool[set->first + i].value);
            return 0;
        case SETALL:
            return change_values(*set, state, 0, set->count, reinterpret_cast<const unsigned short*>(argument));
        case IPC_STAT: tell(*set, *reinterpret_cast<semid_ds*>(argument)); return 0;
        case IPC_SET:
            set->head.mode = reinterpret_cast<const semid_ds*>(argument)->sem_perm.mode & 0777;
            set->head.changed_at = system_v::now();
            return 0;
        case IPC_RMID:
            set->head.used = false;
            state::changed(state);
            return 0;
        default: return -EINVAL;
    }
}

}  // namespace

namespace hooks {

int semget(key_t key, int count, int flags) {
    const long id = system_v::get(
        sets, SYS_semget, key, flags, [&](Set& set) { return make(set, count); },
        [&](const Set& set) { return count < 0 || static_cast<std::uint32_t>(count) > set.count ? EINVAL : 0; });
    return static_cast<int>(from_kernel(id));
}
int semop(int id, sembuf* operations, size_t count) {
    return static_cast<int>(from_kernel(operate(id, operations, count, nullptr)));
}
int semtimedop(int id, sembuf* operations, size_t count, const timespec* span) {
    return static_cast<int>(from_kernel(operate(id, operations, count, span)));
}
int semctl(int id, int number, int command, long argument) {
    return static_cast<int>(from_kernel(control(id, number, command, argument)));
}

}  // namespace hooks

}  // namespace raddle
