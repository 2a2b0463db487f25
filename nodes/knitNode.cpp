#include "nodes/knitNode.h"

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "solver/cache/file.h"

namespace purl {

MStatus KnitNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outBody_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        Knit knit;
        knit.name = name().asUTF8();
        const auto own = nodeParams_.read(block);
        knit.params = own.applyTo(params_.read(block), gauges());
        readFabric(block, fabric_, maps_, pores_, own, knit);
        // Our own patterns have plain names; a file's has an extension.
        const std::string& pattern = knit.params.pattern;
        if (pattern.find('.') != std::string::npos) knit.chart = readFile(pattern);
        auto body = std::make_shared<Scene>();
        body->knits.push_back(std::move(knit));
        BodyData::set(block.outputValue(outBody_), body);
        block.setClean(plug);
    });
}

}  // namespace purl
