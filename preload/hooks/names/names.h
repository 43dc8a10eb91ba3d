// Names that contain a process id: of files, of sockets, in arguments of children. The program sees the same id in
// every execution. The kernel sees the real one, so that workers do not share files.
#pragma once

#include <alloca.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>

#include "preload/intercept/callbacks.h"

namespace raddle::names {

// From now on the program sees the process id `seen` where the kernel sees `real`.
void set_process_number(int seen, int real);

bool contains_number(const char* name);
// Translates into `room`, which needs strlen(name) + 1 bytes: a translation is never longer.
void translate(const char* name, char* room);
// real_name() is declared in intercept/callbacks.h.

class Address {
public:
    Address(const void* address, socklen_t length);
    const sockaddr* get() const { return address_; }
    socklen_t length() const { return length_; }

private:
    const sockaddr* address_;
    socklen_t length_;
    sockaddr_un translated_;
};

// Memory for translating a null-terminated list of words; 0 bytes if there is nothing to translate.
struct Needs {
    std::size_t words = 0, bytes = 0;
};
Needs needs_of(char* const* words);
void translate(char* const* words, char** into, char* room);

// Calls `call` with the translated words.
template <typename Call>
auto with_words(char* const* words, Call call) {
    const Needs needs = needs_of(words);
    if (needs.bytes == 0) return call(words);
    auto** translated = static_cast<char**>(alloca((needs.words + 1) * sizeof(char*)));
    translate(words, translated, static_cast<char*>(alloca(needs.bytes)));
    return call(static_cast<char* const*>(translated));
}

}  // namespace raddle::names
