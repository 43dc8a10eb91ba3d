#include "supervisor/trace/standing.h"

#include <algorithm>
#include <iterator>

#include "supervisor/base/text.h"

namespace raddle {

namespace {

// More are damage: raddle itself takes fewer.
constexpr std::uint64_t most_threads = 1u << 16, most_frames = 1u << 12;

std::string place_of(const Frame& frame) {
    const std::size_t slash = frame.file.rfind('/');
    const std::string file = slash == std::string::npos ? frame.file : frame.file.substr(slash + 1);
    const std::string where =
        !file.empty() ? file + ":" + std::to_string(frame.line) : frame.module + "+" + hexadecimal(frame.offset);
    return frame.function.empty() ? where : frame.function + " at " + where;
}

std::string line_of(const StandingThread& thread) {
    constexpr std::size_t most = 12;
    std::string line = thread.name + " " + thread.state;
    const std::size_t shown = std::min(thread.stack.size(), most);
    for (std::size_t i = 0; i < shown; ++i) line += (i == 0 ? ": " : " < ") + place_of(thread.stack[i]);
    if (shown < thread.stack.size()) line += " < ... (" + counted(thread.stack.size() - shown, "more frame") + ")";
    return line;
}

}  // namespace

std::vector<std::string> lines_of(const Standing& standing) {
    std::vector<std::string> lines;
    std::transform(standing.threads.begin(), standing.threads.end(), std::back_inserter(lines), line_of);
    if (!standing.gap.empty()) lines.push_back(standing.gap);
    return lines;
}

void save(const Standing& standing, Writer& out) {
    out.text(standing.gap);
    out.number(standing.threads.size());
    for (const StandingThread& thread : standing.threads) {
        out.text(thread.name);
        out.text(thread.state);
        out.number(thread.stack.size());
        for (const Frame& frame : thread.stack) {
            out.text(frame.function);
            out.text(frame.file);
            out.number(frame.line);
            out.text(frame.module);
            out.number(frame.offset);
            out.number(frame.inlined ? 1 : 0);
        }
    }
}

Standing load_standing(Reader& in) {
    Standing standing;
    standing.gap = in.text();
    for (std::uint64_t threads = in.number_below(most_threads, "a number of threads"); threads > 0; --threads) {
        StandingThread& thread = standing.threads.emplace_back();
        thread.name = in.text();
        thread.state = in.text();
        for (std::uint64_t frames = in.number_below(most_frames, "a number of frames"); frames > 0; --frames) {
            Frame& frame = thread.stack.emplace_back();
            frame.function = in.text();
            frame.file = in.text();
            frame.line = static_cast<unsigned>(in.number_below(1ULL << 32, "a line"));
            frame.module = in.text();
            frame.offset = in.number();
            frame.inlined = in.number_below(2, "a flag") != 0;
        }
    }
    return standing;
}

}  // namespace raddle
