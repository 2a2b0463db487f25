#include "nodes/clothMeshNode.h"

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"
#include "nodes/names.h"

namespace purl {
namespace {

const Mesh& chosenCloth(const Frame& frame, const WantedBody& wanted) {
    std::vector<const Mesh*> cloths;
    std::vector<std::string> names;
    for (const Mesh& mesh : frame.meshes) {
        if (mesh.kind != MeshKind::cloth && mesh.kind != MeshKind::softBody) continue;
        cloths.push_back(&mesh);
        names.push_back(mesh.name);
    }
    if (cloths.empty()) throw Error("the frame has no cloth or soft body; connect one to the solver");
    const int index = wanted.isAny() ? 0 : wanted.indexIn(names);
    if (index < 0)
        throw Error("cloth \"" + wanted.name() + "\" is not in the frame; leave the name empty for the first one");
    return *cloths[static_cast<size_t>(index)];
}

}  // namespace

MStatus ClothMeshNode::compute(const MPlug& plug, MDataBlock& block) {
    if (!isOutput<ClothMeshNode>(plug)) return MS::kUnknownParameter;
    MStatus status;
    const MDataHandle input = block.inputValue(inFrame_, &status);
    if (!status) return status;  // already reported by the node that failed
    return guarded(*this, [&] {
        const auto frame = FrameData::get(input);
        const Mesh none;
        const Mesh& cloth =
            frame ? chosenCloth(*frame, wantedBody(block, inCloth_, choice_.read(block).cloth, *this)) : none;
        publish<MFnVectorArrayData, MVectorArray>(block, outColors_, cloth.colors);
        publishWetting(block, wetting_, cloth.wetting);
        MDataHandle mesh = block.outputValue(outMesh_);
        mesh.setMObject(meshData(cloth));
        mesh.setClean();
    });
}

}  // namespace purl
