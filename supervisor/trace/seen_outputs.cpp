#include "supervisor/trace/seen_outputs.h"

#include <algorithm>
#include <cstring>

#include "supervisor/base/text.h"

namespace raddle {

namespace {

constexpr std::uint64_t most_steps_kept = 1 << 20;  // of all schedules: 16 MiB

constexpr std::size_t most_listed = 5;
constexpr std::size_t longest_excerpt = 60;

Hash128 hash_of(const std::string& text) {
    Hasher hasher;
    for (std::size_t at = 0; at < text.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + at, std::min<std::size_t>(8, text.size() - at));
        hasher.add(word);
    }
    return hasher.add(text.size()).finish();
}

// A bug cuts off the output of an execution.
bool has_whole_output(const Execution& execution) {
    return execution.verdict == Verdict::ok || execution.verdict == Verdict::exit_status ||
           execution.verdict == Verdict::output;
}

}  // namespace

std::uint64_t SeenOutputs::executions() const {
    std::uint64_t all = others;
    for (const SeenOutput& one : rows) all += one.times;
    return all;
}

void OutputCollector::add(const Execution& execution, std::uint64_t epoch) {
    if (execution.is_void || !has_whole_output(execution)) return;
    const std::string& text = execution.output;
    const Hash128 hash = hash_of(text);
    is_cut_ = is_cut_ || text.size() >= limit_;
    epoch_ = std::max(epoch_, epoch);
    const bool is_as_before = latest_ != nullptr && latest_->hash == hash && latest_->bytes == text.size() &&
                              latest_->exit_status == execution.exit_status;
    if (!is_as_before) latest_ = find_or_add({hash, text.size(), execution.exit_status});
    if (latest_ == nullptr) return void(++others_);
    if (latest_->times++ == 0) latest_->begins = text.substr(0, longest_begin);
    if (latest_->schedule.empty() || latest_->epoch != epoch_) keep_schedule(*latest_, execution);
}

void OutputCollector::keep_schedule(SeenOutput& row, const Execution& execution) {
    steps_ -= row.schedule.size();
    row.schedule = execution.schedule();
    row.epoch = epoch_;
    steps_ += row.schedule.size();
}

void OutputCollector::add(const SeenOutputs& others, bool may_overlap) {
    for (const SeenOutput& one : others.rows) {
        SeenOutput* const row = find_or_add({one.hash, one.bytes, one.exit_status});
        if (row == nullptr) {
            others_ += one.times;
            continue;
        }
        const std::uint64_t before = row->times;
        if (before == 0) {
            *row = one;
            row->epoch = 0;
            steps_ += one.schedule.size();
        }
        row->times = may_overlap ? std::max(before, one.times) : before + one.times;
    }
    others_ = may_overlap ? std::max(others_, others.others) : others_ + others.others;
    is_cut_ = is_cut_ || others.is_cut;
}

// Null beyond the limit.
SeenOutput* OutputCollector::find_or_add(const Key& key) {
    const auto found = rows_.find(key);
    if (found != rows_.end()) return &found->second;
    if (rows_.size() >= most_outputs || steps_ > most_steps_kept) return nullptr;
    SeenOutput& row = rows_[key];
    std::tie(row.hash, row.bytes, row.exit_status) = key;
    return &row;
}

SeenOutputs OutputCollector::outputs() const {
    SeenOutputs all{{}, others_, is_cut_};
    for (const auto& [key, row] : rows_) {
        all.rows.push_back(row);
        if (row.epoch != epoch_) all.rows.back().schedule.clear();
    }
    std::stable_sort(all.rows.begin(), all.rows.end(),
                     [](const SeenOutput& a, const SeenOutput& b) { return a.times > b.times; });
    return all;
}

std::string text_of_number(const SeenOutputs& outputs) {
    return (outputs.others > 0 ? "more than " : "") + counted(outputs.rows.size(), "different output");
}

std::string summary_of(const SeenOutputs& outputs) {
    if (outputs.rows.size() < 2) return {};
    return text_of_number(outputs) + " in " + counted(outputs.executions(), "execution") +
           (outputs.is_cut ? ", as far as their beginnings show" : "");
}

std::vector<std::string> lines_of(const SeenOutputs& outputs, bool with_schedules) {
    std::vector<std::string> lines;
    for (const SeenOutput& one : outputs.rows) {
        if (lines.size() == most_listed) break;
        std::string line = std::to_string(one.times) + " × exit " + std::to_string(one.exit_status) + ", ";
        line += one.bytes == 0 ? "nothing written"
                               : counted(one.bytes, "byte") + ": " + quoted(one.begins, longest_excerpt);
        if (with_schedules && !one.schedule.empty()) line += ", schedule " + text_of(one.schedule);
        lines.push_back(line);
    }
    if (outputs.rows.size() > lines.size())
        lines.push_back(counted(outputs.rows.size() - lines.size(), "more that is", "more that are") + " in --json");
    if (outputs.others > 0)
        lines.push_back(counted(outputs.others, "execution") + " with yet other outputs, too many to list");
    return lines;
}

}  // namespace raddle
