#include "nodes/meshSequenceNode.h"

#include <maya/MFileIO.h>
#include <maya/MTime.h>

#include <filesystem>

#include "nodes/boundary.h"
#include "nodes/geometry.h"
#include "solver/core/path.h"

namespace purl {
namespace {

// Relative paths are looked up here first; empty for an untitled scene.
std::string sceneFolder() { return toText(toPath(MFileIO::currentFile().asUTF8()).parent_path()); }

}  // namespace

Mesh MeshSequenceNode::meshAt(const MeshSequenceParams& params, double frame, Faces faces) {
    if (params.file.empty()) throw Error("file is empty; enter the files of the mesh, such as dancer.####.obj");
    if (!sequence_ || params.file != opened_.file || params.item != opened_.item) {
        sequence_.emplace(params.file, params.item, sceneFolder());
        opened_ = params;
    }
    sequence_->setFaces(std::move(faces));
    return sequence_->at(frame);
}

std::vector<std::string> MeshSequenceNode::inputFiles() const {
    return sequenceFiles(textOf(*this, kFileAttribute), sceneFolder());
}

MStatus MeshSequenceNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outMesh_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        const MeshSequenceParams params = params_.read(block);
        const double frame = block.inputValue(currentTime_).asTime().as(MTime::uiUnit()) + params.frameOffset;
        MDataHandle cached = block.inputValue(inMesh_);
        std::vector<Vec3> unused;
        Faces faces;
        worldFaces(cached, unused, faces);
        MDataHandle mesh = block.outputValue(outMesh_);
        mesh.setMObject(meshData(meshAt(params, frame, std::move(faces))));
        mesh.setClean();
    });
}

}  // namespace purl
