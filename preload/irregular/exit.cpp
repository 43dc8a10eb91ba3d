// The end of the process. Exit handlers run as the target's code while other threads live on; then the end is
// announced, others go on until none can, and only then the process is left: stdio flushed by the C library itself.
#include "preload/irregular/exit.h"

#include <cstdio>
#include <cstdlib>

#include "preload/describe.h"
#include "preload/irregular/thread.h"
#include "preload/real.h"
#include "preload/restart/restart.h"

namespace raddle {

namespace {

MainFunction program_main = nullptr;
bool exit_began = false;
int quick_status = 0;

struct MainCall {
    int count;
    char** values;
    char** environment;
    bool returned;
    int status;
};

void call_main(void* argument) {
    MainCall& call = *static_cast<MainCall*>(argument);
    call.status = program_main(call.count, call.values, call.environment);
    call.returned = true;
}

int main_in_our_hands(int count, char** values, char** environment) {
    MainCall call{count, values, environment, false, 0};
    run_until_left(call_main, &call);
    if (call.returned) irregular::exit(call.status);
    end_thread();
}

void announce_end(int status) {
    if (!recorded()) return;
    Action action = of(Operation::process_exit);
    action.object = process_object();
    action.argument = status & 0xff;
    act(action);
}

void last_exit_handler(int status, void*) {
    call_site = nullptr;
    announce_end(status);
    if (!restart::comes_back()) return;
    fflush(nullptr);  // all that would still happen
    restart::leave(status);
}

void last_quick_exit_handler() {
    announce_end(quick_status);
    restart::leave(quick_status & 0xff);
}

}  // namespace

void register_exit_handlers() {
    on_exit(last_exit_handler, nullptr);
    at_quick_exit(last_quick_exit_handler);
}

namespace irregular {

int __libc_start_main(MainFunction main, int count, char** values, VoidFunction init, VoidFunction fini,
                      VoidFunction loader_fini, void* stack_end) {
    program_main = main;
    return real::__libc_start_main(main_in_our_hands, count, values, init, fini, loader_fini, stack_end);
}

void exit(int status) {
    scheduler::current().leaving = true;  // no cancellation any more
    if (recorded() && exit_began) announce_end(status);
    exit_began = true;
    real::exit(status);
}

void _exit(int status) {
    scheduler::current().leaving = true;
    announce_end(status);
    restart::leave(status & 0xff);
}

void _Exit(int status) { _exit(status); }

void quick_exit(int status) {
    scheduler::current().leaving = true;
    quick_status = status;
    real::quick_exit(status);
}

}  // namespace irregular

}  // namespace raddle
