#include "replay/explain/diverged.h"

#include <algorithm>

#include "replay/explain/recorded_explanation.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

constexpr std::size_t steps_around = 3;  // shown around the cause and the difference

std::string text_of_word(const DifferingWord& word) {
    return word.name + (word.mapping.empty() ? "" : " (" + word.mapping + ")") + " held " + hexadecimal(word.first) +
           " the first time and " + hexadecimal(word.then) + " then";
}

std::string when(const DivergenceRecord& record) {
    return record.after_step == 0 ? "from before its second thread began"
                                  : "from after step " + std::to_string(record.after_step) + " on";
}

std::string repeated(const DivergenceRecord& record) {
    const std::string kind = record.across == Across::launches ? "another launch of the program" : "another execution";
    if (record.runs == 0) return "";
    if (record.differed == 0)
        return "repeated: it did the same in " + std::to_string(record.runs) + " of " + std::to_string(record.runs) +
               " further executions and launches";
    return "repeated: " + std::to_string(record.differed) + " of " + std::to_string(record.runs) +
           " tries went another way, each in " + kind;
}

// The steps next to the cause and to the difference; the others are folded.
void keep_telling_steps(Explanation& explanation, const ScheduleFile& file, const DivergenceRecord& record) {
    explanation.steps.clear();
    for (std::size_t i = 0; i < file.steps.size(); ++i) {
        const auto is_near = [&](std::uint64_t step) {
            return step > 0 && i + 1 + steps_around >= step && i + 1 <= step;
        };
        if (!is_near(record.step) && !is_near(record.after_step)) continue;
        ExplainedStep& step = explanation.steps.emplace_back();
        step.event = i;
        step.thread = explanation.taken[i].thread;
        step.text = explanation.taken[i].text;
        if (const auto name = file.names.find(file.steps[i].object); name != file.names.end())
            step.text = file.steps[i].operation + " " + name->second;
        step.location = explanation.taken[i].location;
        step.decisive = i + 1 == record.step || (i + 1 == record.after_step && !record.cause.empty());
        explanation.taken[i].decisive = step.decisive;
    }
}

}  // namespace

std::string sentence_of(const DivergenceRecord& record, std::size_t all_steps) {
    if (record.step == 0) return record.first;
    return "at step " + std::to_string(record.step) + " of " +
           std::to_string(std::max<std::size_t>(all_steps, record.step)) +
           " the same schedule went another way: first " + record.first + ", then " + record.then;
}

std::string text_of_words(const DivergenceRecord& record) {
    if (record.words.empty()) return {};
    std::string text = text_of_word(record.words.front()) + ", " + when(record);
    if (record.word_count > 1) text += " (and " + counted(record.word_count - 1, "other word") + ")";
    return text;
}

std::string text_of_cause(const DivergenceRecord& record) {
    if (!record.cause.empty()) return record.cause;
    return "raddle found no cause: no call with a result from outside, and no instruction that differs each time, lies "
           "between the steps";
}

std::string text_of_advice(const DivergenceRecord& record) {
    if (const TriedSetting* const advice = advice_of(record)) return advice->option + ": " + advice->result;
    if (record.tried.empty()) return {};
    std::vector<std::string> options;
    for (const TriedSetting& one : record.tried) options.push_back(one.option);
    return "no setting helped; tried " + listed(options);
}

Explanation explanation_of(const DivergenceRecord& record, const ScheduleFile& file) {
    Explanation explanation = recorded_explanation(file);
    explanation.message = file.message;
    explanation.sentence = "diverged: " + file.message;
    if (record.step > 0) keep_telling_steps(explanation, file, record);
    std::vector<std::string>& facts = explanation.facts;
    if (!record.place.empty())
        facts.push_back("where: " + record.place + (record.module.empty() ? "" : ", in " + record.module));
    if (const std::string words = text_of_words(record); !words.empty()) facts.push_back("memory: " + words);
    for (std::size_t i = 1; i < record.words.size(); ++i) facts.push_back("  " + text_of_word(record.words[i]));
    if (record.step > 0 && record.words.empty())
        facts.emplace_back(
            record.read_memory
                ? "memory: no word differed before that step; the difference was in a register"
                : "memory: not compared; this system does not let raddle read the program's (/proc/PID/mem)");
    facts.push_back("likely cause: " + text_of_cause(record));
    if (const std::string text = repeated(record); !text.empty()) facts.push_back(text);
    for (const TriedSetting& one : record.tried) facts.push_back("tried " + one.option + ": " + one.result);
    if (!record.tried.empty() && advice_of(record) == nullptr) facts.emplace_back("no setting that was tried helped");
    return explanation;
}

std::string brief_text_of(const DivergenceRecord& record) {
    constexpr std::size_t label_width = 8;
    std::string text;
    if (const std::string words = text_of_words(record); !words.empty())
        text += in_columns("memory", printable(words), label_width);
    return text + in_columns("cause", printable(text_of_cause(record)), label_width);
}

}  // namespace raddle
