// purlMeshSequence: numbered OBJ or PLY files, or a cache of another program, as an animated mesh.
#pragma once
#include <maya/MPxNode.h>

#include <optional>

#include "nodes/ids.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"
#include "solver/cache/meshSequence.h"

namespace purl {

struct MeshSequenceParams {
    std::string file, item;
    int frameOffset = 0;
};
template <class Visit>
void describe(Visit&& visit, MeshSequenceParams& p) {
    visit(p.file, About{"file", "fil", "",
                        "OBJ or PLY files in centimetres, such as dancer.####.obj, where # are the digits of the frame "
                        "number with leading zeros. Without #: one file for all frames, or a cache with many: Alembic "
                        "(.abc), USD (.usda) or nCache (.xml). Relative paths are looked up in the scene's folder, "
                        "then in the working directory."});
    visit(p.item, About{"item", "itm", "", "Name of the mesh in a cache. Empty: the only one."});
    visit(p.frameOffset, About{"frameOffset", "fof", "", "Added to the scene's frame to give the number of the file.",
                               -1000000, 1000000, -1000, 1000});
}

class MeshSequenceNode : public MPxNode {
  public:
    static constexpr const char* kName = "purlMeshSequence";
    static constexpr unsigned kId = id::kMeshSequence;
    static constexpr const char* kSentence =
        "Numbered OBJ or PLY files, or a cache of another program, as an animated mesh.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(currentTime_, PlugAbout{"currentTime", "cti", PlugType::time, PlugUse::in, "From time1.outTime."});
        visit(inMesh_, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::in,
                                 "Only for nCaches of geometry, which have vertices and no faces: the mesh that was "
                                 "cached, for its faces."});
        visit(outMesh_, PlugAbout{"outMesh", "om", PlugType::mesh, PlugUse::out,
                                  "To the inMesh of a mesh shape. Vertices are interpolated linearly between two "
                                  "files, and hold still before the first and after the last."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(params_);
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override;
    static constexpr const char* kFileAttribute = "file";
    // All files of the sequence, whichever frames are played.
    std::vector<std::string> inputFiles() const;
    MStringArray getFilesToArchive(bool, bool, bool) const override { return archived(inputFiles()); }

  private:
    Mesh meshAt(const MeshSequenceParams& params, double frame, Faces faces);

    static inline MObject currentTime_, inMesh_, outMesh_;
    static inline ParamAttributes<MeshSequenceParams> params_;

    MeshSequenceParams opened_;  // that sequence_ belongs to
    std::optional<MeshSequence> sequence_;
};

}  // namespace purl
