// The different outputs of a campaign's program. They are written when a run ends, all at once.
#include <charconv>

#include "store/campaign_store.h"
#include "store/store_error.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

constexpr const char* beyond = "outputs_beyond";
constexpr const char* were_cut = "outputs_cut";

std::string text_of_hash(const Hash128& hash) {
    return hexadecimal_digits(hash.low, 16) + hexadecimal_digits(hash.high, 16);
}

Hash128 hash_in(const std::string& text) {
    Hash128 hash;
    constexpr std::size_t digits = 16;
    if (text.size() != 2 * digits) return hash;
    std::from_chars(text.data(), text.data() + digits, hash.low, 16);
    std::from_chars(text.data() + digits, text.data() + 2 * digits, hash.high, 16);
    return hash;
}

}  // namespace

SeenOutputs CampaignStore::outputs() const {
    SeenOutputs all;
    if (!has_table("output")) return all;
    const auto count = [&](const char* name) {
        Statement counter(*database_, "SELECT value FROM counter WHERE name = ?");
        counter.bind_text(1, name);
        return counter.next() ? static_cast<std::uint64_t>(counter.number(0)) : 0;
    };
    all.others = count(beyond);
    all.is_cut = count(were_cut) != 0;
    Statement rows(
        *database_,
        "SELECT exit_status, hash, bytes, begins, times, schedule FROM output ORDER BY times DESC, hash LIMIT " +
            std::to_string(OutputCollector::most_outputs));
    while (rows.next()) {
        SeenOutput& one = all.rows.emplace_back();
        one.exit_status = rows.number(0);
        one.hash = hash_in(rows.text(1));
        one.bytes = static_cast<std::uint64_t>(rows.number(2));
        one.begins = rows.blob(3).substr(0, OutputCollector::longest_begin);
        one.times = static_cast<std::uint64_t>(rows.number(4));
        if (const std::string schedule = rows.text(5); !schedule.empty()) one.schedule = parse_schedule(schedule);
    }
    return all;
}

void CampaignStore::note_outputs(const SeenOutputs& outputs) {
    Transaction transaction(*database_);
    database_->execute("DELETE FROM output");
    Statement row(*database_, "INSERT OR REPLACE INTO output VALUES (?, ?, ?, ?, ?, ?)");
    for (const SeenOutput& one : outputs.rows)
        row.bind(1, static_cast<std::uint64_t>(one.exit_status))
            .bind_text(2, text_of_hash(one.hash))
            .bind(3, one.bytes)
            .bind_blob(4, one.begins)
            .bind(5, one.times)
            .bind_text(6, text_of(one.schedule))
            .run();
    Statement counter(*database_, "INSERT OR REPLACE INTO counter VALUES (?, ?)");
    counter.bind_text(1, beyond).bind(2, outputs.others).run();
    counter.bind_text(1, were_cut).bind(2, std::uint64_t{outputs.is_cut ? 1u : 0u}).run();
    transaction.commit();
}

}  // namespace raddle
