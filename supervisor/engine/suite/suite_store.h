// The directory of a suite: one campaign for each test, and suite.json with the results of the last run.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "replay/report/suite_report.h"
#include "supervisor/engine/suite/test_case.h"

namespace raddle {

// The files that a test loads, each with its build-id: equal lists mean an unchanged test.
using FileIds = std::vector<std::pair<std::string, std::string>>;
FileIds file_ids_of(const TestCase& test, const Settings& settings);

struct KeptTest {
    TestResult result;
    FileIds files;
};

class SuiteStore {
public:
    // Reads what is there. A suite.json that cannot be read counts as none. Throws StoreError if the directory cannot
    // be made.
    explicit SuiteStore(std::filesystem::path directory);

    const std::filesystem::path& directory() const { return directory_; }
    // The directory of the campaign of a test.
    std::filesystem::path campaign_of(const std::string& test) const;
    const KeptTest* find(const std::string& test) const;  // null: it never ran
    // Written at once, so that a kill loses nothing.
    void keep(const TestResult& result, const FileIds& files);

private:
    std::filesystem::path directory_;
    std::map<std::string, KeptTest> tests_;
};

// The directory of a suite if -C names none.
std::filesystem::path suite_directory(const Settings& settings);

// One line of JSON, without the explanations.
std::string text_of(const TestResult& result);
// Throws BadInput.
TestResult test_result_from(const std::string& text);

}  // namespace raddle
