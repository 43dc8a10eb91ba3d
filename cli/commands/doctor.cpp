// raddle doctor: prints whether raddle controls a program.
#include "supervisor/engine/doctor.h"

#include <iostream>

#include "cli/commands/commands.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

const std::vector<Example> doctor_examples = {
    {"raddle doctor -- ./prog --size 3", "look at ./prog, and run it once as ./prog --size 3"},
    {"raddle doctor --no-run -- ./prog", "look only"},
};

int run_doctor(const Arguments& arguments) {
    const Diagnosis diagnosis = diagnose(arguments, !arguments.given("no-run"));
    std::cout << (diagnosis.controllable ? "controllable: " : "not controllable: ") << diagnosis.executable << "\n";
    for (const std::string& line : diagnosis.lines) std::cout << "  " << printable(line) << "\n";
    return diagnosis.controllable ? exit_ok : exit_uncontrollable;
}

}  // namespace raddle::cli
