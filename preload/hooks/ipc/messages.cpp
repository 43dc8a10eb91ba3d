// System V messages (objects.h).
#include <sys/msg.h>

#include <climits>
#include <cstring>

#include "preload/hooks/ipc/objects.h"
#include "preload/hooks/threads/identity.h"
#include "preload/intercept/real.h"

namespace raddle {

namespace {

using Number = std::uint32_t;  // of a message or a block; 0: none

// The bytes of a message stand in a chain of blocks.
struct Block {
    Number next;
    char bytes[124];
};
struct Message {
    bool used;
    long type;
    std::size_t size;
    Number first_block, next;
};

constexpr Number most_blocks = 1u << 14, most_messages = 1u << 13;
constexpr std::size_t longest = 8192, usual_room = 16384;  // msgmax and msgmnb, as Linux has them at first

struct List {
    system_v::Head head;
    Number first;
    std::size_t count, bytes, room;
    std::int64_t sent_at, received_at;
    std::int32_t sender, receiver;
};

List lists[system_v::most_objects];
Message messages[most_messages];
Block blocks[most_blocks];
Number free_blocks = 0, never_used = 1;

ObjectId state_of(int id) { return state::object(state::messages, static_cast<std::uint64_t>(id)); }

[[noreturn]] void refuse_so_many() {
    scheduler::end_with(channel::End::uncontrolled,
                        "the program has more System V messages at once than raddle can keep (8,191, 2 MiB)");
}

Number take_block() {
    if (free_blocks != 0) {
        const Number taken = free_blocks;
        free_blocks = blocks[taken].next;
        return taken;
    }
    if (never_used == most_blocks) refuse_so_many();
    return never_used++;
}

Number take_message() {
    for (Number number = 1; number < most_messages; ++number)
        if (!messages[number].used) return number;
    refuse_so_many();
}

void store(Message& message, const char* bytes) {
    Number* link = &message.first_block;
    for (std::size_t done = 0; done < message.size; done += sizeof(Block::bytes)) {
        const std::size_t rest = message.size - done;
        *link = take_block();
        Block& block = blocks[*link];
        block.next = 0;
        std::memcpy(block.bytes, bytes + done, rest < sizeof block.bytes ? rest : sizeof block.bytes);
        link = &block.next;
    }
}

void load(const Message& message, char* bytes, std::size_t wanted) {
    Number number = message.first_block;
    for (std::size_t done = 0; done < wanted; done += sizeof(Block::bytes), number = blocks[number].next) {
        const std::size_t rest = wanted - done;
        std::memcpy(bytes + done, blocks[number].bytes, rest < sizeof(Block::bytes) ? rest : sizeof(Block::bytes));
    }
}

void drop(Number number) {
    for (Number block = messages[number].first_block; block != 0;) {
        const Number next = blocks[block].next;
        blocks[block].next = free_blocks;
        free_blocks = block;
        block = next;
    }
    messages[number] = {};
}

// The link to the message that msgrcv would take; a link to no message if there is none.
Number* find(List& list, long type, int flags) {
    Number* found = nullptr;
    for (Number* link = &list.first;; link = &messages[*link].next) {
        if (*link == 0) return found != nullptr ? found : link;
        const long here = messages[*link].type;
        const bool is_any = type == 0, is_except = (flags & MSG_EXCEPT) != 0;
        if (is_any || (type > 0 && (here == type) != is_except)) return link;
        const bool is_low = type < 0 && (type == LONG_MIN || here <= -type);
        if (is_low && (found == nullptr || here < messages[*found].type)) found = link;
    }
}

List* entered(int id, const ObjectId& state) {
    if (recorded()) {
        Action action = of(Operation::state_enter);
        action.object = state;
        act(point(action));
    }
    List* list = system_v::with_id(lists, id);
    if (list != nullptr) system_v::check(list->head);
    return list;
}

// Calls `attempt` until it returns something else than -EAGAIN, and waits in between.
template <typename Attempt>
long repeat(int id, bool waits, Attempt attempt) {
    const ObjectId state = state_of(id);
    bool was_there = false;
    state::Waited waited = state::Waited::changed;
    for (;;) {
        List* list = entered(id, state);
        if (list == nullptr) return was_there ? -EIDRM : -EINVAL;
        was_there = true;
        const long result = attempt(*list, state);
        if (result != -EAGAIN || !waits || !recorded()) return result;
        if (waited == state::Waited::interrupted) return -EINTR;
        waited = state::wait(state, {}, true);
    }
}

long send_message(int id, const void* message, std::size_t size, int flags) {
    long type = 0;
    std::memcpy(&type, message, sizeof type);
    if (size > longest || type < 1 || id < 0) return -EINVAL;
    return repeat(id, (flags & IPC_NOWAIT) == 0, [&](List& list, const ObjectId& state) -> long {
        if (list.bytes + size > list.room || list.count + 1 > list.room) return -EAGAIN;
        Number* last = &list.first;
        while (*last != 0) last = &messages[*last].next;
        const Number made = take_message();
        messages[made] = {true, type, size, 0, 0};
        store(messages[made], static_cast<const char*>(message) + sizeof type);
        *last = made;
        ++list.count;
        list.bytes += size;
        list.sent_at = system_v::now();
        list.sender = hooks::getpid();
        state::changed(state);
        return 0;
    });
}

long receive_message(int id, void* message, std::size_t size, long type, int flags) {
    if (id < 0 || static_cast<long>(size) < 0) return -EINVAL;
    const long result = repeat(id, (flags & IPC_NOWAIT) == 0, [&](List& list, const ObjectId& state) -> long {
        Number* link = find(list, type, flags);
        const Number found = *link;
        if (found == 0) return -EAGAIN;
        Message& taken = messages[found];
        if (taken.size > size && (flags & MSG_NOERROR) == 0) return -E2BIG;
        const std::size_t moved = taken.size < size ? taken.size : size;
        std::memcpy(message, &taken.type, sizeof taken.type);
        load(taken, static_cast<char*>(message) + sizeof taken.type, moved);
        *link = taken.next;
        --list.count;
        list.bytes -= taken.size;
        list.received_at = system_v::now();
        list.receiver = hooks::getpid();
        drop(found);
        state::changed(state);
        return static_cast<long>(moved);
    });
    return result == -EAGAIN ? -ENOMSG : result;
}

void tell(const List& list, msqid_ds& told) {
    std::memset(&told, 0, sizeof told);
    system_v::tell(list.head, told.msg_perm);
    told.msg_stime = list.sent_at;
    told.msg_rtime = list.received_at;
    told.msg_ctime = list.head.changed_at;
    told.__msg_cbytes = list.bytes;
    told.msg_qnum = list.count;
    told.msg_qbytes = list.room;
    told.msg_lspid = list.sender;
    told.msg_lrpid = list.receiver;
}

long control(int id, int command, msqid_ds* argument) {
    if (command == IPC_INFO || command == MSG_INFO) return raw::call(SYS_msgctl, id, command, argument);
    const ObjectId state = state_of(id);
    if (command == IPC_RMID) system_v::enter_numbers();
    state::enter(state);
    List* list = system_v::with_id(lists, id);
    if (list == nullptr) return -EINVAL;
    system_v::check(list->head);
    switch (command) {
        case IPC_STAT: tell(*list, *argument); return 0;
        case IPC_SET:
            list->head.mode = argument->msg_perm.mode & 0777;
            list->head.changed_at = system_v::now();
            list->room = argument->msg_qbytes;
            state::changed(state);
            return 0;
        case IPC_RMID:
            for (Number number = list->first; number != 0;) {
                const Number next = messages[number].next;
                drop(number);
                number = next;
            }
            list->head.used = false;
            state::changed(state);
            return 0;
        default: return -EINVAL;
    }
}

}  // namespace

namespace hooks {

int msgget(key_t key, int flags) {
    const long id = system_v::get(
        lists, SYS_msgget, key, flags,
        [](List& list) {
            list.room = usual_room;
            return 0;
        },
        [](const List&) { return 0; });
    return static_cast<int>(from_kernel(id));
}
int msgsnd(int id, const void* message, size_t size, int flags) {
    return static_cast<int>(from_kernel(send_message(id, message, size, flags)));
}
ssize_t msgrcv(int id, void* message, size_t size, long type, int flags) {
    return from_kernel(receive_message(id, message, size, type, flags));
}
int msgctl(int id, int command, msqid_ds* argument) {
    return static_cast<int>(from_kernel(control(id, command, argument)));
}

}  // namespace hooks

}  // namespace raddle
