#include "supervisor/search/sampling/numbered_executions.h"

#include "supervisor/base/error.h"

namespace raddle {

void NumberedExecutions::come_back(std::uint64_t number) { CHECK(out_.erase(number) == 1); }

void NumberedExecutions::give_back(std::uint64_t number) {
    come_back(number);
    again_.insert(number);
}

std::uint64_t NumberedExecutions::seed_of(std::uint64_t number) const {
    return mix64(mix64(seed_) + number * 0x9e3779b97f4a7c15ULL);
}

void NumberedExecutions::report(Coverage& coverage) const {
    coverage.in_flight = out_.size();
    coverage.frontier = again_.size() + (next_ < most_ ? most_ - next_ : 0);
}

void NumberedExecutions::save_wanted(Writer& out) const {
    std::set<std::uint64_t> wanted = again_;
    wanted.insert(out_.begin(), out_.end());
    out.number(wanted.size());
    for (const std::uint64_t number : wanted) out.number(number);
}

void NumberedExecutions::check_seed(Reader& in) const {
    const std::uint64_t seed = in.number();
    if (seed != seed_)
        throw BadInput("saved search state: its samples were drawn with the seed " + std::to_string(seed) + ", not " +
                       std::to_string(seed_));
}

void NumberedExecutions::load_wanted(Reader& in) {
    out_.clear();
    again_.clear();
    for (std::size_t left = in.count("number of samples to draw again"); left > 0; --left)
        again_.insert(in.number_below(next_, "a sample to draw again"));
}

}  // namespace raddle
