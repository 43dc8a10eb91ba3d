// Passes on the events of an execution while it runs, for those that follow it.
#pragma once

#include <string>

#include "supervisor/process/channel/read_channel.h"
#include "supervisor/process/launch/process_options.h"

namespace raddle {

class EventTeller {
public:
    // `path` of the executable: the loader has no name for it.
    EventTeller(const ProcessOptions& options, const std::string& path) : options_(options), path_(path) {}

    // A run that only checks another one is not told.
    void begin_run(bool is_told) {
        told_ = 0;
        is_told_ = is_told;
    }
    // All events since the last call.
    void tell(const channel::Channel& channel);

private:
    const ProcessOptions& options_;
    const std::string& path_;
    std::uint32_t told_ = 0;
    std::uint32_t images_told_ = 0;
    bool is_told_ = true;
};

}  // namespace raddle
