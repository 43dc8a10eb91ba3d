// The events of an execution. They lie in blocks, and copies share the blocks: an execution that begins where it leaves
// another one (process/process_target.h) costs its new events only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "supervisor/model/action.h"
#include "supervisor/model/outcome.h"

namespace raddle {

struct Event {
    ThreadId thread{};
    std::uint32_t value = 0;  // the alternative that was taken
    Effect effect = Effect::done;
    Misuse misuse = Misuse::none;
    std::int64_t result = 0;
    Action action{};
    std::uint64_t code = 0;  // the label of the watched code before it, see VisibleSet; 0: there was none
};

class Events {
public:
    // Reads only: an event is changed by change(), which leaves copies of these events alone.
    class Iterator {
    public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = Event;
        using difference_type = std::ptrdiff_t;
        using pointer = const Event*;
        using reference = const Event&;

        Iterator() = default;
        Iterator(const Events* events, std::size_t at) : events_(events), at_(at) {}
        reference operator*() const { return (*events_)[at_]; }
        pointer operator->() const { return &(*events_)[at_]; }
        reference operator[](difference_type by) const { return *(*this + by); }
        Iterator& operator++() { return *this += 1; }
        Iterator& operator--() { return *this += -1; }
        Iterator operator++(int) { return std::exchange(*this, *this + 1); }
        Iterator operator--(int) { return std::exchange(*this, *this + -1); }
        Iterator& operator+=(difference_type by) {
            at_ = static_cast<std::size_t>(static_cast<difference_type>(at_) + by);
            return *this;
        }
        Iterator& operator-=(difference_type by) { return *this += -by; }
        friend Iterator operator+(Iterator it, difference_type by) { return it += by; }
        friend Iterator operator+(difference_type by, Iterator it) { return it += by; }
        friend Iterator operator-(Iterator it, difference_type by) { return it -= by; }
        friend difference_type operator-(const Iterator& a, const Iterator& b) {
            return static_cast<difference_type>(a.at_) - static_cast<difference_type>(b.at_);
        }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
        friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.at_ <=> b.at_; }

    private:
        const Events* events_ = nullptr;
        std::size_t at_ = 0;
    };
    using value_type = Event;
    using const_iterator = Iterator;

    Events() = default;
    Events(const Events&) = default;
    Events& operator=(const Events&) = default;
    Events(Events&& other) noexcept : blocks_(std::exchange(other.blocks_, {})), size_(std::exchange(other.size_, 0)) {}
    Events& operator=(Events&& other) noexcept {
        blocks_ = std::exchange(other.blocks_, {});
        size_ = std::exchange(other.size_, 0);
        return *this;
    }
    Events(std::initializer_list<Event> events) {
        for (const Event& event : events) push_back(event);
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const Event& operator[](std::size_t i) const { return blocks_[i / block_events].events[i % block_events]; }
    const Event& front() const { return (*this)[0]; }
    const Event& back() const { return (*this)[size_ - 1]; }
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, size_}; }
    std::reverse_iterator<Iterator> rbegin() const { return std::reverse_iterator(end()); }
    std::reverse_iterator<Iterator> rend() const { return std::reverse_iterator(begin()); }

    Event& change(std::size_t i);
    Event& emplace_back();
    void push_back(const Event& event) { emplace_back() = Event(event); }
    void resize(std::size_t size);
    void clear() { resize(0); }
    // That many more follow.
    void expect(std::size_t more);

    // The first `count` events of others, which has as many.
    static Events first_of(const Events& others, std::size_t count);
    // So many first events lie in blocks that both have, and are equal for that reason. Others may be equal, too.
    std::size_t shared_with(const Events& other) const;
    std::size_t bytes() const;  // of memory, shared or not

private:
    static constexpr std::size_t block_events = 32;

    struct Block {
        Event* events = nullptr;
        std::shared_ptr<std::vector<Event>> owner;  // may have more events than these
    };

    std::vector<Event>& own(std::size_t block);
    std::size_t in_block(std::size_t block) const {
        const std::size_t left = size_ - block * block_events;
        return left < block_events ? left : block_events;
    }

    std::vector<Block> blocks_;
    std::size_t size_ = 0;
};

}  // namespace raddle
