// The files that a stopped process has mapped as code, as the kernel lists them. Their headers are read from the
// process's memory, with bounds: no file is opened here.
#pragma once

#include <vector>

#include "supervisor/binary/debuginfo/frame_walk.h"
#include "supervisor/process/outside/stopped_process.h"
#include "supervisor/trace/modules.h"

namespace raddle {

struct MappedFiles {
    Modules modules;               // with the load address, from which addresses in the file count
    std::vector<MappedCode> code;  // of the same files, in the same order
};

MappedFiles mapped_files_of(const StoppedProcess& process);

}  // namespace raddle
