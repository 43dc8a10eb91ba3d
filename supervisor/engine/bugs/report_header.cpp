#include "supervisor/engine/bugs/report_header.h"

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <filesystem>

#include "supervisor/base/error.h"
#include "supervisor/engine/version.h"

namespace raddle {

namespace {

std::string now() {
    const std::time_t time = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    return text.data();
}

std::string this_host() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

CampaignReport empty_report() {
    CampaignReport report;
    report.tool = std::string("raddle ") + version;
    report.made_at = now();
    report.host = this_host();
    std::error_code error;
    report.source_root = std::filesystem::current_path(error).string();
    return report;
}

std::string fresh_nonce() {
    std::array<unsigned char, 16> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw BadInput("the system has no random numbers");
    std::string text;
    for (const unsigned char byte : bytes) text += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    return text;
}

}  // namespace raddle
