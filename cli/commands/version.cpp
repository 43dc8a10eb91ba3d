// raddle version
#include <iostream>

#include "cli/commands/commands.h"
#include "supervisor/engine/about.h"
#include "supervisor/engine/version.h"
#include "supervisor/search/symbolic/order_solver.h"

namespace raddle::cli {

const std::vector<Example> version_examples = {
    {"raddle version", "one line, as raddle --version"},
    {"raddle version --verbose", "for a report of a fault: files, libraries, compiler, system"},
};

int run_version(const Arguments& arguments) {
    std::cout << "raddle " << version << (order_solver_name().empty() ? ", built without Z3" : "") << "\n";
    if (!arguments.given("verbose")) return exit_ok;
    for (const auto& [name, value] : about_this_raddle())
        std::cout << name << std::string(14 - name.size(), ' ') << value << "\n";
    return exit_ok;
}

}  // namespace raddle::cli
