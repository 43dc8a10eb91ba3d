// Thread-specific data stays in glibc, which keeps it in the thread control block. The shim calls the destructors,
// because its threads do not end through glibc. It also assigns keys: the key depends on the thread and on the keys
// that it made before. (glibc assigns the first free key, which depends on the order of threads.)
#include <climits>

#include "preload/hooks/threads/thread.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/schedule/scheduler.h"

namespace raddle {

namespace {
constexpr std::uint32_t most_keys = 1024;
void (*destructors[most_keys])(void*);
std::uint32_t keys_used = 0;  // upper bound of the keys with destructors

void note(std::uint32_t key, void (*destructor)(void*)) {
    if (key >= most_keys) return;
    destructors[key] = destructor;
    if (key >= keys_used && destructor != nullptr) keys_used = key + 1;
}

// Keys that the shim took from glibc in order to assign them.
bool is_spare[most_keys];
std::uint32_t first_spare = 0, spares = 0;  // all keys taken from glibc, including assigned ones
std::uint8_t made[thread_arena::count];     // keys made by each thread
constexpr std::uint32_t left_to_glibc = 8;  // for libraries that call glibc directly
constexpr std::uint32_t usual_keys = 16;    // distance between the first keys of two threads

void take_spares() {
    for (;;) {
        pthread_key_t key = 0;
        if (real::pthread_key_create(&key, nullptr) != 0) return;
        if (key + left_to_glibc >= most_keys) {
            real::pthread_key_delete(key);
            return;
        }
        if (spares == 0) first_spare = key;
        is_spare[key] = true;
        spares = key + 1 - first_spare;
    }
}

std::uint32_t own_key(std::uint32_t arena, std::uint32_t number) {
    return first_spare + (arena * usual_keys + number) % spares;
}

bool take_key(pthread_key_t* key) {
    if (phase != Phase::scheduled) return false;
    if (spares == 0) take_spares();
    const std::uint32_t arena = scheduler::current().arena;
    for (std::uint32_t tried = 0; tried < spares; ++tried) {
        const std::uint32_t wanted = first_spare + (own_key(arena, made[arena]) - first_spare + tried) % spares;
        if (!is_spare[wanted]) continue;
        is_spare[wanted] = false;
        ++made[arena];
        *key = wanted;
        return true;
    }
    return false;
}

// Deletes the key and makes it again, so that glibc drops the values of all threads.
int remake(pthread_key_t key) {
    const int error = real::pthread_key_delete(key);
    pthread_key_t instead = 0;
    if (error != 0 || spares == 0 || real::pthread_key_create(&instead, nullptr) != 0) return error;
    is_spare[instead] = instead >= first_spare && instead - first_spare < spares;
    if (!is_spare[instead]) return real::pthread_key_delete(instead);
    const std::uint32_t arena = scheduler::current().arena;
    if (made[arena] > 0 && own_key(arena, made[arena] - 1u) == key) --made[arena];
    return 0;
}
}  // namespace

void run_key_destructors() {
    bool again = true;
    for (int round = 0; again && round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
        again = false;
        for (std::uint32_t key = 0; key < keys_used; ++key) {
            if (destructors[key] == nullptr) continue;
            void* value = pthread_getspecific(key);
            if (value == nullptr) continue;
            pthread_setspecific(key, nullptr);
            destructors[key](value);
            again = true;
        }
    }
}

namespace hooks {

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
    // glibc does not get the destructor: it would call it again at the end of main.
    const int error = take_key(key) ? 0 : real::pthread_key_create(key, nullptr);
    if (error == 0) note(*key, destructor);
    return error;
}

int pthread_key_delete(pthread_key_t key) {
    const int error = remake(key);
    if (error == 0) note(key, nullptr);
    return error;
}

int tss_create(tss_t* key, tss_dtor_t destructor) {
    return as_thrd::refused(hooks::pthread_key_create(key, destructor));
}
void tss_delete(tss_t key) { hooks::pthread_key_delete(key); }

}  // namespace hooks

}  // namespace raddle
