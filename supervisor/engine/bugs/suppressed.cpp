#include "supervisor/engine/bugs/suppressed.h"

#include <cerrno>
#include <cstring>
#include <ctime>

#include "supervisor/base/files.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::localtime_r(&now, &parts);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
    return text;
}

}  // namespace

Suppressions suppressions_of(const Settings& settings, const Notices& say) {
    Suppressions all;
    for (const std::string& path : settings.all("suppressions")) {
        const auto content = content_of(path);
        if (!content) throw BadInput("--suppressions: " + path + " cannot be read: " + std::strerror(errno));
        all.add(Suppressions::parse(*content, path, today()));
    }
    for (const std::string& line : all.complaints()) say(line);
    return all;
}

bool Suppressed::operator()(Verdict verdict, const std::string& key) {
    if (suppressions_.empty()) return false;
    const std::lock_guard lock(lock_);
    const auto named = [this](const std::string& text) {
        if (!names_) names_.emplace(subject_().files);
        return names_->with_functions(text);
    };
    return suppressions_.covering(verdict, key, named) != nullptr;
}

void set_suppressed_apart(CampaignResult& result, Suppressed& suppressed) {
    for (std::vector<Bug>* bugs : {&result.bugs, &result.unstable}) {
        std::vector<Bug> kept;
        for (Bug& bug : *bugs)
            (suppressed(bug.found.verdict, bug.found.key) ? result.suppressed : kept).push_back(std::move(bug));
        *bugs = std::move(kept);
    }
}

}  // namespace raddle
