// POSIX asynchronous input and output. As in glibc, a thread for each descriptor with requests carries them out one
// after the other, and ends after the last one. The search decides when.
#include <aio.h>

#include <cstring>

#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/ipc/state.h"
#include "preload/hooks/signals/notification.h"
#include "preload/hooks/signals/signals.h"
#include "preload/intercept/callbacks.h"
#include "preload/intercept/real.h"
#include "preload/memory/calls/effects.h"

namespace raddle {

namespace {

enum class What : std::uint8_t { reads, writes, syncs, syncs_data };

// The requests of one lio_listio call.
struct Group {
    bool used;
    std::uint32_t open;  // requests that are not finished
    sigevent event;
};

struct Request {
    bool used, started;
    What what;
    int fd, priority;
    std::uint64_t number;  // in the order of arrival
    aiocb* control;
    Group* group;
    void* site;  // the program's call
};

struct Worker {
    bool used;
    int fd;
};

constexpr int most = 1024;
constexpr int least_priority = 20;  // AIO_PRIO_DELTA_MAX
Request requests[most];
Group groups[128];
Worker workers[256];
std::uint64_t arrivals = 0;

ObjectId all_requests() { return state::object(state::asynchronous, 0); }

void finish(aiocb& control, long result) {
    control.__return_value = raw::failed(result) ? -1 : result;
    control.__error_code = raw::failed(result) ? static_cast<int>(-result) : 0;
}

// ---- carrying out

template <typename Call>
long result_of(Call call) {
    errno = 0;
    const long result = call();
    return result < 0 ? -errno : result;
}

bool is_file(int fd) { return fds::nature_of(fd) == fds::Nature::plain; }

// The program's memory is accessed as if its own call did it.
long read_or_write(const Request& request) {
    const aiocb& control = *request.control;
    const auto buffer = const_cast<void*>(control.aio_buf);
    const std::size_t bytes = control.aio_nbytes;
    const int fd = request.fd;
    const off_t offset = control.aio_offset;
    if (!is_file(fd)) {
        if (request.what == What::reads)
            return result_of([&] {
                return memory::effects::follow<memory::effects::rows_of("read")>(
                    request.site, [&] { return hooks::read(fd, buffer, bytes); })(fd, buffer, bytes);
            });
        return result_of([&] {
            return memory::effects::follow<memory::effects::rows_of("write")>(
                request.site, [&] { return hooks::write(fd, buffer, bytes); })(fd, buffer, bytes);
        });
    }
    fds::use_number(fd);
    const long number = request.what == What::reads ? SYS_pread64 : SYS_pwrite64;
    const auto perform = [&] { return from_kernel(raw::call(number, fd, buffer, bytes, offset)); };
    if (request.what == What::reads)
        return result_of([&] {
            return memory::effects::follow<memory::effects::rows_of("pread")>(request.site, perform)(fd, buffer, bytes,
                                                                                                     offset);
        });
    return result_of([&] {
        return memory::effects::follow<memory::effects::rows_of("pwrite")>(request.site, perform)(fd, buffer, bytes,
                                                                                                  offset);
    });
}

long carry_out(const Request& request) {
    switch (request.what) {
        case What::reads:
        case What::writes: return read_or_write(request);
        case What::syncs: return raw::call(SYS_fsync, request.fd);
        case What::syncs_data: return raw::call(SYS_fdatasync, request.fd);
    }
    return -EINVAL;
}

// The next request of the worker, which is started from now on: those with the highest priority come first, and then in
// the order of arrival. Without one, the worker ends.
Request* next_for(Worker& worker) {
    Request* next = nullptr;
    for (Request& one : requests) {
        if (!one.used || one.started || one.fd != worker.fd) continue;
        const bool before = next == nullptr || one.priority > next->priority ||
                            (one.priority == next->priority && one.number < next->number);
        if (before) next = &one;
    }
    worker.used = next != nullptr;
    if (next != nullptr) next->started = true;
    return next;
}

// The request is over. Tells the program; this is the last use of its control block.
void tell(Request& request) {
    const sigevent event = request.control->aio_sigevent;
    Group* const group = request.group;
    request.used = false;
    const bool was_last = group != nullptr && --group->open == 0;
    const sigevent of_group = group != nullptr ? group->event : sigevent{};
    if (was_last) group->used = false;
    state::changed(all_requests());
    notification::send(event, SI_ASYNCIO);
    if (was_last && of_group.sigev_notify != SIGEV_NONE) notification::send(of_group, SI_ASYNCIO);
}

void* work(void* argument) {
    Worker& worker = *static_cast<Worker*>(argument);
    std::memcpy(scheduler::current().name, "aio", 4);
    signals::mine().skips_checks = true;  // this thread blocks all signals
    call_site = nullptr;
    state::enter(all_requests());
    Request* request = next_for(worker);
    while (request != nullptr) {
        const long result = carry_out(*request);
        signals::mine().skips_checks = true;
        call_site = nullptr;
        state::enter(all_requests());
        finish(*request->control, result);
        Request& done = *request;
        request = next_for(worker);
        tell(done);
    }
    return nullptr;
}

// ---- requests

bool needs_worker(int fd, Worker*& free) {
    free = nullptr;
    for (Worker& one : workers) {
        if (one.used && one.fd == fd) return false;
        if (!one.used) free = &one;
    }
    return true;
}

int check(const aiocb& control, What what) {
    if (what == What::syncs || what == What::syncs_data) return 0;
    return control.aio_reqprio < 0 || control.aio_reqprio > least_priority ? EINVAL : 0;
}

// Hands the request over. Returns an error number.
int submit(aiocb* control, What what, Group* group) {
    const int fd = control->aio_fildes;
    int error = check(*control, what);
    const bool is_sync = what == What::syncs || what == What::syncs_data;
    if (error == 0 && is_sync && raw::failed(raw::call(SYS_fcntl, fd, F_GETFL, 0L))) error = EBADF;
    if (error != 0) {
        finish(*control, -error);
        return error;
    }
    state::enter(all_requests());
    Request* request = nullptr;
    for (Request& one : requests)
        if (!one.used) request = &one;
    Worker* worker = nullptr;
    const bool is_first = needs_worker(fd, worker);
    if (request == nullptr || (is_first && worker == nullptr)) return EAGAIN;
    control->__error_code = EINPROGRESS;
    control->__return_value = 0;
    // A sync comes after all requests before it, whatever their priority.
    const int priority = is_sync ? -least_priority : -control->aio_reqprio;
    *request = {true, false, what, fd, priority, ++arrivals, control, group, call_site};
    if (group != nullptr) ++group->open;
    if (!is_first) return 0;
    *worker = {true, fd};
    return notification::start_thread(work, worker) ? 0 : EAGAIN;
}

int start(aiocb* control, What what) {
    if (!recorded()) {
        finish(*control, carry_out({true, true, what, control->aio_fildes, 0, 0, control, nullptr, nullptr}));
        return 0;
    }
    const int error = submit(control, what, nullptr);
    return error == 0 ? 0 : as_errno::refused(error);
}

bool is_over(const aiocb* control) { return control->__error_code != EINPROGRESS; }

void enter_as_point() {
    if (!recorded()) return;
    Action action = of(Operation::state_enter);
    action.object = all_requests();
    act(point(action));
}

// Waits until `is_done` is true.
template <typename IsDone>
int wait_until(const state::Limit& limit, IsDone is_done) {
    state::Waited waited = state::Waited::changed;
    for (;;) {
        enter_as_point();
        if (is_done()) return 0;
        if (waited == state::Waited::interrupted) return EINTR;
        if (waited == state::Waited::timed_out || !recorded()) return EAGAIN;
        waited = state::wait(all_requests(), limit, true);
    }
}

Group* take_group(const sigevent* event) {
    state::enter(all_requests());
    for (Group& one : groups) {
        if (one.used) continue;
        one = {};
        one.used = true;
        one.open = 1;  // the call itself, until all requests are handed over
        if (event != nullptr)
            one.event = *event;
        else
            one.event.sigev_notify = SIGEV_NONE;
        return &one;
    }
    return nullptr;
}

}  // namespace

namespace hooks {

int aio_read(aiocb* control) { return start(control, What::reads); }
int aio_write(aiocb* control) { return start(control, What::writes); }
int aio_fsync(int how, aiocb* control) {
    if (how != O_SYNC && how != O_DSYNC) return as_errno::refused(EINVAL);
    return start(control, how == O_SYNC ? What::syncs : What::syncs_data);
}

int aio_error(const aiocb* control) {
    state::enter(all_requests());
    return control->__error_code;
}
ssize_t aio_return(aiocb* control) {
    state::enter(all_requests());
    return control->__return_value;
}

int aio_suspend(const aiocb* const* list, int count, const timespec* span) {
    if (count < 0 || (span != nullptr && (!valid(span) || span->tv_sec < 0))) return as_errno::refused(EINVAL);
    const int error = wait_until(state::Limit::after(span), [&] {
        bool is_any_open = false;
        for (int i = 0; i < count; ++i) {
            if (list[i] == nullptr) continue;
            if (is_over(list[i])) return true;
            is_any_open = true;
        }
        return !is_any_open;
    });
    return error == 0 ? 0 : as_errno::refused(error);
}

int aio_cancel(int fd, aiocb* control) {
    if (raw::failed(raw::call(SYS_fcntl, fd, F_GETFL, 0L))) return as_errno::refused(EBADF);
    if (control != nullptr && control->aio_fildes != fd) return as_errno::refused(EINVAL);
    int result = AIO_ALLDONE;
    for (;;) {
        state::enter(all_requests());
        Request* found = nullptr;
        bool runs = false;
        for (Request& one : requests) {
            if (!one.used || one.fd != fd || (control != nullptr && one.control != control)) continue;
            if (!one.started) found = &one;
            runs |= one.started;
        }
        if (found == nullptr) return runs ? AIO_NOTCANCELED : result;
        finish(*found->control, -ECANCELED);
        tell(*found);
        result = AIO_CANCELED;
    }
}

int lio_listio(int mode, aiocb* const* list, int count, sigevent* event) {
    if ((mode != LIO_WAIT && mode != LIO_NOWAIT) || count < 0) return as_errno::refused(EINVAL);
    Group* const group = recorded() ? take_group(mode == LIO_NOWAIT ? event : nullptr) : nullptr;
    if (recorded() && group == nullptr) return as_errno::refused(EAGAIN);
    int refused = 0;
    for (int i = 0; i < count; ++i) {
        if (list[i] == nullptr || list[i]->aio_lio_opcode == LIO_NOP) continue;
        const bool is_known = list[i]->aio_lio_opcode == LIO_READ || list[i]->aio_lio_opcode == LIO_WRITE;
        if (!is_known) finish(*list[i], -EINVAL);
        const What what = list[i]->aio_lio_opcode == LIO_READ ? What::reads : What::writes;
        if (!is_known || (group != nullptr ? submit(list[i], what, group) : start(list[i], what)) != 0) refused = EIO;
    }
    if (group == nullptr) return refused == 0 ? 0 : as_errno::refused(refused);
    state::enter(all_requests());
    const bool all_over = --group->open == 0;
    const sigevent of_group = group->event;
    if (all_over) group->used = false;
    if (mode == LIO_NOWAIT) {
        if (all_over && of_group.sigev_notify != SIGEV_NONE) notification::send(of_group, SI_ASYNCIO);
        return refused == 0 ? 0 : as_errno::refused(refused);
    }
    const int error = wait_until({}, [&] {
        for (int i = 0; i < count; ++i)
            if (list[i] != nullptr && list[i]->aio_lio_opcode != LIO_NOP && !is_over(list[i])) return false;
        return true;
    });
    if (error != 0) return as_errno::refused(error);
    for (int i = 0; i < count; ++i)
        if (list[i] != nullptr && list[i]->aio_lio_opcode != LIO_NOP && list[i]->__error_code != 0) refused = EIO;
    return refused == 0 ? 0 : as_errno::refused(refused);
}

int aio_read64(aiocb64* control) { return hooks::aio_read(reinterpret_cast<aiocb*>(control)); }
int aio_write64(aiocb64* control) { return hooks::aio_write(reinterpret_cast<aiocb*>(control)); }
int aio_fsync64(int how, aiocb64* control) { return hooks::aio_fsync(how, reinterpret_cast<aiocb*>(control)); }
int aio_error64(const aiocb64* control) { return hooks::aio_error(reinterpret_cast<const aiocb*>(control)); }
ssize_t aio_return64(aiocb64* control) { return hooks::aio_return(reinterpret_cast<aiocb*>(control)); }
int aio_suspend64(const aiocb64* const* list, int count, const timespec* span) {
    return hooks::aio_suspend(reinterpret_cast<const aiocb* const*>(list), count, span);
}
int aio_cancel64(int fd, aiocb64* control) { return hooks::aio_cancel(fd, reinterpret_cast<aiocb*>(control)); }
int lio_listio64(int mode, aiocb64* const* list, int count, sigevent* event) {
    return hooks::lio_listio(mode, reinterpret_cast<aiocb* const*>(list), count, event);
}

}  // namespace hooks

}  // namespace raddle
