// The values of one node's root attributes.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "host/graph/value.h"

namespace purl::host {

class Block {
  public:
    Value& root(const Node& node, const Attr* attr);  // created if missing
    Value* peek(const Attr* attr) const;              // null if missing
    void erase(const Attr* attr);
    Block copy() const;

  private:
    using Values = std::vector<std::pair<int, std::unique_ptr<Value>>>;  // sorted by attribute id
    Values::const_iterator at(int attr) const;                           // position of its value, or insertion point
    Values values_;
};

}  // namespace purl::host
