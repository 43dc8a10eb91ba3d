#include "supervisor/engine/suite/suite_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>

#include "store/build_id.h"
#include "store/store_error.h"
#include "supervisor/base/checksum.h"
#include "supervisor/base/descriptor.h"
#include "supervisor/base/files.h"
#include "supervisor/engine/kept/campaign_directory.h"
#include "supervisor/engine/program/process_settings.h"
#include "supervisor/engine/program/run_settings.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

constexpr int schema = 1;
constexpr const char* index_name = "suite.json";
constexpr const char* lock_name = "suite.lock";
constexpr std::size_t longest_name = 80;  // of a directory, without the hash

// Held until the end of the scope. Without it (a file system that has no locks) a result might get lost, no more.
class Lock {
public:
    explicit Lock(const fs::path& file) : file_(file, O_CREAT | O_RDWR, 0666) {
        while (file_ && ::flock(file_.number(), LOCK_EX) != 0 && errno == EINTR) {}
    }

private:
    const Descriptor file_;
};

Json json_of(const TestResult& result) {
    Json bugs = Json::array();
    for (const TestBug& bug : result.bugs)
        bugs.push_back({{"kind", bug.kind},
                        {"preemptions", bug.preemptions},
                        {"message", bug.message},
                        {"brief", bug.brief},
                        {"directory", bug.directory},
                        {"schedule", bug.schedule}});
    return {{"name", result.name},
            {"ending", name_of(result.ending)},
            {"because", result.because},
            {"remarks", result.remarks},
            {"executions", result.executions},
            {"graphs", result.graphs},
            {"exhausted", result.exhausted},
            {"has_focus", result.has_focus},
            {"bound_complete", result.complete_to ? Json(*result.complete_to) : Json()},
            {"seconds", result.seconds},
            {"cpu_seconds", result.cpu_seconds},
            {"one_thread", result.has_one_thread},
            {"bugs", std::move(bugs)},
            {"directory", result.directory}};
}

// Throws nlohmann::json::exception for values of another kind.
TestResult result_of(const Json& one) {
    TestResult result;
    result.name = one.at("name").get<std::string>();
    const auto ending = test_ending_named(one.at("ending").get<std::string>());
    if (!ending) throw BadInput("no ending of this version");
    result.ending = *ending;
    result.because = one.at("because").get<std::string>();
    result.remarks = one.at("remarks").get<std::vector<std::string>>();
    result.executions = one.at("executions").get<std::uint64_t>();
    result.graphs = one.at("graphs").get<std::uint64_t>();
    result.exhausted = one.at("exhausted").get<bool>();
    result.has_focus = one.value("has_focus", false);
    if (!one.at("bound_complete").is_null()) result.complete_to = one.at("bound_complete").get<std::uint32_t>();
    result.seconds = one.at("seconds").get<double>();
    result.cpu_seconds = one.at("cpu_seconds").get<double>();
    result.has_one_thread = one.at("one_thread").get<bool>();
    result.directory = one.at("directory").get<std::string>();
    for (const Json& bug : one.at("bugs"))
        result.bugs.push_back({.kind = bug.at("kind").get<std::string>(),
                               .preemptions = bug.at("preemptions").get<std::uint32_t>(),
                               .message = bug.at("message").get<std::string>(),
                               .brief = bug.at("brief").get<std::string>(),
                               .directory = bug.at("directory").get<std::string>(),
                               .schedule = bug.at("schedule").get<std::string>()});
    return result;
}

std::map<std::string, KeptTest> tests_in(const std::string& text) {
    const Json index = Json::parse(text, nullptr, false);
    std::map<std::string, KeptTest> tests;
    try {
        if (!index.is_object() || index.at("schema") != schema) return {};
        for (const Json& one : index.at("tests")) {
            KeptTest test{result_of(one.at("result")), one.at("files").get<FileIds>()};
            tests[test.result.name] = std::move(test);
        }
    } catch (const Json::exception&) {
        return {};
    } catch (const BadInput&) {
        return {};
    }
    return tests;
}

}  // namespace

FileIds file_ids_of(const TestCase& test, const Settings& settings) {
    FileIds ids;
    for (const fs::path& file : files_loaded_by(find_executable(test.program.at(0)), base_environment(settings)))
        ids.emplace_back(file.string(), build_id_of(file));
    return ids;
}

SuiteStore::SuiteStore(fs::path directory) : directory_(std::move(directory)) {
    std::error_code error;
    fs::create_directories(directory_, error);
    if (error)
        throw StoreError(directory_.string() + ": cannot be made: " + error.message() +
                         "; give another directory with -C");
    if (const auto text = content_of(directory_ / index_name)) tests_ = tests_in(*text);
}

fs::path SuiteStore::campaign_of(const std::string& test) const {
    std::string name;
    for (const char c : test)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || (c == '.' && !name.empty())
                    ? c
                    : '_';
    if (name == test && name.size() <= longest_name && name != index_name) return directory_ / name;
    return directory_ / (name.substr(0, longest_name) + "-" + fingerprint(test).substr(0, 8));
}

const KeptTest* SuiteStore::find(const std::string& test) const {
    const auto found = tests_.find(test);
    return found == tests_.end() ? nullptr : &found->second;
}

// Other processes may run other tests of the suite (ctest -j): their results are read again under a lock.
void SuiteStore::keep(const TestResult& result, const FileIds& files) {
    const Lock lock(directory_ / lock_name);
    if (const auto text = content_of(directory_ / index_name)) tests_ = tests_in(*text);
    tests_[result.name] = {result, files};
    Json index = {{"schema", schema}, {"tests", Json::array()}};
    for (const auto& [name, test] : tests_)
        index["tests"].push_back({{"result", json_of(test.result)}, {"files", test.files}});
    const fs::path fresh = directory_ / (std::string(index_name) + ".new");
    std::ofstream file(fresh, std::ios::binary);
    file << index.dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
    file.close();
    std::error_code error;
    if (file) fs::rename(fresh, directory_ / index_name, error);
    if (!file || error) throw StoreError((directory_ / index_name).string() + ": cannot be written; is the disk full?");
}

fs::path suite_directory(const Settings& settings) {
    if (settings.given("campaign")) return settings.text("campaign");
    if (settings.given("ctest")) {
        std::error_code error;
        const std::string build = fs::weakly_canonical(settings.text("ctest"), error).string();
        return fs::path("raddle.out") / ("ctest-" + fingerprint(build).substr(0, 8) + ".tests");
    }
    return campaign_directory(settings, strategy_name(settings)).string() + ".tests";
}

std::string text_of(const TestResult& result) {
    return json_of(result).dump(-1, ' ', false, Json::error_handler_t::replace);
}

TestResult test_result_from(const std::string& text) {
    try {
        return result_of(Json::parse(text));
    } catch (const Json::exception& error) {
        throw BadInput(std::string("no result of a test: ") + error.what());
    }
}

}  // namespace raddle
