// Runs raddle on compiled programs and compares its outcomes with those of the interpreter.
#pragma once

#include <string>
#include <vector>

#include "tests/command_line.h"
#include "tests/differential/enumeration.h"

namespace raddle::differential {

// A way to run raddle.
struct Way {
    std::string name;
    std::vector<std::string> options;
    int bound = -1;  // -1: none; else only outcomes with at most so many preemptions are expected
    Level level = Level::accesses;
};
const std::vector<Way>& ways_to_run();

// Programs in one executable.
class Executable {
public:
    explicit Executable(const std::vector<Program>& programs);
    const std::string& path() const { return path_; }

private:
    testing::PrivateDirectory directory_;
    std::string path_;
};

// Empty if raddle finds exactly the outcomes of the program, and claims what is true; otherwise a line about the kind
// of the difference, and both sets.
std::string difference(const Outcomes& outcomes, const Executable& executable, std::size_t index, const Way& way);

// The smallest program that can be made from this one by leaving out statements, and still shows a difference of the
// kind that `text` says.
Program shrunk(Program program, const Way& way, const std::string& text);

}  // namespace raddle::differential
