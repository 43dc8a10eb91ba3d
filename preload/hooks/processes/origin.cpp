// The origin makes no call of the C library: it runs before that is ready.
#include "preload/hooks/processes/origin.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <csignal>
#include <cstring>

#include "preload/base/raw.h"
#include "supervisor/protocol/origin.h"

namespace raddle {

namespace {

using origin::Descriptor;
using origin::Request;

struct Received {
    Request request;
    long numbers[origin::descriptors];
};

bool has(const Request& request, Descriptor descriptor) {
    return (request.descriptors >> static_cast<std::uint32_t>(descriptor) & 1) != 0;
}

// False if the supervisor is gone.
bool receive(long socket, Received& received) {
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * origin::descriptors)];
    iovec piece = {&received.request, sizeof received.request};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    if (raw::call(SYS_recvmsg, socket, &message, 0) != static_cast<long>(sizeof received.request)) return false;
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    const unsigned char* next = header != nullptr ? CMSG_DATA(header) : nullptr;
    for (std::uint32_t i = 0; i < origin::descriptors; ++i) {
        received.numbers[i] = -1;
        if (next == nullptr || !has(received.request, static_cast<Descriptor>(i))) continue;
        int number = -1;
        std::memcpy(&number, next, sizeof number);
        next += sizeof number;
        received.numbers[i] = number;
    }
    return true;
}

void close_all(const Received& received) {
    for (const long number : received.numbers)
        if (number >= 0) raw::call(SYS_close, number);
}

// What the supervisor does between fork and exec for other processes.
NewLaunch become_process(long socket, const Received& received, long parent) {
    const auto number = [&](Descriptor descriptor) { return received.numbers[static_cast<std::uint32_t>(descriptor)]; };
    raw::call(SYS_setsid);
    raw::call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    if (raw::call(SYS_getppid) != parent) raw::exit_process(0);
    const auto group = static_cast<std::int32_t>(raw::call(SYS_getpid));
    if (const long guardian = number(Descriptor::guardian); guardian >= 0)
        raw::call(SYS_sendto, guardian, &group, sizeof group, MSG_NOSIGNAL, nullptr, 0);
    raw::call(SYS_close, socket);
    const Request& request = received.request;
    constexpr Descriptor standard[] = {Descriptor::input, Descriptor::output, Descriptor::errors};
    for (long i = 0; i < 3; ++i)
        if (number(standard[i]) >= 0) raw::call(SYS_dup2, number(standard[i]), i);
    raw::call(SYS_dup2, number(Descriptor::channel), request.channel_as);
    const bool has_code = number(Descriptor::code) >= 0;
    if (has_code) raw::call(SYS_dup2, number(Descriptor::code), request.code_as);
    close_all(received);
    constexpr int no_such_directory = 126;
    if (request.directory[0] != 0 && raw::failed(raw::call(SYS_chdir, request.directory)))
        raw::exit_process(no_such_directory);
    return {request.channel_as, has_code ? request.code_as : -1L};
}

}  // namespace

NewLaunch serve_as_origin(long socket) {
    const long parent = raw::call(SYS_getppid);
    for (;;) {
        Received received;
        std::memset(&received, 0, sizeof received);
        if (!receive(socket, received)) raw::exit_process(0);
        // The supervisor is the parent of the new process, too.
        const long process = raw::call(SYS_clone, static_cast<long>(CLONE_PARENT), 0L, 0L, 0L, 0L);
        if (process == 0) return become_process(socket, received, parent);
        close_all(received);
        const origin::Reply reply = process;
        raw::call(SYS_sendto, socket, &reply, sizeof reply, MSG_NOSIGNAL, nullptr, 0);
    }
}

}  // namespace raddle
