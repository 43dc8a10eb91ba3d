#include "preload/hooks/files/descriptors.h"

#include <sys/stat.h>

#include "preload/hooks/files/callbacks.h"
#include "preload/hooks/files/external.h"
#include "preload/hooks/files/output.h"
#include "preload/hooks/time/timers.h"

namespace raddle::fds {

namespace {

// Constant zeros: nothing runs, and no page is touched, when the shim is loaded.
constinit Index by_number[most]{};  // description index
constinit Description descriptions[most]{};
constinit Queue queues[most]{};
constinit Pending pendings[most]{};
constinit Closed closed_numbers[most]{};
std::uint32_t made[2][most];  // queues made for this number so far, for each part

template <typename Record, typename IsFree>
Index find_free(Record (&records)[most], IsFree is_free) {
    for (std::uint32_t i = 1; i < most; ++i)
        if (is_free(records[i])) return static_cast<Index>(i);
    return 0;
}

Action on_queue(Operation operation, Index index) {
    Action action = of(operation);
    action.object = queues[index].object;
    return action;
}

void release(Index index) {
    if (index == 0 || queues[index].readers != 0 || queues[index].writers != 0) return;
    queues[index] = {};
    passing::dropped(index);
}

}  // namespace

Queue& queue(Index index) { return queues[index]; }
Pending& pending(Index index) { return pendings[index]; }

Index take_pending() {
    const Index index = find_free(pendings, [](const Pending& one) { return one.to_server == 0; });
    if (index != 0) pendings[index] = {};
    return index;
}
void give_back_pending(Index index) { pendings[index] = {}; }

Description* find(int fd) { return in_range(fd) && by_number[fd] != 0 ? &descriptions[by_number[fd]] : nullptr; }

Nature nature_of(int fd) {
    if (const Description* known = find(fd); known != nullptr && known->nature != Nature::unknown) return known->nature;
    struct stat status;
    if (raw::failed(raw::call(SYS_fstat, fd, &status))) return Nature::plain;  // the call itself reports the error
    // Standard output and standard error count as plain: their reader is no thread of the program.
    if (fd == 1 || fd == 2 || output::is_standard(status)) return Nature::plain;
    switch (status.st_mode & S_IFMT) {
        case S_IFIFO:
        case S_IFSOCK:
        case 0: return Nature::external;  // an anonymous inode, for example of a timer
        case S_IFCHR: {
            char settings[64];
            constexpr long get_settings = 0x5401;  // TCGETS: succeeds on terminals
            return raw::failed(raw::call(SYS_ioctl, fd, get_settings, settings)) ? Nature::plain : Nature::external;
        }
        default: return Nature::plain;
    }
}

namespace {
void refuse_so_many() {
    if (recorded())
        scheduler::end_with(channel::End::uncontrolled,
                            "the program has more descriptors at once than raddle can follow (16,383)");
}
}  // namespace

Description* adopt(int fd, Nature nature) {
    const Index index =
        in_range(fd) ? find_free(descriptions, [](const Description& one) { return one.numbers == 0; }) : Index{0};
    if (index == 0) {
        refuse_so_many();
        return nullptr;
    }
    forget(fd);
    closed_numbers[fd] = {};
    descriptions[index] = {};
    descriptions[index].nature = nature;
    descriptions[index].numbers = 1;
    by_number[fd] = index;
    return &descriptions[index];
}

// The kernel reuses a number while the other end of its old queue is still open. A count of the queues made for this
// number therefore becomes part of the queue's name.
Index new_queue(int fd, std::uint64_t part) {
    const Index index = find_free(queues, [](const Queue& one) { return !one.used; });
    if (index != 0 && in_range(fd))
        queues[index] = {named(fd, part + 2 * std::uint64_t{made[part][fd]++}), 1, 1, true, false};
    if (index == 0) refuse_so_many();
    return in_range(fd) ? index : 0;
}

void duplicate(int fd, int other) {
    if (!in_range(fd) || fd == other) return;
    forget(fd);
    closed_numbers[fd] = {};
    Description* description = find(other);
    if (description == nullptr) return;
    by_number[fd] = by_number[other];
    ++description->numbers;
}

int next_of(Nature nature, int fd) {
    for (; in_range(fd); ++fd)
        if (by_number[fd] != 0 && descriptions[by_number[fd]].nature == nature) return fd;
    return -1;
}

bool depends_on_external(int fd) {
    const Description* known = find(fd);
    if (known == nullptr) return nature_of(fd) == Nature::external;
    if (known->awaited_signals != 0 && signals::come_from_children(known->awaited_signals)) return true;
    if (known->watches_external || known->nature == Nature::external || known->nature == Nature::unknown) return true;
    return (known->in != 0 && queues[known->in].external) || (known->out != 0 && queues[known->out].external);
}

namespace {

Ends ends_of_description(const Description& description) {
    Ends ends;
    if (description.numbers != 1 || description.in == description.out) return ends;
    if (description.out != 0 && queues[description.out].writers == 1)
        ends.queue[ends.count++] = queues[description.out].object;
    if (description.in != 0 && queues[description.in].readers == 1)
        ends.queue[ends.count++] = queues[description.in].object;
    return ends;
}

void drop_reference(Description& description) {
    if (--description.numbers != 0) return;
    const Description before = description;
    description = {};
    if (before.in != 0) --queues[before.in].readers;
    if (before.out != 0) --queues[before.out].writers;
    release(before.in);
    if (before.out != before.in) release(before.out);
    for (Index next = before.first_pending; next != 0;) {
        const Index one = next;
        next = pendings[one].next;
        --queues[pendings[one].to_server].readers;
        --queues[pendings[one].to_client].writers;
        release(pendings[one].to_server);
        release(pendings[one].to_client);
        give_back_pending(one);
    }
}

}  // namespace

Ends ends_of(int fd) {
    const Description* description = find(fd);
    return description == nullptr ? Ends{} : ends_of_description(*description);
}

void forget(int fd) {
    Description* description = find(fd);
    if (description == nullptr) return;
    by_number[fd] = 0;
    drop_reference(*description);
}

Index hold(int fd) {
    Description* description = find(fd);
    if (description == nullptr) return 0;
    ++description->numbers;
    return by_number[fd];
}

void let_go(Index index) {
    const Ends ends = ends_of_description(descriptions[index]);
    drop_reference(descriptions[index]);
    for (int i = 0; i < ends.count && phase == Phase::scheduled; ++i) announce_closing(ends.queue[i]);
}

void lead(int fd, Index index) {
    if (!in_range(fd)) return;
    closed_numbers[fd] = {};
    by_number[fd] = index;
    ++descriptions[index].numbers;
}

void remember(int fd) {
    const Description* description = find(fd);
    if (description == nullptr) return;
    const long flags = raw::call(SYS_fcntl, fd, F_GETFL, 0L);
    closed_numbers[fd] = {*description, queues[description->in].object, queues[description->out].object,
                          !raw::failed(flags) && (flags & O_NONBLOCK) != 0};
}

const Closed* closed(int fd) {
    if (!in_range(fd) || by_number[fd] != 0) return nullptr;
    const Closed& one = closed_numbers[fd];
    return one.description.numbers != 0 ? &one : nullptr;
}

void use_number(int fd) {
    if (phase != Phase::scheduled) return;
    if (fd > 2) {
        Action action = of(Operation::descriptor_read);
        action.object = number(fd);
        action.flags |= flag::nonblocking;
        act(action);
    }
    output::announce(fd);
}

void announce_number(int fd) {
    if (in_range(fd)) closed_numbers[fd] = {};
    if (phase != Phase::scheduled) return;
    Action action = of(Operation::descriptor_open);
    action.object = number(fd);
    act(action);
}

void announce_table() {
    if (phase != Phase::scheduled) return;  // while there is one thread, the order is fixed
    Action action = of(Operation::descriptor_open);
    action.object = table();
    act_uncancelled(action);  // trampolines call this, too
}

namespace {
constexpr int addresses_number = 1 << 21;
}
void announce_look_at_addresses() {
    if (phase != Phase::scheduled) return;
    Action action = of(Operation::descriptor_read);
    action.object = named(addresses_number);
    action.flags |= flag::nonblocking;
    act(action);
}
void announce_change_of_addresses() {
    if (phase != Phase::scheduled) return;
    Action action = of(Operation::descriptor_open);
    action.object = named(addresses_number);
    act(action);
}

void announce_change() {
    if (phase != Phase::scheduled) return;
    Action action = of(Operation::descriptor_close);
    action.object = action.second = table();
    act(action);
}

void announce_queue(Index index, std::int64_t room, std::int64_t filled) {
    Action action = on_queue(Operation::descriptor_open, index);
    action.set_writable(room);
    action.set_readable(filled);
    act(action);
}

void announce_correction(Index index, std::int64_t room, std::int64_t filled) {
    if (room == 0 && filled == 0) return;
    Action action = on_queue(Operation::descriptor_open, index);
    action.attributes = attribute::descriptor::adjusts;
    action.set_writable(room);
    action.set_readable(filled);
    act(action);
}

void claim(Index index) {
    if (phase != Phase::scheduled) return;
    Action action = on_queue(Operation::descriptor_open, index);
    action.attributes = attribute::descriptor::adjusts;
    act(action);
}

void keep(Index index) {
    ++queues[index].readers;
    ++queues[index].writers;
}
void drop(Index index) {
    --queues[index].readers;
    --queues[index].writers;
    release(index);
}

void announce_capacity(Index index, std::int64_t more) {
    Action action = on_queue(Operation::descriptor_open, index);
    action.attributes = attribute::descriptor::adjusts | attribute::descriptor::whole;
    action.set_writable(more);
    act(action);
}

void announce_closing(const ObjectId& closed) {
    Action action = of(Operation::descriptor_close);
    action.object = closed;
    action.second = table();
    act(action);
}

namespace {
void announce_sharing(Index index, const ObjectId& object) {
    Action action = of(Operation::descriptor_open);
    action.object = object;
    action.attributes = attribute::descriptor::external;
    if (queues[index].object == object) queues[index].external = true;
    external::used = true;
    act(action);
}
}  // namespace

void share(Index index) {
    if (index != 0 && queues[index].used && !queues[index].external) announce_sharing(index, queues[index].object);
}

// Collects the queues of one pass before it announces any of them. Another thread may do the same meanwhile, and a
// thread's actions must not depend on changes that it has not seen.
void share_all() {
    constexpr std::uint32_t at_once = 128;
    announce_table();
    for (std::uint32_t next = 1; next < most;) {
        struct {
            Index index;
            ObjectId object;
        } found[at_once];
        std::uint32_t count = 0;
        for (; next < most && count < at_once; ++next)
            if (queues[next].used) found[count++] = {static_cast<Index>(next), queues[next].object};
        for (std::uint32_t i = 0; i < count; ++i) announce_sharing(found[i].index, found[i].object);
    }
}

channel::Obstacle obstacle_to_forking() {
    using channel::Obstacle;
    constexpr int looked_at = 1024;
    for (int fd = 3; fd < looked_at; ++fd) {
        const long flags = raw::call(SYS_fcntl, fd, F_GETFL, 0L);
        if (raw::failed(flags)) continue;
        struct stat status;
        raw::call(SYS_fstat, fd, &status);
        const bool is_file = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
        if (is_file && (flags & O_ACCMODE) != O_RDONLY) return Obstacle::open_for_writing;
        if (!is_file && (nature_of(fd) != Nature::plain || timers::is_descriptor(fd))) return Obstacle::open_external;
    }
    return Obstacle::none;
}

void start_over() {
    for (Queue& one : queues) one.external = one.used;
    external::used = true;
}

}  // namespace raddle::fds
