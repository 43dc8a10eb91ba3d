#include "supervisor/binary/decode/decoded_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "supervisor/base/files.h"
#include "supervisor/base/hash.h"
#include "supervisor/base/text.h"

namespace raddle::code {

namespace {

constexpr std::uint64_t entry_magic = 0x3165646f63646172ULL;  // "radcode1"
constexpr std::uint64_t most_entry_bytes = std::uint64_t{1} << 31;
constexpr std::uint64_t least_code = 64 << 10;  // less is decoded in no time
constexpr const char* ending = ".code";

// What stands before the rows. A text of a skipped place follows as its length and its characters.
struct EntryHead {
    std::uint64_t magic, checksum;
    std::uint64_t sites, functions, instructions, skipped, decoded, text_bytes;
};
struct SkippedRow {
    std::uint64_t address;
    std::uint32_t why_at, why_bytes;  // in the texts
    std::uint8_t is_own, original, reserved[6];
};

// Four lanes, so that memory is the limit.
std::uint64_t sum_of(const char* bytes, std::size_t count) {
    std::uint64_t lanes[4] = {1, 2, 3, 4};
    std::size_t at = 0;
    for (; at + 32 <= count; at += 32)
        for (std::size_t lane = 0; lane < 4; ++lane) {
            std::uint64_t word;
            std::memcpy(&word, bytes + at + 8 * lane, sizeof word);
            lanes[lane] = (lanes[lane] ^ word) * 0x9fb21c651e98df25ULL;
            lanes[lane] ^= lanes[lane] >> 29;
        }
    Hasher rest;
    for (; at < count; ++at) rest.add(static_cast<unsigned char>(bytes[at]));
    for (const std::uint64_t lane : lanes) rest.add(lane);
    return rest.add(count).finish().low;
}

template <typename Row>
void append_rows(std::string& bytes, const std::vector<Row>& rows, Hasher& sum) {
    const auto* const begin = reinterpret_cast<const char*>(rows.data());
    bytes.append(begin, rows.size() * sizeof(Row));
    sum.add(sum_of(begin, rows.size() * sizeof(Row)));
}

std::string written(const Decoded& decoded) {
    std::string texts;
    std::vector<SkippedRow> skipped;
    for (const SkippedCode& place : decoded.skipped) {
        skipped.push_back({place.address,
                           static_cast<std::uint32_t>(texts.size()),
                           static_cast<std::uint32_t>(place.why.size()),
                           std::uint8_t{place.is_own},
                           place.original,
                           {}});
        texts += place.why;
    }
    EntryHead head{entry_magic,
                   0,
                   decoded.sites.size(),
                   decoded.functions.size(),
                   decoded.instructions.size(),
                   skipped.size(),
                   decoded.decoded,
                   texts.size()};
    std::string bytes(sizeof head, '\0');
    Hasher sum;
    append_rows(bytes, decoded.sites, sum);
    append_rows(bytes, decoded.functions, sum);
    append_rows(bytes, decoded.instructions, sum);
    append_rows(bytes, skipped, sum);
    append_rows(bytes, std::vector<char>(texts.begin(), texts.end()), sum);
    head.checksum = sum.add(head.decoded).finish().low;
    std::memcpy(bytes.data(), &head, sizeof head);
    return bytes;
}

bool is_sound(const Decoded& decoded) {
    const bool functions_fit = std::ranges::all_of(decoded.functions, [&](const memory::CodeFunction& one) {
        return one.first_site <= decoded.sites.size() && one.site_count <= decoded.sites.size() - one.first_site &&
               one.first_instruction <= decoded.instructions.size() &&
               one.instruction_count <= decoded.instructions.size() - one.first_instruction;
    });
    return functions_fit && std::ranges::all_of(decoded.sites, [](const memory::AccessSite& one) {
               return one.length <= sizeof one.original && one.copy_length <= sizeof one.copy &&
                      one.relative_at <= one.copy_length && one.return_at <= one.copy_length;
           });
}

// Reads an entry piece by piece into its place: a copy of it all would cost as much again. A mapping would kill us if
// somebody truncated the file.
class EntryReader {
public:
    EntryReader(int file, std::uint64_t bytes) : file_(file), left_(bytes) {}

    std::optional<Decoded> read() {
        EntryHead head{};
        Decoded decoded;
        std::vector<SkippedRow> skipped;
        std::vector<char> texts;
        if (!take(&head, sizeof head) || head.magic != entry_magic || !take_rows(head.sites, decoded.sites) ||
            !take_rows(head.functions, decoded.functions) || !take_rows(head.instructions, decoded.instructions) ||
            !take_rows(head.skipped, skipped) || !take_rows(head.text_bytes, texts) || left_ != 0 ||
            sum_.add(head.decoded).finish().low != head.checksum)
            return std::nullopt;
        decoded.decoded = head.decoded;
        for (const SkippedRow& row : skipped) {
            if (row.why_at > texts.size() || row.why_bytes > texts.size() - row.why_at) return std::nullopt;
            decoded.skipped.push_back(
                {row.address, std::string(texts.data() + row.why_at, row.why_bytes), row.is_own != 0, row.original});
        }
        return is_sound(decoded) ? std::optional(std::move(decoded)) : std::nullopt;
    }

private:
    bool take(void* into, std::uint64_t bytes) {
        if (bytes > left_) return false;
        left_ -= bytes;
        for (std::uint64_t done = 0; done < bytes;) {
            const ssize_t some = ::read(file_, static_cast<char*>(into) + done, bytes - done);
            if (some <= 0 && errno != EINTR) return false;
            if (some > 0) done += static_cast<std::uint64_t>(some);
        }
        return true;
    }
    template <typename Row>
    bool take_rows(std::uint64_t count, std::vector<Row>& rows) {
        if (count > left_ / sizeof(Row)) return false;
        rows.resize(count);
        if (!take(rows.data(), count * sizeof(Row))) return false;
        sum_.add(sum_of(reinterpret_cast<const char*>(rows.data()), count * sizeof(Row)));
        return true;
    }

    const int file_;
    std::uint64_t left_;
    Hasher sum_;  // of the sums of all parts
};

std::optional<Decoded> read_entry_of(const Descriptor& directory, const std::string& name) {
    const Descriptor file(::openat(directory.number(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status;
    const bool is_ours = file && ::fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode) &&
                         belongs_to_us_alone(status) && static_cast<std::uint64_t>(status.st_size) <= most_entry_bytes;
    if (!is_ours) return std::nullopt;
    auto decoded = EntryReader(file.number(), static_cast<std::uint64_t>(status.st_size)).read();
    if (decoded)
        ::futimens(file.number(), nullptr);  // it was used now
    else
        ::unlinkat(directory.number(), name.c_str(), 0);
    return decoded;
}

// The entry has no name until it is whole.
void write_entry_of(const Descriptor& directory, const std::string& name, const std::string& bytes) {
    const std::string unfinished = name + "." + std::to_string(::getpid()) + ".new";
    ::unlinkat(directory.number(), unfinished.c_str(), 0);
    const Descriptor file(
        ::openat(directory.number(), unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file || !write_all(file.number(), bytes) ||
        ::renameat(directory.number(), unfinished.c_str(), directory.number(), (name + ending).c_str()) != 0)
        ::unlinkat(directory.number(), unfinished.c_str(), 0);
}

// Our own executable decoded the entries: another one may decode otherwise.
const std::string& own_build() {
    static const std::string id =
        hexadecimal_bytes(ElfFile(std::filesystem::path("/proc/self/exe"), ElfParts::headers).build_id());
    return id;
}

}  // namespace

DecodedCache::DecodedCache(std::filesystem::path directory, std::uint64_t most_bytes)
    : directory_(std::move(directory)), most_bytes_(most_bytes) {}

Descriptor DecodedCache::open_directory() const {
    if (!directory_.is_absolute()) return {};
    std::error_code error;
    std::filesystem::create_directories(directory_.parent_path(), error);
    ::mkdir(directory_.c_str(), 0700);
    Descriptor directory(directory_, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    struct stat status;
    const bool is_ours = directory && ::fstat(directory.number(), &status) == 0 && belongs_to_us_alone(status);
    return is_ours ? std::move(directory) : Descriptor();
}

std::optional<Decoded> DecodedCache::find(const std::string& name) const {
    const Descriptor directory = open_directory();
    return directory ? read_entry_of(directory, name + ending) : std::nullopt;
}

void DecodedCache::keep(const std::string& name, const Decoded& decoded) const {
    const Descriptor directory = open_directory();
    if (!directory) return;
    const std::string bytes = written(decoded);
    if (bytes.size() > most_bytes_ || bytes.size() > most_entry_bytes) return;
    make_room(directory.number(), bytes.size());
    write_entry_of(directory, name, bytes);
}

// Only files that look like entries are touched, those of a run that ended too early among them.
void DecodedCache::make_room(int directory, std::uint64_t bytes) const {
    struct Entry {
        std::string name;
        std::uint64_t bytes;
        timespec used;
    };
    std::vector<Entry> entries;
    DIR* const listing = ::fdopendir(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (listing == nullptr) return;
    std::uint64_t all = bytes;
    while (const dirent* const row = ::readdir(listing)) {
        const std::string name = row->d_name;
        struct stat status;
        if ((!name.ends_with(ending) && !name.ends_with(".new")) ||
            ::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
            continue;
        entries.push_back({name, static_cast<std::uint64_t>(status.st_size), status.st_mtim});
        all += entries.back().bytes;
    }
    ::closedir(listing);
    std::ranges::sort(entries, {}, [](const Entry& one) { return std::pair(one.used.tv_sec, one.used.tv_nsec); });
    for (const Entry& oldest : entries) {
        if (all <= most_bytes_) break;
        if (::unlinkat(directory, oldest.name.c_str(), 0) == 0) all -= oldest.bytes;
    }
}

std::string cache_name(const ElfCode& elf) {
    if (elf.build_id().empty() || own_build().empty()) return {};
    const Hash128 content = elf.content_hash();
    Hasher name;
    for (const std::string& part : {elf.build_id(), own_build()})
        for (const char c : part) name.add(static_cast<unsigned char>(c));
    const Hash128 hash = name.add(content).finish();
    return hexadecimal_digits(hash.high, 16) + hexadecimal_digits(hash.low, 16);
}

std::filesystem::path cache_directory() {
    const std::filesystem::path caches = user_directory("XDG_CACHE_HOME", ".cache");
    return caches.empty() ? caches : caches / "raddle";
}

Decoded decode_or_recall(const ElfCode& elf) {
    std::uint64_t code = 0;
    for (const Range& function : elf.functions()) code += function.end - function.begin;
    const std::filesystem::path directory = code < least_code ? std::filesystem::path() : cache_directory();
    const std::string name = directory.empty() ? "" : cache_name(elf);
    if (name.empty()) return decode(elf);
    const DecodedCache cache(directory);
    if (auto known = cache.find(name)) return std::move(*known);
    Decoded decoded = decode(elf);
    cache.keep(name, decoded);
    return decoded;
}

}  // namespace raddle::code
