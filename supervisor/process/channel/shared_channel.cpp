#include "supervisor/process/channel/shared_channel.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "supervisor/process/channel/focus.h"

namespace raddle {

namespace {

using channel::Channel;

constexpr std::size_t least_released = 1u << 16;

std::size_t bytes_of(SharedChannel::Areas areas) {
    using Areas = SharedChannel::Areas;
    const std::size_t with_stacks = sizeof(Channel) + sizeof(channel::StackArea);
    if (areas == Areas::none) return sizeof(Channel);
    return areas == Areas::stacks ? with_stacks : with_stacks + sizeof(channel::DebuggerArea);
}

}  // namespace

SharedChannel::SharedChannel(Areas areas) : bytes_(bytes_of(areas)) {
    file_ = ::memfd_create("raddle", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(bytes_)) != 0 ||
        ::fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        throw BadInput("cannot make shared memory: " + std::string(std::strerror(errno)));
    void* place = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
    if (place == MAP_FAILED) throw BadInput("cannot map shared memory: " + std::string(std::strerror(errno)));
    channel_ = static_cast<Channel*>(place);
    if (areas != Areas::none) stacks_ = reinterpret_cast<channel::StackArea*>(channel_ + 1);
    if (areas == Areas::stacks_and_debugger) debugger_ = reinterpret_cast<channel::DebuggerArea*>(stacks_ + 1);
}

SharedChannel::~SharedChannel() {
    ::munmap(channel_, bytes_);
    ::close(file_);
}

void SharedChannel::prepare(const ProcessOptions& options, const Circumstances& now) {
    Channel& channel = *channel_;
    channel.magic = channel::magic;
    channel.bytes = sizeof(Channel);
    channel.settings = {};
    channel.settings.fork_at = now.fork_at;
    channel.obstacle = 0;
    channel.settings.independence = static_cast<std::uint8_t>(options.machine.independence);
    channel.settings.spurious_wakeups = options.machine.spurious_wakeups ? 1 : 0;
    channel.settings.patience = options.machine.patience;
    channel.settings.max_threads = options.machine.max_threads;
    channel.settings.take_stacks = stacks_ != nullptr ? 1 : 0;
    channel.settings.in_debugger = debugger_ != nullptr ? 1 : 0;
    channel.settings.cpus = options.cpus;
    channel.settings.supervisor_pid = static_cast<std::uint32_t>(::getpid());
    channel.settings.kernel_threads = options.threads == Threads::kernel ? 1 : 0;
    channel.settings.orders_output =
        (options.orders_stdout ? 1u : 0u) | (options.orders_stderr ? 2u : 0u) | (options.orders_files ? 4u : 0u);
    channel.settings.follow_forks = options.follow_forks ? 1 : 0;
    channel.settings.check_signals = now.check_signals ? 1 : 0;
    channel.settings.restore = options.restore;
    channel.settings.most_accesses = options.most_accesses;
    channel.settings.count_unwatched = options.count_unwatched ? 1 : 0;
    channel.settings.naps = options.naps ? 1 : 0;
    channel.settings.note_calls = options.note_calls ? 1 : 0;
    channel.settings.bound_now = now.bind_now ? 1 : 0;
    channel.settings.has_focus = options.focus ? 1 : 0;
    if (options.focus) options.focus->write(channel.focus);
    channel.settings.external_clients = now.external_clients ? 1 : 0;
    channel.settings.preloads = now.has_stand_in ? 2 : 1;
    channel.settings.channel_file = file_;
    channel.stage = static_cast<std::uint32_t>(channel::Stage::launched);
    channel.request = channel.reply = channel.taken = channel.executor = channel.keeper = 0;
    channel.restarts = {};
    channel.tables = {};
    channel.module_count = 0;
    channel.replaced = 0;
    channel.process = channel.parent = 0;
    channel.replacement[0] = 0;
    channel.result = {};
    channel.held = 0;
    channel.call_notes_taken = 0;
    if (stacks_ == nullptr) return;
    stacks_->snapshots_taken = stacks_->notes_taken = 0;
    stacks_->crashed = 0;
}

void SharedChannel::write(const Plan& plan, std::uint64_t most_steps, std::uint32_t shared_steps) {
    Channel& channel = *channel_;
    channel.plan.prefix_length = static_cast<std::uint32_t>(plan.prefix.size());
    channel.plan.sleeping_count = static_cast<std::uint32_t>(plan.sleeping.size());
    channel.plan.weight_count = static_cast<std::uint32_t>(plan.weights.size());
    channel.plan.shared = shared_steps;
    channel.restarts.began_after = 0;
    channel.plan.tail = plan.tail;
    channel.plan.max_steps = plan.max_steps != 0 ? plan.max_steps : most_steps;
    std::copy(plan.prefix.begin(), plan.prefix.end(), channel.prefix);
    std::copy(plan.sleeping.begin(), plan.sleeping.end(), channel.sleeping);
    std::copy(plan.weights.begin(), plan.weights.end(), channel.weights);
}

void SharedChannel::release_events(std::size_t from, std::size_t to) {
    constexpr std::uintptr_t page = 4096;
    if (to - from < least_released) return;
    auto* const begin = reinterpret_cast<char*>(channel_->events + from);
    const std::size_t to_page = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
    const std::size_t bytes = (to - from) * sizeof *channel_->events - to_page;
    ::madvise(begin + to_page, bytes / page * page, MADV_DONTNEED);
}

}  // namespace raddle
