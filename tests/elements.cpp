#include "tests/elements.h"

#include <stdexcept>

namespace raddle::testing {

namespace {

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'; }

class Reader {
public:
    explicit Reader(const std::string& page) : page_(page) {}

    std::vector<MarkupElement> elements() {
        while (at_ < page_.size()) {
            const std::size_t next = page_.find('<', at_);
            take_text(next);
            if (next == std::string::npos) break;
            at_ = next;
            if (page_.compare(at_, 2, "<!") == 0 || page_.compare(at_, 2, "<?") == 0)
                at_ = page_.find('>', at_) + 1;
            else if (page_.compare(at_, 2, "</") == 0)
                close();
            else
                open();
        }
        if (!stack_.empty()) fail("<" + elements_[stack_.back()].tag + "> is not closed");
        return std::move(elements_);
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(what + " near: " + page_.substr(at_, 80));
    }

    void take_text(std::size_t end) {
        if (!stack_.empty()) elements_[stack_.back()].text += page_.substr(at_, end - at_);
    }
    std::string name() {
        std::string text;
        while (at_ < page_.size() && is_name(page_[at_])) text += page_[at_++];
        if (text.empty()) fail("a name is missing");
        return text;
    }
    void skip_blanks() {
        while (at_ < page_.size() && page_[at_] == ' ') ++at_;
    }

    void open() {
        ++at_;
        MarkupElement element;
        element.tag = name();
        bool ends = false;
        for (skip_blanks(); at_ < page_.size() && page_[at_] != '>'; skip_blanks()) {
            if (page_[at_] == '/') {
                ends = true;
                ++at_;
                continue;
            }
            const std::string attribute = name();
            if (page_.compare(at_, 2, "=\"") != 0) fail("no value in quotes");
            const std::size_t end = page_.find('"', at_ + 2);
            if (end == std::string::npos) fail("a quote is not closed");
            if (!element.attributes.emplace(attribute, page_.substr(at_ + 2, end - at_ - 2)).second)
                fail("twice the same attribute");
            at_ = end + 1;
        }
        ++at_;
        if (!stack_.empty()) {
            element.parent = elements_[stack_.back()].tag;
            elements_[stack_.back()].children.push_back(element.tag);
        }
        const std::string tag = element.tag;
        elements_.push_back(std::move(element));
        if (ends || tag == "meta") return;
        stack_.push_back(elements_.size() - 1);
        // The contents of these elements are not markup.
        if (tag != "style" && tag != "script") return;
        const std::size_t end = page_.find("</" + tag + ">", at_);
        if (end == std::string::npos) fail("<" + tag + "> is not closed");
        take_text(end);
        at_ = end;
    }

    void close() {
        at_ += 2;
        const std::string tag = name();
        if (stack_.empty() || elements_[stack_.back()].tag != tag) fail("</" + tag + "> closes nothing");
        stack_.pop_back();
        if (page_[at_] != '>') fail("more in a closing tag");
        ++at_;
    }

    const std::string& page_;
    std::size_t at_ = 0;
    std::vector<MarkupElement> elements_;
    std::vector<std::size_t> stack_;
};

}  // namespace

std::vector<MarkupElement> elements_of(const std::string& page) { return Reader(page).elements(); }

}  // namespace raddle::testing
