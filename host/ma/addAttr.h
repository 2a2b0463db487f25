// addAttr statements → dynamic attributes. A compound comes as several statements, the children after the parent;
// it is added to its node when the last child has come.
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
    // Takes one statement for a node. Throws Error for a kind of attribute we do not have.
    void add(const NodePtr& node, const Statement& statement);
    // Adds what is still incomplete, with the children it has. To be called when another node's turn comes.
    void finish();

  private:
    struct Spec {
        std::string name, shortName, parent;
        std::vector<std::string> attributeType, dataTypes;  // the first holds 0 or 1 entries
        int children = 0;                                   // still to come
        int depth = 1;                                      // compounds it is in, and itself
        bool multi = false, keyable = false, hidden = false, color = false, filename = false;
        bool writable = true, readable = true;
        std::string niceName, enumNames, min, max, softMin, softMax, initial;
        std::vector<std::unique_ptr<Spec>> parts;
    };

    static std::unique_ptr<Spec> specFrom(const Statement& statement);
    static AttrPtr build(const Spec& spec, const Units& units);

    NodePtr node_;
    std::unique_ptr<Spec> root_;
    std::map<std::string, Spec*> byName_;  // root_ and all below it, by both names
    long long missing_ = 0;                // children of root_ and all below it that are still to come
};

}  // namespace purl::host
