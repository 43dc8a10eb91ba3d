// Decoded code on disk, in $XDG_CACHE_HOME/raddle (or ~/.cache/raddle): a library is decoded once, whichever run needs
// it. An entry is named by the file's build-id, its code, and the build of raddle that decoded it, so it never grows
// stale.
//
// The directory and its files count only if they belong to the user and nobody else can write there. Entries appear
// whole or not at all, and one that does not agree with its checksum is removed. Without a usable directory, everything
// is decoded anew.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "supervisor/base/descriptor.h"
#include "supervisor/binary/decode/decode.h"

namespace raddle::code {

class DecodedCache {
public:
    // `most_bytes`: of all entries; those that were not used for the longest time go first.
    explicit DecodedCache(std::filesystem::path directory, std::uint64_t most_bytes = std::uint64_t{512} << 20);

    std::optional<Decoded> find(const std::string& name) const;
    void keep(const std::string& name, const Decoded& decoded) const;

private:
    Descriptor open_directory() const;  // -1: it cannot be used; the caller closes it
    void make_room(int directory, std::uint64_t bytes) const;

    const std::filesystem::path directory_;
    const std::uint64_t most_bytes_;
};

// The name of the file's entry; empty for a file without a build-id.
std::string cache_name(const ElfCode& elf);
// Where the environment puts it; empty: nowhere.
std::filesystem::path cache_directory();

// decode(), from the cache if the code is large enough to be worth an entry.
Decoded decode_or_recall(const ElfCode& elf);

}  // namespace raddle::code
