// Names that hold the process's number: of files, of sockets, in what children are started with. The program is told a
// number that is the same in every execution; outside, and for two workers beside each other, it has to be one of its own.
#pragma once

#include <alloca.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>

#include "preload/intercept/callbacks.h"

namespace raddle::names {

// From now on the program knows by `told` what is `outside` to all others.
void set_process_number(int seen, int real);

bool hold_number(const char* name);
// Into `room`, which has as many bytes as `name`: it does not become longer.
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

// What a list of words that null ends needs for its translation: 0 if there is nothing to translate.
struct Needs {
    std::size_t words = 0, bytes = 0;
};
Needs needs_of(char* const* words);
void translate(char* const* words, char** into, char* room);

// `call` with the words as the outside has them.
template <typename Call>
auto with_words(char* const* words, Call call) {
    const Needs needs = needs_of(words);
    if (needs.bytes == 0) return call(words);
    auto** translated = static_cast<char**>(alloca((needs.words + 1) * sizeof(char*)));
    translate(words, translated, static_cast<char*>(alloca(needs.bytes)));
    return call(static_cast<char* const*>(translated));
}

}  // namespace raddle::names
