// The subject of a campaign. Its results hold for this program, called like this, and for nothing else.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace raddle {

// One thing a campaign depends on: "option --max-steps", "file /lib/…/libc.so.6", "environment PATH".
struct IdentityRow {
    std::string key;
    std::string value;

    friend bool operator==(const IdentityRow&, const IdentityRow&) = default;
};

class Identity {
public:
    void add(std::string key, std::string value) { rows_.push_back({std::move(key), std::move(value)}); }
    // Values of variables may be secrets: only what tells them apart is kept. Those that change with every terminal
    // are left out.
    void add_environment(const std::vector<std::string>& entries);
    // The executable and the libraries it would load now, each by its build-id, or by its content if it has none.
    void add_files(const std::filesystem::path& executable, const std::vector<std::string>& environment);

    void add_processor();

    const std::vector<IdentityRow>& rows() const { return rows_; }
    // Empty if not in there.
    std::string value_of(const std::string& key) const;

private:
    std::vector<IdentityRow> rows_;
};

// Whether a variable of the environment names the terminal or the session: another value is no other campaign.
bool names_the_session(const std::string& variable);

// One line on the first difference, with both values; empty if there is none.
std::string difference(const Identity& stored, const Identity& now);

}  // namespace raddle
