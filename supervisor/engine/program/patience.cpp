#include "supervisor/engine/program/patience.h"

#include <algorithm>
#include <chrono>

#include "replay/explain/wording.h"
#include "supervisor/trace/long_waits.h"

namespace raddle {

namespace {

constexpr const char* unlimited = "none";

bool knows_patience(const std::string& strategy) { return find_setting("patience", command::run)->is_for(strategy); }

// A program computes the end of a wait a little before it waits: the wait is then slightly shorter.
constexpr std::uint64_t slightly_shorter(std::uint64_t nanoseconds) { return nanoseconds - nanoseconds / 1000; }
constexpr std::uint64_t as_given(std::uint64_t patience) { return patience / 999 * 1000; }

static_assert(slightly_shorter(1'000'000'000) == LongWaits::usual_limit);
static_assert(as_given(LongWaits::usual_limit) == 1'000'000'000);

}  // namespace

std::uint64_t patience_of(const std::string& text) {
    if (text == unlimited) return MachineOptions::unlimited;
    return slightly_shorter(static_cast<std::uint64_t>(std::chrono::nanoseconds(duration_of(text)).count()));
}

void settle_patience(Settings& settings, const std::string& strategy, const std::optional<std::string>& kept) {
    if (settings.given("patience") || settings.given("schedule") || !knows_patience(strategy)) return;
    const bool began_without = kept && kept->empty();
    settings.decide("patience", {began_without ? unlimited : settings.text("patience")});
}

std::vector<std::string> without_idle_patience(std::vector<std::string> words, const Settings& settings, bool seen) {
    const auto option = std::ranges::find(words, SettingName("patience").option());
    if (!seen && !settings.is_said("patience") && option != words.end()) words.erase(option, option + 2);
    return words;
}

std::string assumed_about_waits(std::uint64_t patience, const std::string& strategy, bool seen) {
    if (!seen) return {};
    if (patience != MachineOptions::unlimited)
        return "no thread is held up for " + text_of_time(as_given(patience)) +
               " or more: such waits run out only when nothing else can happen (--patience)";
    const std::string early = "waits may run out early, as if the other threads were held up for so long: ";
    return early + (knows_patience(strategy) ? "--patience none" : "--strategy " + strategy + " knows no patience");
}

}  // namespace raddle
