// raddle strategies: the registry, for people.
#include <iostream>

#include "cli/commands/commands.h"
#include "supervisor/base/text.h"
#include "supervisor/search/strategy.h"

namespace raddle::cli {

const std::vector<Example> strategies_examples = {
    {"raddle strategies", "their names, to be given to raddle run --strategy"},
};

int run_strategies(const Arguments&) {
    for (const StrategyRow& row : strategy_rows()) std::cout << in_columns(row.name, row.text, 10);
    return exit_ok;
}

}  // namespace raddle::cli
