#include "supervisor/engine/bugs/followed.h"

#include "supervisor/base/text.h"

namespace raddle {

namespace {

constexpr unsigned most_rounds = 6;

}  // namespace

// The run may extend the visible set; the steps then differ, and it runs again.
ReplayResult followed(Target& target, const Expected& expected, const ProcessOptions& process, Symbolizer& names,
                      const std::function<bool()>& give_up) {
    const auto epoch = [&] { return process.code ? process.code->epoch() : 0; };
    Following how;
    how.give_up = give_up;
    how.name_of = [&](const std::string& object) { return names.of_object(object); };
    ReplayResult result;
    for (unsigned round = 0; round < most_rounds && !(give_up && give_up()); ++round) {
        const std::uint64_t before = epoch();
        result = replay_changed(target, expected, how);
        if (epoch() == before) break;
    }
    return result;
}

std::string changes_in(const ReplayResult& followed) {
    if (followed.added + followed.left_out == 0) return {};
    return counted(followed.added, "step") + " added and " + std::to_string(followed.left_out) + " left out";
}

}  // namespace raddle
