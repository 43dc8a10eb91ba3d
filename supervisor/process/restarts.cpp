#include "supervisor/process/restarts.h"

#include <cstring>

#include "supervisor/process/channel/read_channel.h"

namespace raddle {

Restarts& Restarts::operator+=(const Restarts& other) {
    launched += other.launched;
    forked += other.forked;
    restored += other.restored;
    resumed += other.resumed;
    if (!other.no_checkpoint.empty()) no_checkpoint = other.no_checkpoint;
    discarded += other.discarded;
    if (!other.discarded_because.empty()) discarded_because = other.discarded_because;
    given_up |= other.given_up;
    checked += other.checked;
    differed += other.differed;
    return *this;
}

Restarts restarts_in(const channel::Channel& channel) {
    const channel::RestartCounts seen = channel.restarts;
    Restarts all;
    all.forked = seen.forked;
    all.restored = seen.restored;
    all.resumed = seen.resumed;
    all.no_checkpoint = printable(seen.no_checkpoint, ::strnlen(seen.no_checkpoint, sizeof seen.no_checkpoint));
    all.discarded = seen.discarded;
    all.discarded_because = printable(seen.reason, ::strnlen(seen.reason, sizeof seen.reason));
    all.given_up = seen.given_up != 0;
    return all;
}

std::string text_of(const Restarts& restarts) {
    const auto times = [](std::uint64_t count, const char* what) { return std::to_string(count) + " " + what; };
    std::string text = times(restarts.launched, "launched") + ", " + times(restarts.forked, "forked") + ", " +
                       times(restarts.restored, "put back in process");
    if (restarts.resumed > 0) text += ", " + times(restarts.resumed, "of them to a checkpoint");
    if (!restarts.no_checkpoint.empty()) text += " (no checkpoint: " + restarts.no_checkpoint + ")";
    if (restarts.discarded > 0) text += ", " + times(restarts.discarded, "thrown away");
    if (!restarts.discarded_because.empty()) text += " (not put back: " + restarts.discarded_because + ")";
    if (restarts.given_up) text += "; no more were put back, it was not worth while";
    if (restarts.checked > 0) text += "; " + times(restarts.checked, "compared with fresh ones");
    if (restarts.differed > 0) text += ", " + times(restarts.differed, "differed");
    return text;
}

}  // namespace raddle
