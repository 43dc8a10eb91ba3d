// SIGINT, SIGTERM and SIGHUP as a stop token: the first asks to stop, another one a second later does not wait.
#pragma once

#include <stop_token>

#include "supervisor/campaign/observer.h"

namespace raddle {

// At most one at a time. A signal handler can only note the signal; the observer turns it into the token.
class Interruption final : public Observer {
public:
    Interruption();
    ~Interruption() override;
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    std::stop_token token() const { return source_.get_token(); }
    int signal() const;  // the one received; 0: none

    void tick(const CampaignProgress&) override {
        if (signal() != 0) source_.request_stop();
    }

private:
    std::stop_source source_;
};

}  // namespace raddle
