// The paths that raddle serve knows: /KEY/, and /KEY/bugs/NAME for each bug that has a page. KEY is a secret of the
// user who started it, because every user of the machine reaches its loopback.
#pragma once

#include <filesystem>
#include <string>

#include "cli/serve/loopback_server.h"

namespace raddle::cli {

class Routes {
public:
    Routes(std::filesystem::path campaign, std::string key);
    HttpAnswer answer(const HttpRequest& request) const;

private:
    HttpAnswer page() const;
    HttpAnswer bug(const std::string& name) const;

    const std::filesystem::path campaign_;
    const std::string base_;
};

}  // namespace raddle::cli
