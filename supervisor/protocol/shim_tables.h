// Where the shim keeps its tables of threads and of copied code, for a supervisor that looks at the process from
// outside and can ask nobody inside (supervisor/process/outside). The shim fills this in when it takes control. A
// supervisor trusts neither these numbers nor what lies there.
#pragma once

#include <cstdint>

namespace raddle::channel {

// The threads of the program: an array of records. `offsets` are places in a record.
struct ThreadTable {
    std::uint64_t records;  // an address; 0: unknown
    std::uint32_t record_bytes, count;
    std::uint32_t id_offset, control_block_offset, stack_pointer_offset, known_offset, ended_offset;
    std::uint32_t reserved;
};

// The copies of functions (preload/memory/copies/area.h).
struct CopyTable {
    std::uint64_t areas;         // the address of an array; 0: unknown
    std::uint64_t area_count;    // the address of a 32-bit number
    std::uint64_t header;        // the address of the description (patches.h)
    std::uint64_t rows, states;  // the addresses of the two arrays
    std::uint32_t area_bytes, begin_offset, end_offset, module_offset, base_offset;
    std::uint32_t row_bytes, place_offset;
    std::uint32_t reserved;
};

struct ShimTables {
    ThreadTable threads;
    CopyTable copies;
};

}  // namespace raddle::channel
