#include "supervisor/process/launch/origin.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "supervisor/process/launch/guardian.h"
#include "supervisor/protocol/origin.h"

namespace raddle {

namespace {

using origin::Descriptor;
using std::chrono::milliseconds;

// A program that never asks for requests is not under the shim's control.
constexpr milliseconds longest_start{60000};

bool can_switch_off_randomisation() {
    bool can = false;
    // The setting belongs to the thread.
    std::thread([&] { can = switch_off_address_randomisation(); }).join();
    return can;
}

class Origin {
public:
    // Throws CannotRun.
    Origin(const ProcessOptions& options, Launch how) {
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return;
        const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        how.is_origin = true;
        how.channel = ends[1];
        how.code = -1;
        how.input = nothing;
        if (how.output >= 0) how.output = nothing;
        if (how.errors >= 0) how.errors = nothing;
        // The kernel ends a process together with the thread that launched it, so this thread never ends.
        const auto launched = std::make_shared<std::promise<pid_t>>();
        std::thread([launched, options, how] {
            sigset_t all;
            ::sigfillset(&all);
            ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
            try {
                launched->set_value(execute(options, how).process);
            } catch (...) {
                launched->set_exception(std::current_exception());
                return;
            }
            for (;;) ::pause();
        }).detach();
        socket_ = ends[0];
        try {
            process_ = launched->get_future().get();
        } catch (...) {
            close_all(ends[1], nothing);
            throw;
        }
        close_all(ends[1], nothing);
    }
    ~Origin() {
        if (socket_ >= 0) ::close(socket_);
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
        guardian::forget(process_);
    }
    Origin(const Origin&) = delete;
    Origin& operator=(const Origin&) = delete;

    // Nothing if the origin is gone, or never came to serve.
    std::optional<pid_t> fork_process(const ProcessOptions& options, const Launch& how) const {
        if (!send(options, how)) return std::nullopt;
        pollfd one{socket_, POLLIN, 0};
        int ready = 0;
        do ready = ::poll(&one, 1, static_cast<int>(longest_start.count()));
        while (ready < 0 && errno == EINTR);
        origin::Reply reply = -1;
        if (ready != 1 || ::recv(socket_, &reply, sizeof reply, 0) != sizeof reply || reply <= 0) return std::nullopt;
        return static_cast<pid_t>(reply);
    }

private:
    static void close_all(int one, int other) {
        ::close(one);
        if (other >= 0) ::close(other);
    }

    bool send(const ProcessOptions& options, const Launch& how) const {
        origin::Request request{};
        request.channel_as = channel_in_target();
        request.code_as = request.channel_as - 1;
        if (options.directory.size() >= sizeof request.directory) return false;
        std::memcpy(request.directory, options.directory.c_str(), options.directory.size() + 1);
        int numbers[origin::descriptors];
        std::size_t count = 0;
        const auto add = [&](Descriptor descriptor, int number) {
            if (number < 0) return;
            request.descriptors |= 1u << static_cast<std::uint32_t>(descriptor);
            numbers[count++] = number;
        };
        add(Descriptor::input, how.input);
        add(Descriptor::output, how.output);
        add(Descriptor::errors, how.errors);
        add(Descriptor::guardian, guardian::descriptor());
        add(Descriptor::channel, how.channel);
        add(Descriptor::code, how.code);
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof numbers)] = {};
        iovec piece{&request, sizeof request};
        msghdr message{};
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        std::memcpy(CMSG_DATA(header), numbers, count * sizeof(int));
        return ::sendmsg(socket_, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof request);
    }

    int socket_ = -1;
    pid_t process_ = 0;
};

// The origins of this process of raddle. They live as long as it does.
class Origins {
public:
    std::optional<Launched> fork_process(const ProcessOptions& options, const Launch& how) {
        const std::lock_guard held(lock_);
        std::unique_ptr<Origin>& origin = all_[key_of(options, how)];
        if (!origin) {
            origin = std::make_unique<Origin>(options, how);
            ++started_;
        }
        if (const auto process = origin->fork_process(options, how))
            return Launched{*process, started_ == 1 ? Addresses::of_this_run : Addresses::of_each_launch};
        origin.reset();
        return std::nullopt;
    }

private:
    // Everything that the kernel and the loader see of a process at its start.
    static std::string key_of(const ProcessOptions& options, Launch how) {
        how.is_origin = true;
        std::string key = how.path;
        const auto add = [&](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) key += '\0' + text;
            key += '\0';
        };
        add(options.argv);
        add(environment_in_target(options, how));
        return key;
    }

    std::mutex lock_;
    std::map<std::string, std::unique_ptr<Origin>> all_;
    unsigned started_ = 0;
};

}  // namespace

Launched launch(const ProcessOptions& options, const Launch& how) {
    static const bool is_needed = !can_switch_off_randomisation();
    if (!is_needed) return execute(options, how);
    static auto& origins = *new Origins;  // never destroyed: threads of it run until the end
    if (const auto forked = origins.fork_process(options, how)) return *forked;
    return execute(options, how);
}

}  // namespace raddle
