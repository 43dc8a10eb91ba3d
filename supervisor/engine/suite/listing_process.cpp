#include "supervisor/engine/suite/listing_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "supervisor/base/error.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

using std::chrono::steady_clock;

constexpr std::size_t most_bytes = 16 << 20;

[[noreturn]] void become(const std::vector<std::string>& words, const std::string& directory,
                         const std::optional<std::vector<std::string>>& environment, int out, int errors) {
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ}) ::signal(signal, SIG_DFL);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, 0);
    ::dup2(out, 1);
    ::dup2(errors, 2);
    std::vector<char*> arguments, variables;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    if (environment) {
        for (const std::string& one : *environment) variables.push_back(const_cast<char*>(one.c_str()));
        variables.push_back(nullptr);
    }
    if (directory.empty() || ::chdir(directory.c_str()) == 0)
        ::execvpe(arguments[0], arguments.data(), environment ? variables.data() : environ);
    ::_exit(127);
}

// True until the end of the stream.
bool read_more(int descriptor, std::string& text) {
    std::array<char, 65536> part;
    const ssize_t size = ::read(descriptor, part.data(), part.size());
    if (size < 0) return errno == EINTR || errno == EAGAIN;
    if (text.size() < most_bytes) text.append(part.data(), static_cast<std::size_t>(size));
    return size > 0;
}

// Reads both streams until they end. False if the limit came first.
bool drain(std::array<pollfd, 2>& ends, ListingOutput& output, steady_clock::time_point deadline) {
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_clock::now());
        if (left.count() <= 0) return false;
        if (::poll(ends.data(), ends.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) return false;
        if (ends[0].revents != 0 && !read_more(ends[0].fd, output.out)) ends[0].fd = -1;
        if (ends[1].revents != 0 && !read_more(ends[1].fd, output.errors)) ends[1].fd = -1;
    }
    return true;
}

}  // namespace

ListingOutput output_of(const std::vector<std::string>& words, const std::string& directory,
                        const std::optional<std::vector<std::string>>& environment, std::chrono::milliseconds limit) {
    int out[2], errors[2];
    if (::pipe2(out, O_CLOEXEC) != 0) throw BadInput("no pipe to be had: " + std::string(std::strerror(errno)));
    if (::pipe2(errors, O_CLOEXEC) != 0) {
        for (const int end : out) ::close(end);
        throw BadInput("no pipe to be had: " + std::string(std::strerror(errno)));
    }
    const pid_t child = ::fork();
    if (child == 0) become(words, directory, environment, out[1], errors[1]);
    const int why_not = errno;
    ::close(out[1]);
    ::close(errors[1]);
    ListingOutput output;
    std::array<pollfd, 2> ends = {pollfd{out[0], POLLIN, 0}, pollfd{errors[0], POLLIN, 0}};
    if (child > 0) {
        output.ended = drain(ends, output, steady_clock::now() + limit);
        if (!output.ended) ::kill(-child, SIGKILL);
        while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
    }
    ::close(out[0]);
    ::close(errors[0]);
    if (child < 0) throw BadInput(shell_line(words) + ": no process to be had: " + std::strerror(why_not));
    return output;
}

}  // namespace raddle
