// MeshReader: the geometry that a mesh stores of itself, from the statements of a scene file. It goes past the graph:
// millions of points need no plug each.
#pragma once
#include <string>
#include <vector>

#include "host/ma/values.h"

namespace purl::host {

class MeshReader {
  public:
    // Whether an attribute of a mesh is geometry, and no plug's.
    static bool keeps(const std::string& path);

    // Takes up an attribute's values, if the geometry needs them. Throws Error on such as cannot be; the mesh is then
    // none.
    void read(const std::string& node, const std::string& path, Words words, double cmPerUnit);

    // All of it as a mesh; null where nothing came, or it was broken.
    DataPtr data() const;
    int holes() const { return mesh_.holes; }

  private:
    StoredMesh mesh_;
    std::vector<float> normals_;  // three for each corner of a face
    bool broken_ = false;
};

}  // namespace purl::host
