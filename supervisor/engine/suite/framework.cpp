#include "supervisor/engine/suite/framework.h"

#include <algorithm>
#include <filesystem>

#include "store/build_id.h"
#include "supervisor/base/text.h"
#include "supervisor/binary/decode/elf_code.h"
#include "supervisor/engine/program/process_settings.h"
#include "supervisor/engine/suite/listing_process.h"
#include "supervisor/engine/suite/test_case.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace fs = std::filesystem;

const std::vector<Framework>& frameworks() {
    static const std::vector<Framework> rows = {
#define RADDLE_FRAMEWORK(name, title, mark, read, select, ...) {name, title, mark, read, select, {__VA_ARGS__}},
#include "supervisor/engine/suite/framework.def"
#undef RADDLE_FRAMEWORK
    };
    return rows;
}

namespace {

// The program that lists its tests.
class Lister {
public:
    explicit Lister(const Settings& settings)
        : settings_(settings),
          executable_(fs::absolute(find_executable(settings.program.at(0))).string()),
          limit_(duration_of(settings.text("exec-timeout"))) {}

    const std::string& executable() const { return executable_; }

    // The frameworks whose mark the program or one of its libraries has.
    std::vector<Framework> candidates() const {
        const std::string wanted = settings_.text("framework");
        std::vector<Framework> found;
        for (const Framework& one : frameworks())
            if (wanted.empty() ? has_mark(one) : wanted == one.name) found.push_back(one);
        return found;
    }

    // The tests, if the program prints a list of this framework. Both streams: Boost.Test lists on standard error.
    Listing tests(const Framework& framework, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words = settings_.program;
        words[0] = executable_;
        words.insert(words.end(), framework.list.begin(), framework.list.end());
        words.insert(words.end(), more.begin(), more.end());
        const ListingOutput output = output_of(words, settings_.text("chdir"), environment(), limit_);
        if (!output.ended)
            throw BadInput(executable_ + " " + framework.list.front() + " did not end within " +
                           settings_.text("exec-timeout") + " (--exec-timeout), so its tests are not known");
        Listing listing = framework.read(output.out);
        return listing && !listing->empty() ? listing : framework.read(output.errors);
    }

private:
    std::vector<std::string> environment() const {
        std::vector<std::string> entries = base_environment(settings_);
        for (const std::string& one : settings_.all("env")) entries.push_back(one);
        return entries;
    }

    bool has_mark(const Framework& framework) const {
        if (files_.empty()) files_ = files_loaded_by(executable_, environment());
        return std::any_of(files_.begin(), files_.end(), [&](const fs::path& file) {
            return code::ElfCode(file.string(), code::ElfCode::Read::linkage).contains(framework.mark);
        });
    }

    const Settings& settings_;
    const std::string executable_;
    const std::chrono::milliseconds limit_;
    mutable std::vector<fs::path> files_;
};

// libtest lists ignored tests with the others; only a list of them alone tells which they are.
void mark_ignored(const Lister& lister, const Framework& framework, std::vector<ListedTest>& tests) {
    if (framework.name != std::string("libtest")) return;
    const Listing ignored = lister.tests(framework, {"--ignored"});
    for (ListedTest& test : tests)
        if (ignored &&
            std::any_of(ignored->begin(), ignored->end(), [&](const ListedTest& one) { return one.name == test.name; }))
            test.skipped = "ignored";
}

[[noreturn]] void refuse_unknown(const std::string& executable) {
    std::vector<std::string> titles = {"CTest (--ctest DIR)"};
    for (const Framework& one : frameworks())
        if (std::find(titles.begin(), titles.end(), one.title) == titles.end()) titles.emplace_back(one.title);
    throw BadInput(executable + " lists no tests as " + joined(titles, ", ") +
                   " do; raddle run -- tests the whole program, and --framework names a framework");
}

}  // namespace

TestSuite listed_suite(const Settings& settings) {
    if (settings.given("ctest")) return listed_by_ctest(settings);
    const Lister lister(settings);
    for (const Framework& framework : lister.candidates()) {
        Listing listing = lister.tests(framework);
        if (!listing) continue;
        mark_ignored(lister, framework, *listing);
        TestSuite suite{.framework = framework.title,
                        .name = fs::path(lister.executable()).filename().string(),
                        .program = shell_line(settings.program),
                        .tests = {}};
        for (const ListedTest& test : *listing) {
            TestCase one{.name = test.name, .program = settings.program};
            const std::vector<std::string> selection = framework.select(test.name);
            one.program.insert(one.program.end(), selection.begin(), selection.end());
            one.skipped = test.skipped;
            one.is_death_test = test.is_death_test;
            suite.tests.push_back(std::move(one));
        }
        return suite;
    }
    refuse_unknown(lister.executable());
}

}  // namespace raddle
