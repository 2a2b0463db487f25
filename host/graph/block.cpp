#include "host/graph/block.h"

#include <algorithm>

namespace purl::host {

// A sorted vector: a node has few values with frequent lookups, and this is smaller and faster than a map.
Block::Values::const_iterator Block::at(int attr) const {
    return std::lower_bound(values_.begin(), values_.end(), attr,
                            [](const auto& each, int wanted) { return each.first < wanted; });
}

Value& Block::root(const Node& node, const Attr* attr) {
    auto place = at(attr->id);
    if (place == values_.end() || place->first != attr->id)
        place = values_.emplace(place, attr->id, std::make_unique<Value>(attr, attr->array, nullptr, &node));
    return *place->second;
}

Value* Block::peek(const Attr* attr) const {
    const auto place = at(attr->id);
    return place == values_.end() || place->first != attr->id ? nullptr : place->second.get();
}

void Block::erase(const Attr* attr) {
    const auto place = at(attr->id);
    if (place != values_.end() && place->first == attr->id) values_.erase(place);
}

// Shares data, which is never changed in place.
static std::unique_ptr<Value> copyOf(const Value& from, Value* above) {
    auto to = std::make_unique<Value>(from.attr, from.wholeArray, above, from.node);
    to->own = from.own;
    to->data = from.data;
    to->firstFree = from.firstFree;
    to->children.resize(from.children.size());
    for (size_t k = 0; k < from.children.size(); ++k)
        if (from.children[k]) to->children[k] = copyOf(*from.children[k], to.get());
    for (const auto& [index, element] : from.elements) to->elements[index] = copyOf(*element, to.get());
    to->dirty = from.dirty;
    return to;
}

Block Block::copy() const {
    Block block;
    for (const auto& [attr, value] : values_) block.values_.emplace_back(attr, copyOf(*value, nullptr));
    return block;
}

}  // namespace purl::host
