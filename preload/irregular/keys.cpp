// Thread-specific data is glibc's own, as it lives in the thread control block that every fiber has. Only the
// destructors are called from here, as a thread of ours does not end where glibc would call them.
#include <climits>

#include "preload/describe.h"
#include "preload/irregular/thread.h"
#include "preload/real.h"

namespace raddle {

namespace {
constexpr std::uint32_t most_keys = 1024;
void (*destructors[most_keys])(void*);
std::uint32_t keys_used = 0;  // all keys with a destructor are below

void note(std::uint32_t key, void (*destructor)(void*)) {
    if (key >= most_keys) return;
    destructors[key] = destructor;
    if (key >= keys_used && destructor != nullptr) keys_used = key + 1;
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

namespace irregular {

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
    // Glibc is not told of the destructor: main's end would run it a second time.
    const int error = real::pthread_key_create(key, nullptr);
    if (error == 0) note(*key, destructor);
    return error;
}

int pthread_key_delete(pthread_key_t key) {
    const int error = real::pthread_key_delete(key);
    if (error == 0) note(key, nullptr);
    return error;
}

int tss_create(tss_t* key, tss_dtor_t destructor) { return as_thrd::refused(irregular::pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { irregular::pthread_key_delete(key); }

}  // namespace irregular

}  // namespace raddle
