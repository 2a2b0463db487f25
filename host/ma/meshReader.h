// MeshReader: collects the geometry of a mesh node from setAttr statements, bypassing the graph so that millions of
// points need no plugs.
#pragma once
#include <string>
#include <vector>

#include "host/ma/values.h"

namespace purl::host {

class MeshReader {
  public:
    // True if this attribute of a mesh is geometry, read here instead of into a plug.
    static bool keeps(const std::string& path);

    // Reads the values of one attribute, if the geometry needs them. Throws Error for invalid values; the mesh is then
    // left empty.
    void read(const std::string& node, const std::string& path, Words words, double cmPerUnit);

    // The mesh; null if there was no geometry or it was invalid.
    DataPtr data() const;
    int holes() const { return mesh_.holes; }

  private:
    StoredMesh mesh_;
    std::vector<float> normals_;  // x y z per face corner
    bool broken_ = false;
};

}  // namespace purl::host
