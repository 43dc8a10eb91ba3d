#include "supervisor/process/launch/code_growth.h"

#include <algorithm>
#include <unordered_set>

#include "supervisor/trace/execution.h"

namespace raddle {

static_assert(code_label::anything == any_code);

namespace {

class CodeGrowth final : public Growth {
public:
    CodeGrowth(CodeChange change, std::unordered_set<std::uint64_t> untouched)
        : change_(std::move(change)), untouched_(std::move(untouched)) {}

    bool affects(std::uint64_t code, const Action& next) const override {
        if (code != code_label::nothing && !untouched_.contains(code)) return true;
        if (change_.forgets_spins && (next.flags & flag::spins) != 0) return true;
        if (change_.spin_sites.contains(next.site)) return true;
        return std::any_of(change_.joined_words.begin(), change_.joined_words.end(), [&](const ObjectId& word) {
            return lies_in(next.object, word) || lies_in(next.second, word);
        });
    }

private:
    static bool lies_in(const ObjectId& object, const ObjectId& word) {
        constexpr std::uint64_t bytes_of_a_word = 8;
        return object.region == word.region && object.offset - word.offset < bytes_of_a_word;
    }

    const CodeChange change_;
    const std::unordered_set<std::uint64_t> untouched_;  // labels without a place that became visible
};

}  // namespace

void GrowthLog::learn_labels(const std::uint64_t* words, std::size_t count) {
    constexpr std::size_t head = 2;
    const auto word = [&](std::size_t at) { return __atomic_load_n(&words[at], __ATOMIC_RELAXED); };
    for (std::size_t at = 0; at + head <= count;) {
        const std::uint64_t label = word(at), size = word(at + 1);
        at += head;
        if (size > count - at) return;
        if (places_ + size <= most_places && !labels_.contains(label)) {
            std::vector<std::uint64_t>& places = labels_[label];
            for (std::uint64_t i = 0; i < size; ++i) places.push_back(word(at + i));
            places_ += size;
        }
        at += size;
    }
}

std::unique_ptr<Growth> GrowthLog::since(std::uint64_t epoch) const {
    CodeChange all;
    for (const auto& [at, change] : changes_) {
        if (at <= epoch) continue;
        if (change.everything) return nullptr;
        all.places.insert(change.places.begin(), change.places.end());
        all.joined_words.insert(all.joined_words.end(), change.joined_words.begin(), change.joined_words.end());
        all.spin_sites.insert(change.spin_sites.begin(), change.spin_sites.end());
        all.forgets_spins |= change.forgets_spins;
    }
    std::unordered_set<std::uint64_t> untouched;
    for (const auto& [label, places] : labels_)
        if (std::none_of(places.begin(), places.end(), [&](std::uint64_t one) { return all.places.contains(one); }))
            untouched.insert(label);
    return std::make_unique<CodeGrowth>(std::move(all), std::move(untouched));
}

}  // namespace raddle
