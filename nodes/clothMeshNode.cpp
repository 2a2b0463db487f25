#include "nodes/clothMeshNode.h"

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"

namespace purl {
namespace {

const Mesh& chosenCloth(const Frame& frame, const std::string& name) {
    for (const Mesh& mesh : frame.meshes)
        if ((mesh.kind == MeshKind::cloth || mesh.kind == MeshKind::softBody) && (name.empty() || mesh.name == name))
            return mesh;
    throw Error(name.empty() ? "the frame has no cloth or soft body; connect one to the solver"
                             : "cloth \"" + name + "\" is not in the frame; leave the name empty for the first one");
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
        const Mesh& cloth = frame ? chosenCloth(*frame, choice_.read(block).cloth) : none;
        publish<MFnVectorArrayData, MVectorArray>(block, outColors_, cloth.colors);
        publishWetting(block, wetting_, cloth.wetting);
        MDataHandle mesh = block.outputValue(outMesh_);
        mesh.setMObject(meshData(cloth));
        mesh.setClean();
    });
}

}  // namespace purl
