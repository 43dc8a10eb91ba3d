// The destination of a target's output: nothing, our own output, or memory. For memory a thread empties a pipe, so a
// target that writes without end neither blocks nor fills memory.
#pragma once

#include <memory>
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
    const std::string& end();  // the text since begin(), complete up to the end of the target

private:
    struct Pipe;
    int descriptor_ = -1;
    bool owned_ = false;
    std::unique_ptr<Pipe> pipe_;
    std::string text_;
};

}  // namespace raddle
