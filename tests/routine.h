// Coroutines for programs in memory: a routine can await another, and the innermost one awaits an action.
// Frames come from a pool, because an execution creates and destroys dozens of them.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <utility>

namespace raddle::testing {

// Blocks of multiples of 64 bytes, kept by size for reuse.
class FramePool {
public:
    static void* take(std::size_t bytes);
    static void give_back(void* block, std::size_t bytes);
};

struct RoutinePromiseBase {
    std::coroutine_handle<> caller;

    static void* operator new(std::size_t bytes) { return FramePool::take(bytes); }
    static void operator delete(void* block, std::size_t bytes) { FramePool::give_back(block, bytes); }

    std::suspend_always initial_suspend() noexcept { return {}; }
    [[noreturn]] void unhandled_exception() noexcept { std::terminate(); }

    struct BackToCaller {
        bool await_ready() noexcept { return false; }
        template <typename Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> done) noexcept {
            const std::coroutine_handle<> next = done.promise().caller;
            return next ? next : std::noop_coroutine();
        }
        void await_resume() noexcept {}
    };
    BackToCaller final_suspend() noexcept { return {}; }
};

template <typename T>
struct RoutineResult : RoutinePromiseBase {
    T value{};
    void return_value(T v) { value = v; }
};
template <>
struct RoutineResult<void> : RoutinePromiseBase {
    void return_void() noexcept {}
};

template <typename T>
class [[nodiscard]] Routine {
public:
    struct promise_type : RoutineResult<T> {
        Routine get_return_object() { return Routine(std::coroutine_handle<promise_type>::from_promise(*this)); }
    };

    Routine() = default;
    Routine(Routine&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
    Routine& operator=(Routine&& other) noexcept {
        std::swap(frame_, other.frame_);
        other.reset();
        return *this;
    }
    ~Routine() { reset(); }

    std::coroutine_handle<> handle() const { return frame_; }
    bool done() const { return frame_ && frame_.done(); }
    void reset() {
        if (frame_) std::exchange(frame_, {}).destroy();
    }

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
        frame_.promise().caller = caller;
        return frame_;
    }
    T await_resume() noexcept {
        if constexpr (!std::is_void_v<T>) return frame_.promise().value;
    }

private:
    explicit Routine(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
    std::coroutine_handle<promise_type> frame_;
};

}  // namespace raddle::testing
