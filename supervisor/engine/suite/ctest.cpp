// The tests of a CMake build directory, read from `ctest --show-only=json-v1`.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "supervisor/base/text.h"
#include "supervisor/engine/suite/listing_process.h"
#include "supervisor/engine/suite/test_case.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

std::vector<std::string> texts_of(const Json& value) {
    std::vector<std::string> texts;
    if (value.is_string()) texts.push_back(value.get<std::string>());
    if (value.is_array())
        for (const Json& one : value)
            if (one.is_string()) texts.push_back(one.get<std::string>());
    return texts;
}

// What raddle judges is the end of the program, so a test that ctest judges by something else is left out.
std::string why_not(const std::string& property, const Json& value) {
    if (property == "DISABLED" && value == true) return "disabled";
    if (property == "WILL_FAIL" && value == true) return "expected to fail (WILL_FAIL)";
    if (property == "PASS_REGULAR_EXPRESSION" || property == "FAIL_REGULAR_EXPRESSION" ||
        property == "SKIP_REGULAR_EXPRESSION")
        return "judged by its output (" + property + ")";
    if (property == "FIXTURES_REQUIRED") return "needs other tests before it (FIXTURES_REQUIRED)";
    return {};
}

void read_property(TestCase& test, const std::string& property, const Json& value) {
    if (const std::string why = why_not(property, value); !why.empty() && test.skipped.empty()) test.skipped = why;
    if (property == "WORKING_DIRECTORY" && value.is_string()) test.directory = value.get<std::string>();
    if (property == "ENVIRONMENT") test.environment = texts_of(value);
    if (property == "SKIP_RETURN_CODE" && value.is_number_integer())
        test.expected_exits = {"0", std::to_string(value.get<int>())};
}

TestCase test_of(const Json& one) {
    TestCase test;
    test.name = one.value("name", "");
    if (one.contains("command")) test.program = texts_of(one["command"]);
    if (one.contains("properties"))
        for (const Json& property : one["properties"])
            if (property.contains("value")) read_property(test, property.value("name", ""), property["value"]);
    if (test.program.empty())
        test.skipped = "its program is not built";
    else if (fs::path(test.program[0]).filename() == "raddle")
        test.skipped = "runs raddle itself";
    return test;
}

}  // namespace

TestSuite listed_by_ctest(const Settings& settings) {
    const fs::path directory = settings.text("ctest");
    if (std::error_code error; !fs::is_regular_file(directory / "CTestTestfile.cmake", error))
        throw BadInput(
            "--ctest: " + directory.string() +
            " has no CTestTestfile.cmake; give the build directory of a CMake project with enable_testing()");
    const ListingOutput output = output_of({"ctest", "--show-only=json-v1"}, directory.string(), std::nullopt,
                                           duration_of(settings.text("exec-timeout")));
    const Json listed = Json::parse(output.out, nullptr, false);
    if (!listed.is_object() || !listed.contains("tests"))
        throw BadInput("ctest --show-only=json-v1 in " + directory.string() +
                       " printed no list of tests; it needs CMake 3.14 or newer in PATH" +
                       (output.errors.empty() ? "" : ": " + printable(output.errors)));
    TestSuite suite{.framework = "CTest",
                    .name = fs::absolute(directory / ".").lexically_normal().parent_path().filename().string(),
                    .program = "ctest --test-dir " + shell_word(directory.string()),
                    .tests = {}};
    for (const Json& one : listed["tests"]) suite.tests.push_back(test_of(one));
    return suite;
}

}  // namespace raddle
