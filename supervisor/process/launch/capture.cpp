#include "supervisor/process/launch/capture.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace raddle {

struct Capture::Pipe {
    int read_end = -1, write_end = -1, wake = -1;
    std::size_t limit;
    std::mutex mutex;
    std::condition_variable emptied;
    std::string text;
    bool ending = false;
    bool asked = false;  // end() waits until the pipe is empty
    std::thread reader;

    explicit Pipe(std::size_t most) : limit(most) {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0 || (wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) < 0)
            throw BadInput("cannot make a pipe for the output of the program: too many open files?");
        read_end = ends[0];
        write_end = ends[1];
        ::fcntl(read_end, F_SETFL, O_NONBLOCK);
        reader = std::thread([this] { read_on(); });
    }
    ~Pipe() {
        {
            const std::lock_guard lock(mutex);
            ending = true;
        }
        nudge();
        reader.join();
        for (const int fd : {read_end, write_end, wake}) ::close(fd);
    }

    void nudge() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = ::write(wake, &one, sizeof one);
    }

    void read_on() {
        std::array<char, 65536> buffer;
        for (;;) {
            std::array<pollfd, 2> waited{{{read_end, POLLIN, 0}, {wake, POLLIN, 0}}};
            ::poll(waited.data(), waited.size(), -1);
            std::uint64_t ignored;
            [[maybe_unused]] const ssize_t woken = ::read(wake, &ignored, sizeof ignored);
            const ssize_t count = ::read(read_end, buffer.data(), buffer.size());
            const std::lock_guard lock(mutex);
            if (count > 0) {
                const std::size_t room = limit - std::min(limit, text.size());
                text.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
                if (asked || ending) nudge();  // the loop above may have read this request
                continue;
            }
            if (asked) {
                asked = false;
                emptied.notify_all();
            }
            if (ending) return;
        }
    }
};

Capture::Capture(Output policy, int inherited, std::size_t limit) {
    switch (policy) {
        case Output::inherit: descriptor_ = inherited; return;
        case Output::discard:
            descriptor_ = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
            owned_ = true;
            return;
        case Output::capture:
            pipe_ = std::make_unique<Pipe>(limit);
            descriptor_ = pipe_->write_end;
            return;
    }
}

Capture::~Capture() {
    if (owned_) ::close(descriptor_);
}

int Capture::descriptor() const { return descriptor_; }

void Capture::begin() {
    text_.clear();
    if (!pipe_) return;
    const std::lock_guard lock(pipe_->mutex);
    pipe_->text.clear();
}

const std::string& Capture::end() {
    if (pipe_) {
        std::unique_lock lock(pipe_->mutex);
        pipe_->asked = true;
        pipe_->nudge();
        pipe_->emptied.wait(lock, [&] { return !pipe_->asked; });
        text_ = pipe_->text;
    }
    return text_;
}

}  // namespace raddle
