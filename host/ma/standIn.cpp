#include "host/ma/standIn.h"

#include <utility>
#include <vector>

namespace purl::host {
namespace {

AttrPtr copyForStandIn(const Attr& a, const std::string& name) {
    if (a.kind == Kind::Compound || a.kind == Kind::Message) return message(name, "");
    if (holdsData(a.kind)) {
        AttrPtr copy = a.kind == Kind::Matrix ? matrix(name, "") : typed(name, "", a.dataType);
        copy->dataId = a.dataId;
        return copy;
    }
    if (a.kind == Kind::Numeric) {
        std::vector<AttrPtr> parts;
        for (std::size_t k = 0; k < a.children.size(); ++k)
            parts.push_back(number(name + "_" + std::to_string(k), "", a.children[k]->initial[0], a.children[k]->kind));
        return numeric(name, "", a.element, std::move(parts));
    }
    return number(name, "", a.initial[0], a.kind);
}

}  // namespace

Plug standIn(const NodePtr& node, const std::string& path, const Plug& other, bool isSource, bool isList) {
    if (path.find_first_of(".[") != std::string::npos ||
        (other.isArray() && isSource && other.attr->kind != Kind::Message))
        return {};
    if (isSource && other.attr->kind == Kind::Compound) return {};
    if (node->find(path)) return {};
    const AttrPtr attr = copyForStandIn(*other.attr, path);
    attr->standIn = true;
    attr->array = isList;  // connected with -na: its indices do not matter
    attr->indexMatters = !isList;
    node->addDynamic(attr);
    const Plug plug = node->plug(attr);
    if (!isSource || other.attr->kind == Kind::Message) return plug;
    if (holdsData(other.attr->kind)) {
        plug.put(other.data());
    } else if (other.attr->kind == Kind::Numeric) {
        for (int k = 0; k < other.childCount(); ++k) plug.child(k).put(other.child(k).number());
        plug.setClean();
    } else {
        plug.put(other.number());
    }
    return plug;
}

}  // namespace purl::host
