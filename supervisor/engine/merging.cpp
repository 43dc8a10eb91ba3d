#include "supervisor/engine/merging.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "supervisor/engine/kept/campaign_identity.h"
#include "supervisor/process/launch/instrumented_code.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

// The visible set of a saved search, as sorted text. A merge changes nothing in it, so it needs no executable. The
// parts were saved in the order of their discovery; sorted, equal sets have equal texts.
class SavedVisibleSet final : public VisibleSet {
public:
    std::uint64_t epoch() const override { return 1; }
    void save(Writer& out) const override { out.text(text_); }
    void load(Reader& in) override {
        std::istringstream words(in.text());
        std::vector<std::string> parts;
        for (std::string part; std::getline(words, part, ',');) parts.push_back(part);
        std::sort(parts.begin(), parts.end());
        text_.clear();
        for (const std::string& part : parts) text_ += (text_.empty() ? "" : ",") + part;
    }

private:
    std::string text_;
};

// The saved state of a search with memory accesses begins with its visible set.
StrategyOptions options_in(const Identity& identity) {
    StrategyOptions options = search_options(identity);
    const std::string level = identity.value_of("--memory");
    if (!level.empty() && level != name_of(MemoryLevel::sync))
        options.visible_set = std::make_shared<SavedVisibleSet>();
    return options;
}

}  // namespace

Merged merge_campaigns(const fs::path& directory, const fs::path& other_directory) {
    if (!CampaignStore::is_in(directory))
        throw StoreError(directory.string() + ": there is no campaign in this directory");
    std::error_code error;
    if (fs::equivalent(directory, other_directory, error))
        throw StoreError(directory.string() + " and " + other_directory.string() +
                         " are the same campaign; give another");
    CampaignStore store(directory, CampaignStore::Open::write);
    const CampaignStore other(other_directory, CampaignStore::Open::read);
    const Identity identity = store.identity();
    return merge(store, other, identity.value_of("--strategy"), options_in(identity), options_in(other.identity()));
}

}  // namespace raddle
