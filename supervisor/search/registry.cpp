// Makes strategies by name, and saves and loads them. A saved state is a header, the strategy's own bytes, and a
// checksum. Loading refuses bytes that do not fit and says why.
#include "supervisor/base/checksum.h"
#include "supervisor/search/around/restarting_search.h"
#include "supervisor/search/around/rising_steps.h"
#include "supervisor/search/strategy.h"

namespace raddle {

bool proves_fewest_preemptions(const Coverage& coverage, Verdict bug, std::uint32_t preemptions) {
    if (preemptions == 0) return true;
    return is_property_of_graph(bug) && coverage.complete_to && *coverage.complete_to + 1 >= preemptions &&
           coverage.incomplete_because.empty();
}

#define RADDLE_STRATEGY(name, make, unit, options, text) std::unique_ptr<Strategy> make(const StrategyOptions&);
#include "supervisor/search/strategies.def"
#undef RADDLE_STRATEGY

const std::vector<StrategyRow>& strategy_rows() {
    using namespace takes;
    static const std::vector<StrategyRow> rows = {
#define RADDLE_STRATEGY(name, make, unit, options, text) {name, SearchUnit::unit, options, text, make},
#include "supervisor/search/strategies.def"
#undef RADDLE_STRATEGY
    };
    return rows;
}

std::unique_ptr<Strategy> make_strategy(const std::string& name, const StrategyOptions& options) {
    std::string known;
    for (const StrategyRow& row : strategy_rows()) {
        known += (known.empty() ? "" : ", ") + std::string(row.name);
        if (row.name != name) continue;
        if (!options.visible_set) return make_rising_steps(row.make(options), options);
        // The options have to live as long as the searches that use them.
        const auto kept = std::make_shared<StrategyOptions>(options);
        return make_restarting_search([make = row.make, kept] { return make_rising_steps(make(*kept), *kept); },
                                      options.visible_set);
    }
    throw BadInput("there is no strategy '" + name + "'; known are " + known);
}

namespace {

// Stored on disk: never change.
constexpr std::string_view magic = "raddle-search";
constexpr std::uint64_t saved_search_version = 4;
constexpr std::size_t length_size = 8;
constexpr std::size_t checksum_size = 8;
constexpr std::size_t body_begin = magic.size() + 1 + length_size;

[[noreturn]] void refuse(const std::string& why) { throw BadInput("saved search state: " + why); }

void write_options(Writer& out, const StrategyOptions& options) {
    out.number(static_cast<std::uint64_t>(options.machine.independence));
    const bool limits_patience = options.machine.limits_patience();
    const std::uint32_t max_threads = options.machine.max_threads;
    out.number((options.machine.spurious_wakeups ? 1 : 0) + (limits_patience ? 2 : 0) + (max_threads != 0 ? 4 : 0) +
               (options.machine.has_focus ? 8 : 0));
    if (limits_patience) out.number(options.machine.patience);
    if (max_threads != 0) out.number(max_threads);
    out.number(options.max_steps);
}

void expect_options(Reader& in, const StrategyOptions& options) {
    const auto independence = static_cast<Independence>(in.number_below(3, "the independence relation"));
    const std::uint64_t given = in.number_below(16, "whether wakeups are spurious, and what is limited");
    const bool spurious_wakeups = (given & 1) != 0;
    const std::uint64_t patience = (given & 2) != 0 ? in.number() : MachineOptions::unlimited;
    const std::uint64_t max_threads = (given & 4) != 0 ? in.number() : 0;
    const std::uint64_t max_steps = in.number();
    if (independence != options.machine.independence)
        refuse(std::string("it was made with the ") + name_of(independence) + " independence relation, not the " +
               name_of(options.machine.independence) + " one");
    if (spurious_wakeups != options.machine.spurious_wakeups)
        refuse(std::string("it was made ") + (spurious_wakeups ? "with" : "without") + " spurious wakeups");
    if (patience != options.machine.patience) refuse("it was made with another patience");
    if (((given & 8) != 0) != options.machine.has_focus)
        refuse(std::string("it was made ") + ((given & 8) != 0 ? "with" : "without") + " a focus");
    if (max_threads != options.machine.max_threads) refuse("it was made with another limit of threads");
    if (max_steps != options.max_steps)
        refuse("it was made with at most " + std::to_string(max_steps) + " steps an execution, not " +
               std::to_string(options.max_steps));
}

// The bytes between the magic word and the checksum.
std::string_view body_of(std::string_view bytes) {
    if (bytes.substr(0, magic.size()) != magic.substr(0, bytes.size())) refuse("this is none");
    if (bytes.size() <= magic.size()) refuse("it ends too early");
    const std::uint64_t version = static_cast<std::uint8_t>(bytes[magic.size()]);
    if (version != saved_search_version)
        refuse("it is of format " + std::to_string(version) + ", this program reads format " +
               std::to_string(saved_search_version));
    if (bytes.size() < body_begin + checksum_size) refuse("it ends too early");
    const std::uint64_t size = Reader(bytes.substr(magic.size() + 1)).fixed64();
    const std::size_t present = bytes.size() - body_begin - checksum_size;
    if (size > present)
        refuse("it ends too early: " + std::to_string(present) + " of " + std::to_string(size) + " bytes are there");
    if (size < present) refuse("it is damaged: there is more than its " + std::to_string(size) + " bytes");
    if (Reader(bytes.substr(body_begin + size)).fixed64() != fnv1a(bytes.substr(0, body_begin + size)))
        refuse("it is damaged: its checksum is another");
    return bytes.substr(body_begin, size);
}

}  // namespace

std::string save_strategy(const std::string& name, const StrategyOptions& options, const Strategy& strategy) {
    Writer body;
    body.text(name);
    write_options(body, options);
    strategy.save(body);

    Writer length;
    length.fixed64(body.bytes().size());
    std::string bytes = std::string(magic) + static_cast<char>(saved_search_version) + length.bytes() + body.bytes();
    Writer checksum;
    checksum.fixed64(fnv1a(bytes));
    return bytes + checksum.bytes();
}

std::unique_ptr<Strategy> load_strategy(const std::string& name, const StrategyOptions& options,
                                        const std::string& bytes) {
    Reader in(body_of(bytes));
    const std::string saved_name = in.text();
    if (saved_name != name) refuse("it is of the strategy '" + saved_name + "', not '" + name + "'");
    expect_options(in, options);
    std::unique_ptr<Strategy> strategy = make_strategy(name, options);
    strategy->load(in);
    in.expect_end();
    return strategy;
}

}  // namespace raddle
