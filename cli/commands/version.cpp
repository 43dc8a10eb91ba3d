// raddle version
#include <iostream>

#include "cli/commands/commands.h"
#include "supervisor/engine/version.h"

namespace raddle::cli {

const std::vector<Example> version_examples = {
    {"raddle version", "one line, as raddle --version"},
};

int run_version(const Arguments&) {
    std::cout << "raddle " << version << "\n";
    return exit_ok;
}

}  // namespace raddle::cli
