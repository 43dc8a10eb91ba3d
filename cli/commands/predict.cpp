// raddle predict: raddle run with the strategy predict.
#include "cli/commands/commands.h"

namespace raddle::cli {

const char* const predict_description =
    "Runs the program, looks in the record of the execution for bugs that another order of its events would show, and runs the "
    "program in that order: deadlocks, uses after free, misuse, lost wakeups, races, violations of atomicity and of order. "
    "It is raddle run --strategy predict. Use it for programs that are too large to explore: a prediction reorders any number "
    "of events. Only what an execution showed is reported; --verbose counts the predictions that did not come true.";

const std::vector<Example> predict_examples = {
    {"raddle predict -- ./prog", "run ./prog, then the orders of its events that would show a bug"},
    {"raddle predict --samples 100 --keep-going -- ./prog", "all bugs of at most 100 executions"},
    {"raddle predict --json -- ./prog | jq .predictions", "how many predictions there were, and how many came true"},
};

int run_predict(const Arguments& arguments) {
    const SettingName strategy = "strategy";
    Arguments settled = arguments;
    if (settled.given("schedule")) throw Usage("raddle predict: --schedule runs one schedule; use raddle run for that");
    if (settled.on_command_line(strategy) && settled.text(strategy) != "predict")
        throw Usage("raddle predict: its strategy is predict; for another one use raddle run --strategy " +
                    settled.text(strategy));
    settled.disregard(strategy);
    if (!settled.given(strategy)) settled.decide(strategy, {"predict"});
    return run_run(settled);
}

}  // namespace raddle::cli
