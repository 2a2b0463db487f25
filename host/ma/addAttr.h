// Converts addAttr statements to dynamic attributes. A compound takes several statements, the parent first; it is added
// to its node with its last child.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/graph/graph.h"
#include "host/ma/lexer.h"

namespace purl::host {

// The statements that add a dynamic attribute, its children after it: what AttrBuilder reads.
std::vector<std::string> addAttrStatements(const Attr& attr, const Units& units);

class AttrBuilder {
  public:
    // Processes one statement for a node. Throws Error for an unsupported attribute type.
    void add(const NodePtr& node, const Statement& statement);
    // Adds a still incomplete compound with the children it has. Call before switching to another node.
    void finish();

  private:
    struct Spec {
        std::string name, shortName, parent;
        std::vector<std::string> attributeType, dataTypes;  // the first holds 0 or 1 entries
        int children = 0;                                   // children still expected
        int depth = 1;                                      // nesting depth, itself included
        bool multi = false, keyable = false, hidden = false, color = false, filename = false;
        bool writable = true, readable = true;
        std::string niceName, enumNames, min, max, softMin, softMax, initial;
        std::vector<std::unique_ptr<Spec>> parts;
    };

    static std::unique_ptr<Spec> specFrom(const Statement& statement);
    static AttrPtr build(const Spec& spec, const Units& units);

    NodePtr node_;
    std::unique_ptr<Spec> root_;
    std::map<std::string, Spec*> byName_;  // root_ and its descendants, by long and short name
    long long missing_ = 0;                // children still expected by root_ and its descendants
};

}  // namespace purl::host
