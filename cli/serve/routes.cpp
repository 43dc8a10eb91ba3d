#include "cli/serve/routes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "cli/serve/live_page.h"
#include "store/store_error.h"
#include "supervisor/engine/bugs/report_header.h"

namespace raddle::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_page = std::size_t{64} << 20;
constexpr const char* html = "text/html; charset=utf-8";

HttpAnswer not_found() { return {404, "text/plain; charset=utf-8", "Not Found\n"}; }

// Looks at every character, so that the time says nothing about the key.
bool has_beginning(const std::string& text, const std::string& beginning) {
    if (text.size() < beginning.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < beginning.size(); ++i)
        difference |= static_cast<unsigned char>(text[i]) ^ static_cast<unsigned char>(beginning[i]);
    return difference == 0;
}

// A link in the place of a directory or page leads nowhere: a stranger's campaign cannot show files of this user.
HttpAnswer content_of(const fs::path& directory, const char* name) {
    const int folder = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return not_found();
    const int file = ::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ::close(folder);
    if (file < 0) return not_found();
    HttpAnswer answer{200, html, {}};
    struct stat status;
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink > 1) answer = not_found();
    std::array<char, 1 << 16> bytes;
    for (ssize_t count; answer.status == 200 && (count = ::read(file, bytes.data(), bytes.size())) != 0;) {
        if (count < 0 || answer.body.size() > largest_page)
            answer = not_found();
        else
            answer.body.append(bytes.data(), static_cast<std::size_t>(count));
    }
    ::close(file);
    return answer;
}

}  // namespace

Routes::Routes(fs::path campaign, std::string key) : campaign_(std::move(campaign)), base_("/" + std::move(key)) {}

HttpAnswer Routes::answer(const HttpRequest& request) const {
    if (!has_beginning(request.target, base_ + "/")) return not_found();
    const std::string rest = request.target.substr(base_.size() + 1), bugs = "bugs/";
    if (rest.empty()) return page();
    return rest.starts_with(bugs) ? bug(rest.substr(bugs.size())) : not_found();
}

HttpAnswer Routes::page() const {
    try {
        const CampaignStore store(campaign_, CampaignStore::Open::read);
        return {200, html, live_page(store, base_, fresh_nonce())};
    } catch (const StoreError& error) {
        return {503, "text/plain; charset=utf-8", std::string(error.what()) + "\n"};
    }
}

// The name must be that of an entry of the directory, so no path leads out of it.
HttpAnswer Routes::bug(const std::string& name) const {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(campaign_ / "bugs", error))
        if (entry.path().filename() == name) return content_of(entry.path(), "report.html");
    return not_found();
}

}  // namespace raddle::cli
