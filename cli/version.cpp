// raddle version
#include <iostream>

#include "cli/commands.h"

namespace raddle::cli {

const char* const version = "0.1.0";

const std::vector<Example> version_examples = {
    {"raddle version", "one line, as raddle --version"},
};

int run_version(const Arguments&) {
    std::cout << "raddle " << version << "\n";
    return exit_ok;
}

}  // namespace raddle::cli
