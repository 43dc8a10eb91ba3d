// The destination of a target's output: nothing, our own output, or memory. For memory the supervisor empties a pipe
// while it waits for the target and once at the end, so a target that writes without end neither blocks for ever nor
// fills memory. An execution that writes nothing costs one system call.
#pragma once

#include <string>

#include "supervisor/process/launch/process_options.h"

namespace raddle {

class Capture {
public:
    Capture(Output policy, int inherited, std::size_t limit);
    ~Capture();
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    int descriptor() const;    // for the target
    void begin();              // forgets the captured text
    bool drain();              // false: nothing had been written since
    const std::string& end();  // the text since begin(), complete up to the end of the target

private:
    const std::size_t limit_;
    int descriptor_ = -1, read_end_ = -1;
    bool owned_ = false;
    std::string text_;
};

}  // namespace raddle
