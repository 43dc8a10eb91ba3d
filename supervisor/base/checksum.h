// Checksums of texts and bytes. All values are stored in campaigns, schedule files or tokens: never change a function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace raddle {

// Schedule files and tokens.
std::uint64_t checksum_of(std::string_view bytes);

// The journal of executions; without the size, because a record names it.
std::uint64_t checksum_without_size(std::string_view bytes);

// Pieces of an incremental search state; goes by words: a campaign of days has gigabytes of pieces.
std::uint64_t checksum_by_words(std::string_view bytes);

// FNV-1a: saved searches.
std::uint64_t fnv1a(std::string_view bytes);

// The identity of a file or text, as 16 hexadecimal digits: campaigns and their directories.
std::string fingerprint(std::string_view text);

}  // namespace raddle
