// raddle serve: a live page about a campaign, on loopback.
#include <iostream>

#include "cli/commands/commands.h"
#include "cli/serve/routes.h"
#include "store/campaign_store.h"
#include "supervisor/engine/bugs/report_header.h"
#include "supervisor/engine/kept/campaign_directory.h"
#include "supervisor/engine/program/interruption.h"

namespace raddle::cli {

const std::vector<Example> serve_examples = {
    {"raddle serve", "a live page about the campaign in raddle.out/ that was run last"},
    {"raddle serve nightly --port 8080", "about the campaign in the directory nightly"},
};

const char* const serve_description =
    "Shows a page about a campaign, the one in raddle.out/ that was run last or the one in DIR: its progress, bounds "
    "and bugs, kept up to date while it runs. Only this machine can reach the page, and only with the key in the printed "
    "address, which is another each time. Runs nothing of the campaign. Ends at Ctrl-C.";

int run_serve(const Arguments& arguments) {
    const std::uint64_t port = count_of(arguments.text("port"));
    if (port > 65535) throw Usage("raddle serve: --port " + arguments.text("port") + " is none; expected 0 to 65535");
    const std::filesystem::path directory =
        where_it_leads(arguments.words.empty() ? newest_campaign() : std::filesystem::path(arguments.words[0]));
    const CampaignStore exists(directory, CampaignStore::Open::read);
    const Interruption interruption;
    LoopbackServer server(static_cast<std::uint16_t>(port));
    const std::string key = fresh_nonce();
    const Routes routes(directory, key);
    std::cout << "http://127.0.0.1:" << server.port() << "/" << key << "/" << std::endl;
    server.serve([&](const HttpRequest& request) { return routes.answer(request); },
                 [&] { return interruption.signal() != 0 || !std::cout; });
    return exit_signal + interruption.signal();
}

}  // namespace raddle::cli
