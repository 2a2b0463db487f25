#include "host/graph/context.h"

#include "host/graph/graph.h"

namespace purl::host {

static std::shared_ptr<Context>& currentContext() {
    static thread_local std::shared_ptr<Context> context;
    return context;
}

Context::Context(Graph& graph) {
    for (const NodePtr& node : graph.nodes()) blocks_.emplace(node.get(), node->block().copy());
}

Block& Context::of(const Node& node) { return blocks_[&node]; }

const std::shared_ptr<Context>& Context::current() { return currentContext(); }

std::shared_ptr<Context> Context::makeCurrent(std::shared_ptr<Context> context) {
    std::swap(currentContext(), context);
    return context;
}

Context::Scope::Scope(std::shared_ptr<Context> context) : before_(makeCurrent(std::move(context))) {}
Context::Scope::~Scope() { makeCurrent(std::move(before_)); }

Evaluation& evaluation() {
    static thread_local std::unordered_map<const Context*, Evaluation> all;  // empty but for those underway
    return all[currentContext().get()];
}

}  // namespace purl::host
