#include "replay/schedule/divergence_file.h"

#include <nlohmann/json.hpp>

#include "supervisor/base/checksum.h"
#include "supervisor/base/error.h"
#include "supervisor/base/text.h"
#include "supervisor/trace/execution.h"

namespace raddle {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* divergence_magic = "raddle divergence 1";
constexpr std::size_t longest_text = 4096;
constexpr std::size_t most_rows = 64;
constexpr std::uint64_t farthest_step = std::uint64_t{1} << 32;

std::string checksum_line(const std::string& text) {
    return "checksum " + hexadecimal_digits(checksum_of(text), 16) + "\n";
}

// Reads fields of one object, within limits.
class Fields {
public:
    Fields(const Json& object, const std::string& name) : object_(object), name_(name) {
        if (!object.is_object()) refuse("something else than an object");
    }

    std::string text(const char* key) const {
        const Json& value = at(key);
        if (!value.is_string()) refuse(std::string(key) + " is no text");
        auto text = value.get<std::string>();
        if (text.size() > longest_text) refuse(std::string(key) + " is too long");
        return text;
    }
    std::uint64_t number(const char* key, std::uint64_t most = UINT64_MAX) const {
        const Json& value = at(key);
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
            refuse(std::string(key) + " is no whole number up to " + std::to_string(most));
        return value.get<std::uint64_t>();
    }
    bool yes(const char* key) const {
        const Json& value = at(key);
        if (!value.is_boolean()) refuse(std::string(key) + " is neither true nor false");
        return value.get<bool>();
    }
    ThreadId thread(const char* key) const {
        try {
            return parse_thread(text(key));
        } catch (const BadInput&) {
            refuse(std::string(key) + " names no thread");
        }
    }
    const Json& list(const char* key) const {
        const Json& value = at(key);
        if (!value.is_array() || value.size() > most_rows) refuse(std::string(key) + " is no short list");
        return value;
    }
    [[noreturn]] void refuse(const std::string& what) const {
        throw BadInput(name_ + ": " + what + "; the record of this divergence is damaged, raddle run makes another");
    }

private:
    const Json& at(const char* key) const {
        const auto found = object_.find(key);
        if (found == object_.end()) refuse(std::string(key) + " is missing");
        return *found;
    }

    const Json& object_;
    const std::string& name_;
};

}  // namespace

std::string text_of(const DivergenceRecord& record) {
    Json object;
    object["step"] = record.step;
    object["thread"] = name_of(record.thread);
    object["first"] = record.first;
    object["then"] = record.then;
    object["place"] = record.place;
    object["module"] = record.module;
    object["across_launches"] = record.across == Across::launches;
    object["runs"] = record.runs;
    object["differed"] = record.differed;
    object["read_memory"] = record.read_memory;
    object["words"] = Json::array();
    for (const DifferingWord& word : record.words)
        object["words"].push_back({{"name", word.name},
                                   {"mapping", word.mapping},
                                   {"address", word.address},
                                   {"first", word.first},
                                   {"then", word.then}});
    object["word_count"] = record.word_count;
    object["after_step"] = record.after_step;
    object["cause_thread"] = name_of(record.cause_thread);
    object["cause"] = record.cause;
    object["tried"] = Json::array();
    for (const TriedSetting& one : record.tried)
        object["tried"].push_back({{"option", one.option}, {"result", one.result}, {"helped", one.helped}});
    const std::string text =
        std::string(divergence_magic) + "\n" + object.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
    return text + checksum_line(text);
}

DivergenceRecord parse_divergence(const std::string& text, const std::string& name) {
    const std::size_t first_end = text.find('\n');
    if (first_end == std::string::npos || text.substr(0, first_end) != divergence_magic)
        throw BadInput(name + ": expected '" + divergence_magic + "' as its first line");
    const std::size_t second_end = text.find('\n', first_end + 1);
    const std::string said = text.substr(0, second_end == std::string::npos ? text.size() : second_end + 1);
    const Json object = Json::parse(said.substr(first_end + 1), nullptr, false);
    const Fields fields(object, name);
    if (text.substr(said.size()) != checksum_line(said)) fields.refuse("the checksum is another");

    DivergenceRecord record;
    record.step = fields.number("step", farthest_step);
    record.thread = fields.thread("thread");
    record.first = fields.text("first");
    record.then = fields.text("then");
    record.place = fields.text("place");
    record.module = fields.text("module");
    record.across = fields.yes("across_launches") ? Across::launches : Across::executions;
    record.runs = static_cast<unsigned>(fields.number("runs", UINT32_MAX));
    record.differed = static_cast<unsigned>(fields.number("differed", record.runs));
    record.read_memory = fields.yes("read_memory");
    for (const Json& one : fields.list("words")) {
        const Fields word(one, name);
        record.words.push_back({word.text("name"), word.text("mapping"), word.number("address"), word.number("first"),
                                word.number("then")});
    }
    record.word_count = fields.number("word_count");
    record.after_step = fields.number("after_step", farthest_step);
    record.cause_thread = fields.thread("cause_thread");
    record.cause = fields.text("cause");
    for (const Json& one : fields.list("tried")) {
        const Fields tried(one, name);
        record.tried.push_back({tried.text("option"), tried.text("result"), tried.yes("helped")});
    }
    return record;
}

const TriedSetting* advice_of(const DivergenceRecord& record) {
    for (const TriedSetting& one : record.tried)
        if (one.helped) return &one;
    return nullptr;
}

}  // namespace raddle
