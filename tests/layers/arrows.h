// The allowed includes between folders: the arrows of docs/architecture.md, and the check of one file against them.
// Works on text alone, so the tests of the checker can write includes as data.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace raddle::layers {

// The folder of a file decides its layer; the longest prefix counts.
struct Layer {
    std::string_view name;
    std::string_view folder;
};

inline constexpr Layer kLayers[] = {
    {"base", "supervisor/base/"},
    {"model", "supervisor/model/"},
    {"protocol", "supervisor/protocol/"},
    {"trace", "supervisor/trace/"},
    {"search", "supervisor/search/"},
    {"decode", "supervisor/binary/decode/"},
    {"debuginfo", "supervisor/binary/debuginfo/"},
    {"process launch", "supervisor/process/launch/"},
    {"process channel", "supervisor/process/channel/"},
    {"process outside", "supervisor/process/outside/"},
    {"process", "supervisor/process/"},
    {"campaign", "supervisor/campaign/"},
    {"preload/base", "preload/base/"},
    {"preload/threads", "preload/threads/"},
    {"preload/schedule", "preload/schedule/"},
    {"preload/debug", "preload/debug/"},
    {"preload/restore", "preload/restore/"},
    {"preload/memory", "preload/memory/"},
    {"preload/intercept", "preload/intercept/"},
    {"preload/hooks", "preload/hooks/"},
    {"tsan", "preload/tsan/"},
    {"replay", "replay/"},
    {"engine settings", "supervisor/engine/settings/"},
    {"engine program", "supervisor/engine/program/"},
    {"engine trust", "supervisor/engine/trust/"},
    {"engine kept", "supervisor/engine/kept/"},
    {"engine bugs", "supervisor/engine/bugs/"},
    {"engine divergence", "supervisor/engine/divergence/"},
    {"engine suite", "supervisor/engine/suite/"},
    {"engine", "supervisor/engine/"},
    {"store", "store/"},
    {"cli", "cli/"},
    {"tests", "tests/"},
    {"bench", "bench/"},
    {"samples", "samples/"},
};

// `to` holds layers, single headers, or "all". A layer may always include itself.
struct Arrow {
    std::string_view from;
    std::vector<std::string_view> to;
};

inline const Arrow kArrows[] = {
    {"base", {}},
    {"model", {}},
    {"protocol", {"model"}},
    {"trace", {"base", "model"}},
    {"search", {"base", "trace", "model"}},
    // The shim. A lower folder declares what it calls of a higher one in its callbacks.h (preload/README.md).
    {"preload/base", {"model", "protocol"}},
    {"preload/threads", {"model", "protocol", "preload/base"}},
    {"preload/schedule", {"model", "protocol", "preload/base", "preload/threads"}},
    {"preload/debug", {"model", "protocol", "preload/base", "preload/threads", "preload/schedule"}},
    {"preload/restore", {"model", "protocol", "preload/base", "preload/threads", "preload/schedule"}},
    {"preload/memory",
     {"model", "protocol", "preload/base", "preload/threads", "preload/schedule", "preload/debug", "preload/restore"}},
    {"preload/intercept",
     {"model", "protocol", "preload/base", "preload/threads", "preload/schedule", "preload/restore", "preload/memory",
      // the rows of the table of functions, which lie beside their code
      "preload/hooks/threads/functions.def", "preload/hooks/sync/functions.def", "preload/hooks/memory/functions.def",
      "preload/hooks/heap/functions.def", "preload/hooks/files/functions.def", "preload/hooks/sockets/functions.def",
      "preload/hooks/signals/functions.def", "preload/hooks/time/functions.def",
      "preload/hooks/processes/functions.def", "preload/hooks/names/functions.def",
      "preload/hooks/system/functions.def", "preload/hooks/ipc/functions.def",
      "preload/hooks/threads/cancellation_points.def"}},
    {"preload/hooks",
     {"model", "protocol", "preload/base", "preload/threads", "preload/schedule", "preload/debug", "preload/restore",
      "preload/memory", "preload/intercept"}},
    {"tsan", {"preload/memory/calls/calls.h"}},
    {"decode", {"base", "model", "protocol"}},
    {"debuginfo", {"base", "trace", "model", "protocol"}},
    {"process launch", {"supervisor/search/target.h", "base", "trace", "model", "protocol", "decode"}},
    {"process channel",
     {"process launch", "supervisor/search/target.h", "base", "trace", "model", "protocol", "debuginfo"}},
    {"process outside", {"process launch", "base", "trace", "model", "protocol", "debuginfo"}},
    {"process",
     {"process launch", "process channel", "process outside", "supervisor/search/target.h", "base", "trace", "model",
      "protocol", "decode", "debuginfo"}},
    {"campaign", {"base", "search", "trace", "model"}},
    {"replay", {"base", "search", "trace", "model"}},
    {"store",
     {"base", "trace", "model", "supervisor/campaign/observer.h", "supervisor/search/bug.h",
      "supervisor/search/strategy.h"}},
    {"engine settings", {"base", "search", "process", "process launch"}},
    {"engine program",
     {"engine settings", "replay", "store", "campaign", "process", "process launch", "process channel", "debuginfo",
      "decode", "search", "trace", "base", "model", "supervisor/engine/notices.h"}},
    {"engine trust", {"base", "engine settings", "engine program", "replay", "process"}},
    {"engine kept",
     {"engine settings", "engine program", "replay", "store", "campaign", "process", "process launch",
      "process channel", "search", "trace", "base", "model", "supervisor/engine/notices.h",
      "supervisor/engine/version.h"}},
    {"engine bugs",
     {"engine settings", "engine program", "engine trust", "engine kept", "replay", "store", "campaign", "process",
      "process launch", "process channel", "search", "trace", "base", "model", "supervisor/engine/notices.h",
      "supervisor/engine/version.h"}},
    {"engine divergence",
     {"engine settings", "engine program", "engine kept", "engine bugs", "replay", "store", "campaign", "process",
      "process launch", "process channel", "decode", "debuginfo", "search", "trace", "base", "model"}},
    {"engine",
     {"engine settings",
      "engine program",
      "engine trust",
      "engine kept",
      "engine bugs",
      "engine divergence",
      "replay",
      "store",
      "campaign",
      "process",
      "process launch",
      "process channel",
      "decode",
      "debuginfo",
      "search",
      "trace",
      "base",
      "model",
      "supervisor/protocol/tsan_runtime.h",
      "preload/memory/calls/call_classes.h"}},
    {"engine suite",
     {"engine", "engine settings", "engine program", "engine kept", "engine bugs", "replay", "store", "campaign",
      "process launch", "decode", "search", "trace", "base", "model"}},
    {"cli", {"all"}},
    {"tests", {"all"}},
    {"bench", {"all"}},
    {"samples", {}},  // programs under test: they know nothing about raddle
};

// The only system headers that supervisor/model may include: they need no runtime.
inline constexpr std::string_view kFreestandingHeaders[] = {
    "array",  "bit", "climits", "compare",     "concepts", "cstddef", "cstdint", "cstring", "initializer_list",
    "limits", "new", "span",    "type_traits", "utility",
};

struct Include {
    int line;
    bool angled;  // <...>, otherwise "..."
    std::string path;
};

// The #include lines of a file, in order.
std::vector<Include> includes_of(std::string_view text);

// The layer of a path relative to the root of the repository; empty if it is in none.
std::string_view layer_of(std::string_view path);

// The rule that `include` in the file `path` breaks; nothing if it is allowed.
std::optional<std::string> violation(std::string_view path, const Include& include);

}  // namespace raddle::layers
