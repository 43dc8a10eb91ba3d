#include "supervisor/process/launch/instrumented_code.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "supervisor/base/text.h"

namespace raddle {

namespace {

using memory::Arming;
using memory::FreedBlock;
using memory::JoinedWord;
using memory::SpinState;

// A thread that spins in a further state is recognised anew each time.
constexpr std::size_t most_spin_states = 4096;

template <typename Row>
void append(std::string& bytes, std::uint64_t& place, const std::vector<Row>& rows) {
    bytes.resize((bytes.size() + 63) & ~std::size_t{63});
    place = bytes.size();
    bytes.append(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Row));
}

// What it names, or would name if it were there; a soname and a pattern name libraries that the program loads.
bool names_a_file(const std::string& library) {
    if (::access(library.c_str(), F_OK) == 0) return true;
    return library.find_first_of("*?[") == std::string::npos && library.find('/') != std::string::npos;
}

std::shared_ptr<const CodeListing> listing_of(const std::string& executable, const std::vector<std::string>& libraries,
                                              const std::vector<std::string>& excluded) {
    auto listing = std::make_shared<CodeListing>();
    std::vector<std::string> patterns;
    listing->add_executable(executable);
    for (const std::string& library : libraries)
        if (names_a_file(library))
            listing->add_named(library);
        else
            patterns.push_back(library);
    listing->choose(std::move(patterns), excluded);
    return listing;
}

}  // namespace

bool reports_accesses_of_itself(const std::string& executable) {
    return code::ElfCode(executable, code::ElfCode::Read::linkage).needed(tsan_runtime) == tsan_runtime;
}

InstrumentedCode::InstrumentedCode(const std::string& executable, const std::vector<std::string>& libraries,
                                   MemoryLevel level, const std::vector<std::string>& excluded)
    : InstrumentedCode(listing_of(executable, libraries, excluded), level) {}

InstrumentedCode::InstrumentedCode(std::shared_ptr<const CodeListing> listing, MemoryLevel level)
    : level_(level), first_listing_(listing), listing_(std::move(listing)) {
    arm_anew();
}

void InstrumentedCode::arm_anew() {
    arming_.assign(listing_->sites.size(), level_ == MemoryLevel::all ? Arming::visible : Arming::watched);
}

std::shared_ptr<const CodeListing> InstrumentedCode::listing() const {
    const std::lock_guard lock(lock_);
    return listing_;
}

bool InstrumentedCode::add_found(const std::vector<std::string>& libraries) {
    const auto is_known = [&](const std::string& path) {
        return std::find(listing_->found.begin(), listing_->found.end(), path) != listing_->found.end();
    };
    if (std::all_of(libraries.begin(), libraries.end(), is_known)) return false;
    auto more = std::make_shared<CodeListing>(*listing_);
    for (const std::string& path : libraries)
        if (!is_known(path)) more->add_found(path);
    const bool grows = more->modules.size() > listing_->modules.size();
    listing_ = std::move(more);
    arming_.resize(listing_->sites.size(), level_ == MemoryLevel::all ? Arming::visible : Arming::watched);
    return grows;
}

// From the last one on: following one changes the numbers of those behind it. The last bit stands for several.
bool InstrumentedCode::follow_met(std::uint64_t unwatched) {
    unwatched &= (std::uint64_t{1} << (memory::most_unwatched - 1)) - 1;
    if (unwatched == 0) return false;
    auto more = std::make_shared<CodeListing>(*listing_);
    bool grows = false;
    for (std::size_t i = memory::most_unwatched; i-- > 0;)
        if ((unwatched >> i & 1) != 0) grows = more->follow(i) || grows;
    listing_ = std::move(more);
    arming_.resize(listing_->sites.size(), level_ == MemoryLevel::all ? Arming::visible : Arming::watched);
    return grows;
}

void InstrumentedCode::learn_libraries(const std::vector<std::string>& libraries) {
    const std::lock_guard lock(lock_);
    if (add_found(libraries)) begin_epoch({.everything = true});
}

bool InstrumentedCode::follow_stacks() {
    const std::lock_guard lock(lock_);
    if (stacks_) return false;
    stacks_ = true;
    begin_epoch({.everything = true});
    return true;
}

// More accesses are visible from now on. Spinning depends on everything a thread reads, so conclusions about it are
// void.
void InstrumentedCode::begin_epoch(CodeChange change) {
    change.forgets_spins = !spins_.empty();
    spins_.clear();
    accesses_since_ = ++epoch_;
    growth_.add(epoch_, std::move(change));
}

std::unique_ptr<Growth> InstrumentedCode::growth_since(std::uint64_t epoch) const {
    const std::lock_guard lock(lock_);
    return growth_.since(epoch);
}

std::string InstrumentedCode::names_of_unwatched(std::uint64_t bits,
                                                 const std::vector<std::uint32_t>& instructions) const {
    const std::lock_guard lock(lock_);
    std::string text;
    for (std::size_t i = 0; i < listing_->unwatched.size() && i < memory::most_unwatched; ++i) {
        if ((bits >> i & 1) == 0) continue;
        text += (text.empty() ? "" : ", ") + listing_->unwatched[i].path + " (" + listing_->unwatched[i].why;
        if (i < instructions.size() && instructions[i] != 0)
            text += "; two threads ran " + counted(instructions[i], "instruction");
        text += ")";
    }
    return text;
}

std::string InstrumentedCode::names_of_skipped(std::uint64_t bits) const {
    const std::lock_guard lock(lock_);
    std::string text;
    for (std::size_t i = 0; i < listing_->skipped_names.size() && i < memory::most_told_skipped; ++i)
        if ((bits >> i & 1) != 0) text += (text.empty() ? "" : ", ") + listing_->skipped_names[i];
    return text;
}

std::shared_ptr<InstrumentedCode> InstrumentedCode::anew() const {
    const std::lock_guard lock(lock_);
    const std::shared_ptr<InstrumentedCode> copy(new InstrumentedCode(listing_, level_));
    copy->stacks_ = stacks_;
    return copy;
}

InstrumentedCode::~InstrumentedCode() = default;

std::uint64_t InstrumentedCode::epoch() const {
    const std::lock_guard lock(lock_);
    return epoch_;
}

std::size_t InstrumentedCode::visible() const {
    const std::lock_guard lock(lock_);
    return static_cast<std::size_t>(std::count(arming_.begin(), arming_.end(), Arming::visible)) + calls_.size();
}

bool InstrumentedCode::adds_actions() const {
    if (visible() != 0) return true;
    const std::lock_guard lock(lock_);
    return !freed_.empty();
}

int InstrumentedCode::describe() const {
    const std::lock_guard lock(lock_);
    memory::Header header{};
    header.magic = memory::magic;
    header.module_count = static_cast<std::uint32_t>(listing_->modules.size());
    header.site_count = static_cast<std::uint32_t>(listing_->sites.size());
    header.joined_count = static_cast<std::uint32_t>(joined_.size());
    header.call_count = static_cast<std::uint32_t>(calls_.size());
    header.atomics_only = level_ == MemoryLevel::atomics ? 1 : 0;
    header.everything = level_ == MemoryLevel::all ? 1 : 0;
    header.stacks = stacks_ ? 1 : 0;
    header.signals = signals_ ? 1 : 0;
    header.reported_count = static_cast<std::uint32_t>(listing_->reported.size());
    header.spin_count = static_cast<std::uint32_t>(spins_.size());
    header.freed_count = static_cast<std::uint32_t>(freed_.size());
    header.function_count = static_cast<std::uint32_t>(listing_->functions.size());
    header.instruction_count = static_cast<std::uint32_t>(listing_->instructions.size());
    header.skipped_count = static_cast<std::uint32_t>(listing_->skipped_places.size());
    header.spins_full = spins_.size() >= most_spin_states ? 1 : 0;
    std::string bytes(sizeof header, '\0');
    append(bytes, header.modules, listing_->modules);
    append(bytes, header.sites, listing_->sites);
    append(bytes, header.arming, arming_);
    append(bytes, header.joined, joined_);
    append(bytes, header.calls, std::vector<std::uint64_t>(calls_.begin(), calls_.end()));
    append(bytes, header.reported, listing_->reported);
    append(bytes, header.spins, spins_);
    append(bytes, header.freed, freed_);
    append(bytes, header.skipped, listing_->skipped_places);
    append(bytes, header.functions, listing_->functions);
    append(bytes, header.instructions, listing_->instructions);
    header.bytes = bytes.size();
    std::memcpy(bytes.data(), &header, sizeof header);

    const int file = ::memfd_create("raddle-code", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    std::size_t written = 0;
    while (file >= 0 && written < bytes.size()) {
        const ssize_t some = ::write(file, bytes.data() + written, bytes.size() - written);
        if (some <= 0 && errno != EINTR) break;
        if (some > 0) written += static_cast<std::size_t>(some);
    }
    if (file < 0 || written < bytes.size() ||
        ::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) {
        const int error = errno;
        if (file >= 0) ::close(file);
        throw BadInput("cannot make shared memory: " + std::string(std::strerror(error)));
    }
    return file;
}

namespace {

// The end of a frame counts as a free of the whole stack, and the shim does not note it as a place.
constexpr std::uint64_t smallest_stack = 1 << 16;

bool is_new(const CodeChange& change) {
    return change.everything || !change.places.empty() || !change.joined_words.empty();
}

}  // namespace

// The target can write anything there. Sites that do not exist are ignored; joined words, blocks and calls are only
// names.
void InstrumentedCode::take_from(channel::Channel& channel, std::uint64_t epoch) {
    const std::uint32_t words =
        std::min(__atomic_load_n(&channel.result.code_words, __ATOMIC_ACQUIRE), channel::most_code_words);
    const std::lock_guard lock(lock_);
    growth_.learn_labels(channel.code_words, words);
    // Bits of an older description name other libraries.
    if (epoch == epoch_ && follow_met(__atomic_load_n(&channel.result.unwatched, __ATOMIC_RELAXED)))
        begin_epoch({.everything = true});
    if (CodeChange change = take_places(channel); is_new(change)) {
        begin_epoch(std::move(change));
    } else if (epoch >= accesses_since_) {
        change = take_spins(channel);
        if (change.everything || !change.spin_sites.empty()) growth_.add(++epoch_, std::move(change));
    }
    __atomic_store_n(&channel.result.memory_spins, 0u, __ATOMIC_RELEASE);
}

CodeChange InstrumentedCode::take_places(channel::Channel& channel) {
    const std::uint32_t found = __atomic_load_n(&channel.result.memory_found, __ATOMIC_ACQUIRE);
    const std::uint32_t joined =
        std::min(__atomic_load_n(&channel.result.memory_joined, __ATOMIC_ACQUIRE), channel::most_joined);
    const std::uint32_t freed =
        std::min(__atomic_load_n(&channel.result.memory_freed, __ATOMIC_ACQUIRE), channel::most_freed);
    const std::uint32_t calls =
        std::min(__atomic_load_n(&channel.result.memory_calls, __ATOMIC_ACQUIRE), channel::most_calls);
    const bool stacks = __atomic_load_n(&channel.result.memory_stacks, __ATOMIC_ACQUIRE) != 0;
    const bool signals = __atomic_load_n(&channel.result.memory_signals, __ATOMIC_ACQUIRE) != 0;
    CodeChange change{.everything = (stacks && !stacks_) || (signals && !signals_)};
    stacks_ |= stacks;
    signals_ |= signals;
    for (std::size_t site = 0; found != 0 && site < listing_->sites.size(); ++site) {
        if (channel.memory_found[site] == 0) continue;
        channel.memory_found[site] = 0;
        if (arming_[site] == Arming::visible) continue;
        arming_[site] = Arming::visible;
        change.places.insert(code_label::place_of_instruction(static_cast<std::uint32_t>(site)));
    }
    for (std::uint32_t i = 0; i < joined; ++i) {
        JoinedWord row;
        std::memcpy(&row, &channel.memory_joined[i], sizeof row);
        if (add_joined(row)) change.joined_words.push_back(row.word);
    }
    for (std::uint32_t i = 0; i < freed; ++i) {
        FreedBlock row;
        std::memcpy(&row, &channel.memory_freed[i], sizeof row);
        if (!add_freed(row)) continue;
        change.everything |= row.bytes >= smallest_stack;
        change.places.insert(code_label::place_of_free(row.site, row.bytes));
    }
    for (std::uint32_t i = 0; i < calls && calls_.size() < memory::most_sites; ++i) {
        const std::uint64_t call = __atomic_load_n(&channel.memory_calls[i], __ATOMIC_RELAXED);
        if (calls_.insert(call).second) change.places.insert(code_label::place_of_call(call));
    }
    return change;
}

CodeChange InstrumentedCode::take_spins(channel::Channel& channel) {
    const std::uint32_t spins =
        std::min(__atomic_load_n(&channel.result.memory_spins, __ATOMIC_ACQUIRE), channel::most_spins);
    CodeChange change;
    const bool were_full = spins_.size() >= most_spin_states;
    for (std::uint32_t i = 0; i < spins; ++i) {
        channel::FoundSpin row;
        std::memcpy(&row, &channel.memory_spins[i], sizeof row);
        if (add_spin(row.site, row.state, row.value)) change.spin_sites.insert(row.site);
    }
    change.everything = !were_full && spins_.size() >= most_spin_states;
    return change;
}

// False if all its bytes are known as joined.
bool InstrumentedCode::add_joined(const JoinedWord& row) {
    const auto known =
        std::find_if(joined_.begin(), joined_.end(), [&](const JoinedWord& one) { return one.word == row.word; });
    if (known != joined_.end() && (row.joined & ~known->joined) == 0) return false;
    if (known != joined_.end())
        known->joined |= row.joined;
    else
        joined_.push_back(row);
    return true;
}

bool InstrumentedCode::add_spin(std::uint64_t site, std::uint64_t state, std::uint64_t value) {
    const SpinState wanted{state, site, {}};
    auto at = std::lower_bound(spins_.begin(), spins_.end(), wanted, memory::comes_before);
    if (at == spins_.end() || memory::comes_before(wanted, *at)) at = spins_.insert(at, wanted);
    const SpinState before = *at;
    return add_spin_value(at->spin_values, value) &&
           !(before.spin_values[0] == at->spin_values[0] && before.spin_values[1] == at->spin_values[1]);
}

bool InstrumentedCode::add_freed(const FreedBlock& block) {
    auto known = std::find_if(freed_.begin(), freed_.end(), [&](const FreedBlock& one) {
        return one.site == block.site && one.bytes == block.bytes && one.offset == block.offset;
    });
    if (known == freed_.end()) {
        if (freed_.size() == channel::most_freed || block.offset % memory::freed_bytes != 0) return false;
        known = freed_.insert(known, {block.site, block.bytes, block.offset, {}});
    }
    bool grows = false;
    for (std::size_t at = 0; at < memory::freed_bytes; ++at) {
        const std::uint8_t width = block.width[at];
        if (width <= known->width[at] || (width != 1 && width != 2 && width != 4 && width != 8)) continue;
        known->width[at] = width;
        grows = true;
    }
    return grows;
}

const char* name_of(MemoryLevel level) {
    switch (level) {
        case MemoryLevel::sync: return "sync";
        case MemoryLevel::atomics: return "atomics";
        case MemoryLevel::races: return "races";
        case MemoryLevel::all: return "all";
    }
    return "?";
}

}  // namespace raddle
