#include "supervisor/process/launch/capture.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace raddle {

Capture::Capture(Output policy, int inherited, std::size_t limit) : limit_(limit) {
    switch (policy) {
        case Output::inherit: descriptor_ = inherited; return;
        case Output::discard:
            descriptor_ = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
            owned_ = true;
            return;
        case Output::capture: {
            std::array<int, 2> ends{};
            if (::pipe2(ends.data(), O_CLOEXEC) != 0)
                throw BadInput("cannot make a pipe for the output of the program: too many open files?");
            read_end_ = ends[0];
            descriptor_ = ends[1];
            owned_ = true;
            ::fcntl(read_end_, F_SETFL, O_NONBLOCK);
            constexpr int wanted_room = 1 << 20;  // a target with much output waits less often
            ::fcntl(descriptor_, F_SETPIPE_SZ, wanted_room);
        }
    }
}

Capture::~Capture() {
    if (owned_) ::close(descriptor_);
    if (read_end_ >= 0) ::close(read_end_);
}

int Capture::descriptor() const { return descriptor_; }

void Capture::begin() { text_.clear(); }

bool Capture::drain() {
    if (read_end_ < 0) return false;
    std::array<char, 65536> buffer;
    bool any = false;
    for (;;) {
        const ssize_t count = ::read(read_end_, buffer.data(), buffer.size());
        if (count <= 0) return any;
        any = true;
        const std::size_t room = limit_ - std::min(limit_, text_.size());
        text_.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
        // Less than asked for: the pipe was empty at that moment.
        if (static_cast<std::size_t>(count) < buffer.size()) return true;
    }
}

const std::string& Capture::end() {
    drain();
    return text_;
}

}  // namespace raddle
