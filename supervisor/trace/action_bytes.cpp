#include "supervisor/trace/action_bytes.h"

namespace raddle {

void save_action(Writer& out, const Action& action) {
    out.text(name_of(action.operation));
    out.number(action.flags);
    out.number(action.attributes);
    out.number(static_cast<std::uint64_t>(action.update));
    for (const ObjectId& id : {action.object, action.second}) {
        out.fixed64(id.region);
        out.number(id.offset);
    }
    for (const std::int64_t word : action.words) out.signed_number(word);
    out.number(action.limit_or_initial);
    out.number(action.site);
    if ((action.flags & flag::spins) == 0) return;
    for (const ValueRange& range : action.spin_values) {
        out.number(range.from);
        out.number(range.to);
    }
}

Action load_action(Reader& in) {
    Action action;
    const std::string name = in.text();
    std::size_t row = 0;
    while (row < operation_count && name != operation_table.row[row].name) ++row;
    if (row == operation_count)
        throw BadInput("saved state is damaged: no operation is called '" + name.substr(0, 40) + "'");
    action.operation = static_cast<Operation>(row);
    action.flags = static_cast<Flags>(in.number_below(1024, "flags"));
    action.attributes = static_cast<std::uint8_t>(in.number_below(256, "attributes"));
    action.update = static_cast<Update>(in.number_below(5, "update"));
    for (ObjectId* id : {&action.object, &action.second}) {
        id->region = in.fixed64();
        id->offset = in.number();
    }
    for (std::int64_t& word : action.words) word = in.signed_number();
    action.limit_or_initial = in.number();
    action.site = in.number();
    if ((action.flags & flag::spins) == 0) return action;
    for (ValueRange& range : action.spin_values) {
        range.from = in.number();
        range.to = in.number();
    }
    return action;
}

}  // namespace raddle
