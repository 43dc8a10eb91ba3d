// Where a bug is, said by functions instead of offsets: "mutex_lock prog!transfer" of "mutex_lock prog+0x11f7", which
// holds for other builds of the program as well.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "replay/schedule_file.h"
#include "supervisor/process/symbols.h"

namespace raddle::cli {

class PlaceNames {
public:
    // Files that are not those recorded any more name nothing.
    explicit PlaceNames(const std::vector<ProgramFile>& files) : files_(files) {}

    // What has no name stays as it is.
    std::string with_functions(const std::string& place);

private:
    std::string function_at(const std::string& module, std::uint64_t offset);

    const std::vector<ProgramFile> files_;
    std::map<std::string, std::unique_ptr<Symbols>> symbols_;  // null: there are none
};

}  // namespace raddle::cli
