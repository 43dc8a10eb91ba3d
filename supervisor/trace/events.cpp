#include "supervisor/trace/events.h"

#include <algorithm>
#include <atomic>

namespace raddle {

// The block without events of others behind its own, and without other owners.
std::vector<Event>& Events::own(std::size_t block) {
    Block& mine = blocks_[block];
    const auto count = static_cast<std::ptrdiff_t>(in_block(block));
    if (mine.owner.use_count() > 1) {
        auto copy = std::make_shared<std::vector<Event>>();
        copy->reserve(mine.owner->capacity());
        copy->assign(mine.owner->begin(), mine.owner->begin() + count);
        mine.owner = std::move(copy);
    } else {
        std::atomic_thread_fence(std::memory_order_acquire);  // another thread may have given it up just now
        mine.owner->resize(static_cast<std::size_t>(count));
    }
    mine.events = mine.owner->data();
    return *mine.owner;
}

Event& Events::change(std::size_t i) { return own(i / block_events)[i % block_events]; }

Event& Events::emplace_back() {
    const std::size_t block = size_ / block_events;
    if (block == blocks_.size()) {
        blocks_.push_back({nullptr, std::make_shared<std::vector<Event>>()});
        if (block > 0) blocks_[block].owner->reserve(block_events);  // more will follow
    }
    std::vector<Event>& events = own(block);
    Event& added = events.emplace_back();
    blocks_[block].events = events.data();
    ++size_;
    return added;
}

void Events::expect(std::size_t more) {
    if (more == 0) return;
    const std::size_t block = size_ / block_events;
    blocks_.reserve((size_ + more + block_events - 1) / block_events);
    if (block == blocks_.size()) blocks_.push_back({nullptr, std::make_shared<std::vector<Event>>()});
    own(block).reserve(std::min(block_events, size_ % block_events + more));
    blocks_[block].events = blocks_[block].owner->data();
}

void Events::resize(std::size_t size) {
    while (size_ < size) emplace_back();
    size_ = size;
    blocks_.resize((size + block_events - 1) / block_events);
}

Events Events::first_of(const Events& others, std::size_t count) {
    Events first;
    const auto blocks = static_cast<std::ptrdiff_t>((count + block_events - 1) / block_events);
    first.blocks_.assign(others.blocks_.begin(), others.blocks_.begin() + blocks);
    first.size_ = count;
    return first;
}

std::size_t Events::shared_with(const Events& other) const {
    const auto ends = std::mismatch(blocks_.begin(), blocks_.end(), other.blocks_.begin(), other.blocks_.end(),
                                    [](const Block& one, const Block& two) { return one.events == two.events; });
    const std::size_t whole = static_cast<std::size_t>(ends.first - blocks_.begin()) * block_events;
    return std::min({whole, size_, other.size_});
}

std::size_t Events::bytes() const {
    std::size_t all = blocks_.capacity() * sizeof(Block);
    for (const Block& block : blocks_) all += block.owner->capacity() * sizeof(Event);
    return all;
}

}  // namespace raddle
