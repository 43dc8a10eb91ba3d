// Reversals of several events at once, for tree_search.h.
#include <algorithm>
#include <bit>

#include "supervisor/search/tree/tree_search.h"

namespace raddle {

// Several events together may keep an action from running, as readers do with a writer: no reversal of one of them runs
// it. Leaves out the event at `first` and as few of the later ones that depend on the action as are enough. There may
// be several ways, and each leads to other graphs. Earlier events still race with the action by themselves.
void TreeSearch::reverse_with_others(Track& track, Position first, ThreadSlot thread, Position own,
                                     const Footprint& expected) {
    constexpr std::size_t most_tried_apart = 4;
    std::vector<Position> in_the_way;
    const Position end = std::min(track.size(), later_event_ + 1);
    for (Position i = first + 1; i < end; ++i) {
        const bool is_own_past = own != nowhere && (i == own || track.before(i, own));
        if (track[i].thread != thread && !is_own_past && !track.before(first, i) &&
            depend(footprint(track[i].outcome), expected))
            in_the_way.push_back(i);
    }
    // Of many, the latest are tried apart, and the others go with them.
    const std::size_t apart = std::min(in_the_way.size(), most_tried_apart), rest = in_the_way.size() - apart;
    std::vector<unsigned> enough;
    std::vector<unsigned> sets;
    for (unsigned set = 1; set < 1u << apart; ++set) sets.push_back(set);
    std::ranges::stable_sort(sets, {}, [](unsigned set) { return std::popcount(set); });
    if (rest > 0) sets.push_back(1u << apart);
    for (const unsigned set : sets) {
        if (std::ranges::any_of(enough, [set](unsigned smaller) { return (set & smaller) == smaller; })) continue;
        if (set == 1u << apart && !enough.empty()) continue;
        std::vector<Position> dropped = {first};
        for (std::size_t i = 0; i < in_the_way.size(); ++i)
            if (set == 1u << apart || (i >= rest && (set >> (i - rest) & 1) != 0)) dropped.push_back(in_the_way[i]);
        if (reverse_without(track, first, thread, dropped, expected)) enough.push_back(set);
    }
}

// False if the step is not enabled without these events and those that happen after them.
bool TreeSearch::reverse_without(Track& track, Position first, ThreadSlot thread, const std::vector<Position>& dropped,
                                 const Footprint& expected) {
    reversal_.clear();
    for (Position i = first + 1; i < track.size(); ++i) {
        const auto concerns = [&](Position one) { return one == i || track.before(one, i); };
        if (std::ranges::none_of(dropped, concerns))
            reversal_.push_back({{track[i].thread, track[i].value}, footprint(track[i].outcome), i});
    }
    Reversal last{{thread, 0}, expected};
    if (!try_on_machine(track, first, last)) return false;
    reversal_.push_back(last);
    insert(track, first);
    return true;
}

}  // namespace raddle
