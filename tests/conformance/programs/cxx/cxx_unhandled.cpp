// conformance: std::set_terminate, std::terminate
#include "check.h"
#include <exception>
#include <thread>

// An exception that escapes a thread's function ends the process: the terminate handler runs in that thread.
static thread_local int thrower;

int main()
{
    std::set_terminate([] {
        bool as_expected = false;
        if (auto current = std::current_exception()) {
            try {
                std::rethrow_exception(current);
            } catch (int value) {
                as_expected = value == 5 && thrower == 1;
            } catch (...) {
            }
        }
        _exit(as_expected && write(1, "ok\n", 3) == 3 ? 0 : 1);
    });
    std::thread([] {
        thrower = 1;
        throw 5;
    }).join();
    return 1;
}
