// The conditions of the executions in a campaign: the environment they had, and the rules they were judged by.
#include "store/campaign_store.h"

namespace raddle {

std::optional<std::vector<std::string>> CampaignStore::environment() const {
    if (!has_table("environment")) return std::nullopt;
    std::vector<std::string> entries;
    Statement rows(*database_, "SELECT entry FROM environment ORDER BY place");
    while (rows.next()) entries.push_back(rows.text(0));
    if (entries.empty()) return std::nullopt;
    return entries;
}

std::vector<StoredJudging> CampaignStore::judging() const {
    std::vector<StoredJudging> all;
    std::uint64_t others = 0;
    bool has_current = false;
    if (has_table("judging")) {
        Statement rows(*database_, "SELECT rules, executions, is_current FROM judging ORDER BY rowid");
        while (rows.next()) {
            all.push_back({rows.text(0), static_cast<std::uint64_t>(rows.number(1)), rows.number(2) != 0});
            has_current |= all.back().is_current;
            if (!all.back().is_current) others += all.back().executions;
        }
    }
    if (!has_current) all.push_back({"", 0, true});
    Statement counter(*database_, "SELECT value FROM counter WHERE name = 'executions'");
    const std::uint64_t total = counter.next() ? static_cast<std::uint64_t>(counter.number(0)) : 0;
    for (StoredJudging& one : all)
        if (one.is_current) one.executions = total > others ? total - others : 0;
    return all;
}

// An older version left the file readable for others; a file of an environment must not be.
void CampaignStore::record_environment(const std::vector<std::string>& entries) {
    for (const char* suffix : {"", "-wal", "-shm"}) {
        std::error_code none_of_that_name;
        std::filesystem::permissions(database_->file().string() + suffix, std::filesystem::perms(0600),
                                     none_of_that_name);
    }
    Transaction transaction(*database_);
    database_->execute("DELETE FROM environment");
    Statement row(*database_, "INSERT INTO environment (entry) VALUES (?)");
    for (const std::string& entry : entries) row.bind_text(1, entry).run();
    transaction.commit();
}

void CampaignStore::judge_by(const std::string& rules) {
    const std::vector<StoredJudging> before = judging();
    Transaction transaction(*database_);
    database_->execute("DELETE FROM judging");
    Statement row(*database_, "INSERT INTO judging VALUES (?, ?, ?)");
    bool is_known = false;
    for (const StoredJudging& one : before) {
        const bool is_current = one.rules == rules;
        is_known |= is_current;
        if (is_current || one.executions > 0)
            row.bind_text(1, one.rules).bind(2, one.executions).bind(3, std::uint64_t{is_current}).run();
    }
    if (!is_known) row.bind_text(1, rules).bind(2, std::uint64_t{0}).bind(3, std::uint64_t{1}).run();
    transaction.commit();
}

void CampaignStore::add_judged(const std::string& rules, std::uint64_t executions) {
    if (executions == 0) return;
    Statement(
        *database_,
        "INSERT INTO judging VALUES (?, ?, 0) ON CONFLICT (rules) DO UPDATE SET executions = executions + excluded.executions")
        .bind_text(1, rules)
        .bind(2, executions)
        .run();
}

void CampaignStore::forget_bug(const Finding& finding) {
    Transaction transaction(*database_);
    for (const char* table : {"bug", "proof"})
        Statement(*database_, "DELETE FROM " + std::string(table) + " WHERE verdict = ? AND place = ?")
            .bind_text(1, name_of(finding.verdict))
            .bind_text(2, finding.key)
            .run();
    transaction.commit();
}

}  // namespace raddle
