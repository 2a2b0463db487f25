// A solver's Scene, built without Maya's graph, as a Maya scene: the nodes that purlCreate makes for its bodies.
#pragma once
#include <string>
#include <vector>

#include "nodes/scenePlayer.h"
#include "solver/scene.h"

namespace purl {

// Files that animate the mesh of a cloth, knit, soft body or collider, or one mesh of a fluid or an emitter; see
// MeshSequence.
struct AnimatedMesh {
    std::string body;  // name of the body
    std::string files, item;
    double metersPerUnit = 0.01;
    int frameOffset = 0;
};

// Writes the scene as Maya ASCII in centimetres, with an output shape for each body and this playback range. Files of
// animated meshes are stored relative to the scene where possible. Throws Error if a name cannot be that of a node or
// the file cannot be written.
void saveScene(const Scene& scene, const std::vector<AnimatedMesh>& animated, const FrameRange& range, double fps,
               const std::string& path);

}  // namespace purl
