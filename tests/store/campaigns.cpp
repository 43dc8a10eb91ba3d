#include "tests/store/campaigns.h"

#include <stdlib.h>

#include <thread>

#include "store/resume.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/campaign/targets.h"

namespace raddle::testing {

TemporaryDirectory::TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "raddle-store-XXXXXX").string();
    CHECK(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

namespace {

// Names the graph of a schedule of the program.
std::string graph_of(const Code& main, const Schedule& schedule) {
    Plan plan;
    plan.prefix = schedule;
    ModelProgram program(main);
    const Execution execution = program.run(plan);
    ReplayMachine replay{MachineOptions{}};
    replay.begin(execution);
    replay.feed_all();
    const Hash128 graph = replay.track().graph();
    return std::to_string(graph.high) + "." + std::to_string(graph.low);
}

Identity identity_of(const Subject& subject) {
    Identity identity;
    identity.add("program", subject.name);
    identity.add("--strategy", subject.strategy);
    return identity;
}

}  // namespace

StoredRun run_stored(const Subject& subject, const std::filesystem::path& directory,
                     const std::function<void(const std::string& graph)>& on_graph, const CampaignOptions& limits,
                     const StoreRhythm& rhythm) {
    CampaignStore store(directory, CampaignStore::Open::write);
    if (store.is_new())
        store.begin(identity_of(subject));
    else
        store.expect(identity_of(subject));
    StrategyOptions options;
    options.max_bound = subject.max_bound;
    if (on_graph) options.on_graph = [&](const Schedule& schedule) { on_graph(graph_of(subject.main, schedule)); };

    StoredRun run;
    Resumed resumed = resume(store, subject.strategy, options);
    run.told_again = resumed.told_again;
    run.lost = resumed.lost;
    StoreObserver observer(store, subject.strategy, options, subject.jobs, rhythm);
    CampaignOptions how = limits;
    how.keep_going = true;
    how.jobs = subject.jobs;
    how.bound = subject.max_bound;
    const auto wait = [time = subject.time_of_execution, before = subject.before_execution] {
        if (before) before();
        if (time.count() > 0) std::this_thread::sleep_for(time);
    };
    Campaign campaign([&] { return std::make_unique<Scripted>(subject.main, wait); }, std::move(resumed.strategy), how);
    run.result = campaign.run({&observer});
    run.failure = observer.failure();
    return run;
}

Answer answer_in(const std::filesystem::path& directory) {
    const CampaignStore store(directory, CampaignStore::Open::read);
    const Coverage coverage = store.progress().coverage;
    Answer answer{coverage.executions, coverage.graphs, coverage.complete_to, coverage.exhausted, {}};
    for (const Bug& bug : store.bugs())
        answer.bugs.insert(std::string(name_of(bug.found.verdict)) + ": " + bug.found.message + ", " +
                           std::to_string(bug.found.preemptions) + " preemptions");
    return answer;
}

std::string text_of(const Answer& answer) {
    std::string text = std::to_string(answer.executions) + " executions, " + std::to_string(answer.graphs) + " graphs" +
                       (answer.complete_to ? ", complete to " + std::to_string(*answer.complete_to) : "") +
                       (answer.exhausted ? ", exhausted" : "");
    for (const std::string& bug : answer.bugs) text += "; " + bug;
    return text;
}

}  // namespace raddle::testing
