#include "replay/schedule/token.h"

#include <algorithm>

#include "supervisor/base/bytes.h"
#include "supervisor/base/checksum.h"

namespace raddle {

namespace {

constexpr std::string_view prefix = "raddle1:";
constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t checksum_bytes = 8;

std::string in_letters(const std::string& bytes) {
    std::string text;
    std::uint32_t bits = 0;
    int held = 0;
    for (const char byte : bytes) {
        bits = bits << 8 | static_cast<std::uint8_t>(byte);
        for (held += 8; held >= 6; held -= 6) text += digits[bits >> (held - 6) & 63];
    }
    if (held > 0) text += digits[bits << (6 - held) & 63];
    return text;
}

[[noreturn]] void refuse(const std::string& why) {
    throw BadInput("the token is not whole: " + why + "; copy it once more, from raddle1: to its last letter");
}

std::string from_letters(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int held = 0;
    for (const char letter : text) {
        const std::size_t digit = digits.find(letter);
        if (digit == std::string_view::npos) refuse("there is a character in it that no token has");
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes += static_cast<char>(bits >> held & 255);
    }
    if (in_letters(bytes) != text) refuse("it ends in the middle");
    return bytes;
}

void write_choices(Writer& out, const Schedule& schedule) {
    std::vector<ThreadId> threads;
    for (const Step& step : schedule)
        if (std::find(threads.begin(), threads.end(), step.thread) == threads.end()) threads.push_back(step.thread);
    out.number(threads.size());
    for (const ThreadId thread : threads) out.number(thread.code);
    out.number(schedule.size());
    for (std::size_t i = 0; i < schedule.size();) {
        std::size_t run = 1;
        while (i + run < schedule.size() && schedule[i + run] == schedule[i]) ++run;
        const auto place = std::find(threads.begin(), threads.end(), schedule[i].thread) - threads.begin();
        out.number(static_cast<std::uint64_t>(place));
        out.number(schedule[i].value);
        out.number(run);
        i += run;
    }
}

Schedule read_choices(Reader& in) {
    std::vector<ThreadId> threads(in.count("number of threads"));
    for (ThreadId& thread : threads) thread = {in.number()};
    const std::uint64_t size = in.number_below(most_steps_read + 1, "length");
    Schedule schedule;
    while (schedule.size() < size) {
        Step step{threads.at(in.number_below(threads.size(), "thread")), 0};
        step.value = static_cast<std::uint32_t>(in.number_below(1ULL << 32, "alternative"));
        const std::uint64_t run = in.number_below(size - schedule.size() + 1, "count");
        if (run == 0) refuse("a count of nothing");
        schedule.insert(schedule.end(), run, step);
    }
    return schedule;
}

Verdict verdict_named(const std::string& name) {
#define RADDLE_ROW(row, use, text) \
    if (name == #row) return Verdict::row;
    RADDLE_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
    refuse("there is no such verdict");
}

}  // namespace

std::uint64_t key_checksum_of(const std::string& key) { return checksum_of(key); }

Token token_of(const ScheduleFile& file) {
    return {identity_of(file.subject), file.subject.options, file.verdict, key_checksum_of(file.key), file.schedule()};
}

std::string text_of(const Token& token) {
    Writer out;
    out.fixed64(token.identity);
    out.number(token.options.size());
    for (const std::string& option : token.options) out.text(option);
    out.text(name_of(token.verdict));
    out.fixed64(token.key_checksum);
    write_choices(out, token.schedule);
    Writer checksum;
    checksum.fixed64(checksum_of(out.bytes()));
    return std::string(prefix) + in_letters(out.bytes() + checksum.bytes());
}

bool is_token(const std::string& text) {
    return text.starts_with("raddle") && text.find(':') < 12 && text.find('/') > text.find(':');
}

Token parse_token(const std::string& text) {
    if (!text.starts_with(prefix))
        throw BadInput("the token begins with '" + text.substr(0, std::min<std::size_t>(text.find(':') + 1, 12)) +
                       "', expected " + std::string(prefix));
    const std::string bytes = from_letters(std::string_view(text).substr(prefix.size()));
    if (bytes.size() < checksum_bytes) refuse("it is too short");
    const std::string_view body = std::string_view(bytes).substr(0, bytes.size() - checksum_bytes);
    if (Reader(std::string_view(bytes).substr(body.size())).fixed64() != checksum_of(body))
        refuse("its checksum is another");
    try {
        Reader in(body);
        Token token;
        token.identity = in.fixed64();
        token.options.resize(in.count("number of options"));
        for (std::string& option : token.options) option = in.text();
        token.verdict = verdict_named(in.text());
        token.key_checksum = in.fixed64();
        token.schedule = read_choices(in);
        in.expect_end();
        return token;
    } catch (const std::exception& error) {
        refuse(error.what());
    }
}

}  // namespace raddle
