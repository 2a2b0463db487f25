#include "nodes/knitNode.h"

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "solver/cache/file.h"

namespace purl {
namespace {

// Built-in patterns have plain names, files an extension.
bool isFile(const std::string& pattern) { return pattern.find('.') != std::string::npos; }

}  // namespace

std::vector<std::string> KnitNode::inputFiles() const {
    const std::string pattern = textOf(*this, kFileAttribute);
    return isFile(pattern) ? std::vector<std::string>{pattern} : std::vector<std::string>();
}

MStatus KnitNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outBody_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        Knit knit;
        knit.name = name().asUTF8();
        const auto own = nodeParams_.read(block);
        knit.params = own.applyTo(params_.read(block, &former_), gauges());
        readFabric(block, fabric_, maps_, pores_, own, former_, knit);
        if (isFile(knit.params.pattern)) knit.chart = readFile(knit.params.pattern, kMaxTextBytes);
        auto body = std::make_shared<Scene>();
        body->knits.push_back(std::move(knit));
        BodyData::set(block.outputValue(outBody_), body);
        block.setClean(plug);
    });
}

}  // namespace purl
