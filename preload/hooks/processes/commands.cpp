// system, popen and pclose. libc's own versions wait unseen: no other thread could go on meanwhile, not even one that
// the command waits for.
#include <cstring>

#include "preload/base/raw.h"
#include "preload/hooks/names/names.h"
#include "preload/hooks/processes/children.h"
#include "preload/hooks/signals/signals.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"

extern "C" char** environ;

namespace raddle {

namespace {

struct Command {
    FILE* stream;  // null: this slot is free
    pid_t process;
};
constexpr int most_commands = 256;
Command commands[most_commands];

Command* find(FILE* stream) {
    for (Command& one : commands)
        if (one.stream == stream) return &one;
    return nullptr;
}

// Returns 0 or an error number.
int start_shell(const char* command, const posix_spawn_file_actions_t* actions, const char* call, pid_t* process) {
    char shell[] = "sh", option[] = "-c";
    char* const values[] = {shell, option, const_cast<char*>(command), nullptr};
    const children::ChildStart start(call);
    return children::spawn(real::posix_spawn, process, "/bin/sh", actions, nullptr, values, environ);
}

// Waits for the command and returns its status; -1 if another call has already waited for it.
int wait_for_status(pid_t process) {
    Thread& me = scheduler::current();
    const bool before = me.cancel_disabled;
    me.cancel_disabled = true;  // a cancelled thread would leave a zombie behind
    int status = -1;
    pid_t ended = -1;
    do ended = hooks::wait4(process, &status, 0, nullptr);
    while (ended == -1 && errno == EINTR);
    me.cancel_disabled = before;
    return ended == process ? status : -1;
}

struct Direction {
    bool valid = true, reads = false, writes = false, closes_on_exec = false;
};

Direction direction_of(const char* text) {
    Direction mode;
    for (; *text != 0; ++text) {
        if (*text == 'r')
            mode.reads = true;
        else if (*text == 'w')
            mode.writes = true;
        else if (*text == 'e')
            mode.closes_on_exec = true;
        else
            mode.valid = false;
    }
    mode.valid = mode.valid && mode.reads != mode.writes;
    return mode;
}

// Starts the shell with its end of the pipe as standard input or output, and without the pipes of other commands.
int start_behind_pipe(const char* command, int its_end, int as, pid_t* process) {
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    int error = 0;
    for (const Command& one : commands)
        if (one.stream != nullptr && ::fileno(one.stream) != as && error == 0)
            error = ::posix_spawn_file_actions_addclose(&actions, ::fileno(one.stream));
    if (error == 0) error = ::posix_spawn_file_actions_adddup2(&actions, its_end, as);
    if (error == 0) error = start_shell(command, &actions, "popen", process);
    ::posix_spawn_file_actions_destroy(&actions);
    return error;
}

}  // namespace

bool children::is_command_stream(FILE* stream) { return stream != nullptr && find(stream) != nullptr; }

namespace hooks {

int system(const char* command) {
    if (command == nullptr || !recorded()) return real::system(names::real_name(command));
    pid_t process = 0;
    const int error = start_shell(command, nullptr, "system", &process);
    // Blocks SIGCHLD: this call learns about the end of the command before any handler does.
    const std::uint64_t blocked = signals::mine().blocked;
    signals::mine().blocked |= signals::bit_of(SIGCHLD);
    const int status = error == 0 ? wait_for_status(process) : 127 << 8;
    signals::mine().blocked = blocked;
    if (error != 0) errno = error;
    return status;
}

FILE* popen(const char* command, const char* type) {
    if (!recorded()) return real::popen(names::real_name(command), type);
    const Direction mode = direction_of(type);
    Command* const slot = find(nullptr);
    if (!mode.valid) {
        errno = EINVAL;
        return nullptr;
    }
    if (slot == nullptr)
        scheduler::end_with(channel::End::uncontrolled,
                            "the program has more open streams of popen() than raddle can follow (256)");
    undo::opened();
    int pair[2];
    if (const long made = raw::call(SYS_pipe2, pair, O_CLOEXEC); raw::failed(made)) {
        errno = static_cast<int>(-made);
        return nullptr;
    }
    const int ours = mode.reads ? pair[0] : pair[1], its = mode.reads ? pair[1] : pair[0], as = mode.reads ? 1 : 0;
    FILE* const stream = real::fdopen(ours, mode.reads ? "r" : "w");
    const int error = stream == nullptr ? errno : start_behind_pipe(command, its, as, &slot->process);
    raw::call(SYS_close, its);
    if (error != 0) {
        if (stream != nullptr)
            real::fclose(stream);
        else
            raw::call(SYS_close, ours);
        errno = error;
        return nullptr;
    }
    if (!mode.closes_on_exec) raw::call(SYS_fcntl, ours, F_SETFD, 0L);
    slot->stream = stream;
    return stream;
}

int pclose(FILE* stream) {
    Command* const command = stream != nullptr ? find(stream) : nullptr;
    if (command == nullptr) return real::pclose(stream);
    const pid_t process = command->process;
    *command = {};
    hooks::fclose(stream);
    return wait_for_status(process);
}

}  // namespace hooks

}  // namespace raddle
