#include "supervisor/campaign/processor_affinity.h"

#include <sched.h>

namespace raddle {

void keep_to_one_core(unsigned worker, unsigned workers) {
    cpu_set_t usable, chosen;
    CPU_ZERO(&usable);
    CPU_ZERO(&chosen);
    if (::sched_getaffinity(0, sizeof usable, &usable) != 0 || workers > static_cast<unsigned>(CPU_COUNT(&usable)))
        return;
    if (workers <= 1) {
        const int here = ::sched_getcpu();
        if (here < 0 || here >= CPU_SETSIZE) return;
        CPU_SET(here, &chosen);
    } else {
        unsigned before = 0;
        for (int core = 0; core < CPU_SETSIZE; ++core)
            if (CPU_ISSET(core, &usable) && before++ == worker) CPU_SET(core, &chosen);
    }
    ::sched_setaffinity(0, sizeof chosen, &chosen);
}

}  // namespace raddle
