#include "preload/schedule/naps.h"

#include "preload/schedule/call_site.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"

namespace raddle::scheduler {

std::uint64_t virtual_time() {
    Thread& me = current();
    if (machine().options().independence == Independence::values && recorded()) {
        const std::uint32_t reads = me.clock_reads, naps = me.naps;
        Action read;
        read.operation = Operation::clock_read;
        const ActionOutcome outcome = act(read);
        me.clock_reads = reads;
        me.naps = naps;
        return static_cast<std::uint64_t>(outcome.result);
    }
    return machine().thread(me.slot).time;
}

}  // namespace raddle::scheduler

namespace raddle::scheduler::naps {

bool wanted = false;

namespace {

constexpr std::uint32_t most_actions = 32;       // without a wait for time
constexpr std::uint64_t most_accesses = 100000;  // without an action
constexpr std::uint32_t most_readings = 200;     // of a clock, without an action
constexpr std::uint64_t shortest = 1000000;      // nanoseconds
constexpr std::uint32_t most_growth = 6;         // naps do not grow beyond 1000 seconds

std::uint64_t length_after(std::uint32_t naps_before) {
    std::uint64_t length = wanted ? 10 * shortest : shortest;
    for (std::uint32_t i = 0; i < naps_before && i < most_growth; ++i) length *= 10;
    return length;
}

Action nap_after(std::uint32_t naps_before, std::uint64_t site) {
    Action sleep;
    sleep.operation = Operation::sleep;
    sleep.site = site;
    sleep.set_timeout(length_after(naps_before));
    return sleep;
}

// A shorter sleep is work: a thread may sleep for a microsecond again and again until a second is over.
bool lasts_as_long_as_a_nap(const Thread& me, const Action& sleep) {
    const std::uint64_t nap = length_after(me.naps);
    if ((sleep.flags & flag::absolute) == 0) return sleep.timeout() >= nap;
    const std::uint64_t now = machine().thread(me.slot).time;
    return sleep.timeout() >= now && sleep.timeout() - now >= nap;
}

bool works_under_a_plan() { return wanted && phase == Phase::scheduled && is_target(); }

}  // namespace

void before_action(Thread& me, const Action& action) {
    const bool waits_for_time = traits(action.operation).waits == Wait::time;
    const bool works = works_under_a_plan();
    if (waits_for_time) me.clock_reads = 0;
    if (waits_for_time && (!works || lasts_as_long_as_a_nap(me, action))) {
        me.work = 0;
    } else if (!works) {
        me.naps = me.clock_reads = 0;
    } else if (me.work++ >= most_actions) {
        me.work = 0;
        // What the shim has noted about the thread's next action does not concern the nap.
        const Misuse found = me.found;
        const std::uint64_t next_address = me.next_address;
        me.found = Misuse::none;
        me.next_address = 0;
        perform(nap_after(me.naps++, action.site));
        me.found = found;
        me.next_address = next_address;
    }
}

void before_clock_read(Thread& me) {
    const bool is_short = works_under_a_plan();
    ++me.progress;
    if (++me.clock_reads < (is_short ? 2 : most_readings)) return;
    const std::uint32_t before = me.naps;
    act(nap_after(before, canonical::site_of(call_site)));
    me.naps = before + 1;
    me.clock_reads = is_short ? 1 : 0;
}

void begin_stretch() {
    const std::uint64_t limit = shared()->settings.most_accesses;
    memory::most_accesses = limit != 0 ? limit : ~std::uint64_t{0};
    if (wanted && memory::accesses + most_accesses < memory::most_accesses)
        memory::most_accesses = memory::accesses + most_accesses;
}

bool after_accesses(Thread& me) {
    const std::uint64_t limit = shared()->settings.most_accesses;
    if (!works_under_a_plan() || (limit != 0 && memory::accesses > limit)) return false;
    const std::uint32_t before = me.naps;
    act_uncancelled(nap_after(before, 0));
    me.naps = before + 1;
    return true;
}

}  // namespace raddle::scheduler::naps
