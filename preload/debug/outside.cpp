#include "preload/debug/outside.h"

#include <cstddef>

#include "preload/threads/thread.h"

namespace raddle::outside {

void show_threads(channel::Channel& channel) {
    channel::ThreadTable& table = channel.tables.threads;
    table.record_bytes = sizeof(Thread);
    table.count = thread_table::count;
    table.id_offset = offsetof(Thread, id);
    table.control_block_offset = offsetof(Thread, context) + offsetof(backend::ThreadContext, self);
    table.stack_pointer_offset = offsetof(Thread, context) + offsetof(backend::ThreadContext, stack_pointer);
    table.known_offset = offsetof(Thread, known);
    table.ended_offset = offsetof(Thread, ended);
    table.records = reinterpret_cast<std::uint64_t>(&thread_table::at(0));
}

}  // namespace raddle::outside
