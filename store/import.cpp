// A campaign from a file that raddle campaign export wrote.
#include <system_error>

#include "store/campaign_files.h"
#include "store/campaign_store.h"
#include "store/schema.h"

namespace raddle {

namespace fs = std::filesystem;

void import_campaign(const fs::path& file, const fs::path& directory) {
    if (CampaignStore::is_in(directory))
        throw StoreError(directory.string() + ": there is a campaign in this directory already; give another");
    {
        Database exported(file, Database::Access::read);
        expect_readable(exported);
        if (const std::string wrong = exported.check_integrity(); wrong != "ok")
            throw StoreError(file.string() + ": it is damaged (" + wrong + "); export it again");
    }
    make_directory(directory);
    const DirectoryLock lock(directory);
    const fs::path half = directory / "campaign.db.new";
    std::error_code error;
    fs::copy_file(file, half, fs::copy_options::overwrite_existing, error);
    if (!error) fs::permissions(half, fs::perms::owner_read | fs::perms::owner_write, error);
    if (!error) fs::rename(half, directory / database_name, error);
    if (error) throw StoreError(directory.string() + ": cannot be written: " + error.message());
}

}  // namespace raddle
