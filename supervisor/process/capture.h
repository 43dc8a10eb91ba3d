// Where a target's output goes: nowhere, to ours, or into memory, by a pipe that a thread of its own empties, so that
// a target that writes without end neither blocks nor fills anything.
#pragma once

#include <memory>
#include <string>

#include "supervisor/process/process_target.h"

namespace raddle {

class Capture {
public:
    Capture(Output policy, int inherited, std::size_t limit);
    ~Capture();
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    int descriptor() const;      // for the target
    void begin();                // forgets what was captured
    const std::string& end();    // what was captured since; all that the target wrote before it ended is in it

private:
    struct Pipe;
    int descriptor_ = -1;
    bool owned_ = false;
    std::unique_ptr<Pipe> pipe_;
    std::string text_;
};

}  // namespace raddle
