// raddle campaign: actions on a kept campaign as a whole.
#include <filesystem>
#include <iostream>

#include "cli/commands/commands.h"
#include "store/campaign_store.h"
#include "store/execution_journal.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/kept/campaign_directory.h"
#include "supervisor/engine/merging.h"

namespace raddle::cli {

namespace fs = std::filesystem;

const std::vector<Example> campaign_examples = {
    {"raddle campaign info", "the identity of the newest one: program, files, options"},
    {"raddle campaign verify nightly", "check its database from end to end"},
    {"raddle campaign export nightly nightly.campaign", "into one file, also while it runs"},
    {"raddle campaign import nightly.campaign here", "and back into a directory, on this machine or another"},
    {"raddle campaign merge nightly here", "adds the explored part of here to nightly"},
    {"raddle campaign prune nightly", "keep its bugs, forget its search"},
};

namespace {

using Words = std::vector<std::string>;

constexpr const char* of_environment = "environment ";

// Variables are kept as hashes, which tell a reader nothing: one line counts them.
int info(const Words& words) {
    const fs::path directory = words.empty() ? newest_campaign() : fs::path(words[0]);
    const CampaignStore store(directory, CampaignStore::Open::read);
    if (words.empty()) std::cout << "the campaign: " << directory.string() << '\n';
    const Identity identity = store.identity();
    std::size_t variables = 0;
    for (const IdentityRow& row : identity.rows()) {
        if (row.key.starts_with(of_environment))
            ++variables;
        else
            std::cout << row.key << ": " << printable(row.value.empty() ? "none" : row.value) << '\n';
    }
    if (variables > 0) std::cout << "environment: " << counted(variables, "variable") << ", kept as hashes\n";
    return exit_ok;
}

int verify(const Words& words) {
    const CampaignStore store(words[0], CampaignStore::Open::read);
    const std::string answer = store.verify();
    if (answer != "ok")
        throw StoreError(words[0] + ": it is damaged (" + printable(answer) + "); put back a copy of campaign.db");
    for (const JournalBatch& batch : store.journal()) read_journal(batch.bytes);
    std::cout << words[0] << ": ok, " << counted(store.progress().coverage.executions, "execution") << ", "
              << counted(store.bugs().size(), "bug") << '\n';
    return exit_ok;
}

int export_it(const Words& words) {
    CampaignStore(words[0], CampaignStore::Open::read).export_to(words[1]);
    return exit_ok;
}

int import_it(const Words& words) {
    import_campaign(words[0], words[1]);
    return exit_ok;
}

int merge_them(const Words& words) {
    const Merged merged = merge_campaigns(words[0], words[1]);
    std::cout << words[0] << ": " << counted(merged.now, "execution") << " now; " << merged.before << " were in "
              << words[0] << ", " << merged.other << " in " << words[1]
              << (merged.joined ? "" : "; they cannot be joined, so the further one stands for both") << '\n';
    return exit_ok;
}

int prune(const Words& words) {
    if (!CampaignStore::is_in(words[0])) throw StoreError(words[0] + ": there is no campaign in this directory");
    CampaignStore store(words[0], CampaignStore::Open::write);
    store.prune();
    std::cout << words[0] << ": " << counted(store.bugs().size(), "bug") << " kept; the next run begins anew\n";
    return exit_ok;
}

struct Subcommand {
    const char* name;
    int (*run)(const Words&);
    const char* operands;
    std::size_t least, most;  // number of them
};
constexpr Subcommand subcommands[] = {
    {"info", info, "[DIR]", 0, 1},
    {"verify", verify, "DIR", 1, 1},
    {"export", export_it, "DIR FILE", 2, 2},
    {"import", import_it, "FILE DIR", 2, 2},
    {"merge", merge_them, "DIR OTHER", 2, 2},
    {"prune", prune, "DIR", 1, 1},
};

}  // namespace

std::vector<std::string> campaign_actions() {
    std::vector<std::string> names;
    for (const Subcommand& subcommand : subcommands) names.emplace_back(subcommand.name);
    return names;
}

int run_campaign(const Arguments& arguments) {
    const std::string expected =
        "expected raddle campaign info|verify|export|import|merge|prune DIR (raddle campaign --help)";
    if (arguments.words.empty()) throw Usage("raddle campaign: the action is missing; " + expected);
    for (const Subcommand& subcommand : subcommands) {
        if (arguments.words[0] != subcommand.name) continue;
        const Words operands(arguments.words.begin() + 1, arguments.words.end());
        if (operands.size() < subcommand.least || operands.size() > subcommand.most)
            throw Usage(std::string("raddle campaign ") + subcommand.name + ": expected raddle campaign " +
                        subcommand.name + " " + subcommand.operands);
        return subcommand.run(operands);
    }
    throw Usage("raddle campaign: '" + arguments.words[0] + "' is none of its actions; " + expected);
}

}  // namespace raddle::cli
