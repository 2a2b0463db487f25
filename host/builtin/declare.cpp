#include "host/builtin/declare.h"

namespace purl::host {

AttrPtr color(const std::string& name, const std::string& shortName, double r, double g, double b) {
    AttrPtr a = numeric(
        name, shortName, Kind::Float,
        {number(name + "R", shortName + "r", r, Kind::Float), number(name + "G", shortName + "g", g, Kind::Float),
         number(name + "B", shortName + "b", b, Kind::Float)});
    a->usedAsColor = true;
    return a;
}

Mat4d fromMaya(const MMatrix& m) {
    Mat4d out;
    for (int i = 0; i < 16; ++i) out[i] = m.matrix[i / 4][i % 4];
    return out;
}

MMatrix toMaya(const Mat4d& m) {
    MMatrix out;
    for (int i = 0; i < 16; ++i) out.matrix[i / 4][i % 4] = m[i];
    return out;
}

DataPtr meshDataFrom(const PolyMesh& mesh) {
    auto data = std::make_shared<MeshData>();
    data->points.reserve(mesh.points.size() * 3);
    for (const auto& p : mesh.points) data->points.insert(data->points.end(), p.begin(), p.end());
    data->faceCounts = mesh.counts;
    data->faceVertices = mesh.connects;
    data->storedEdges.reserve(mesh.edges.size());
    for (std::size_t e = 0; e < mesh.edges.size(); ++e)
        data->storedEdges.push_back({mesh.edges[e][0], mesh.edges[e][1], mesh.smooth[e] != 0});
    MeshData::UvSet uvs;
    if (!mesh.uvIds.empty()) {
        for (const auto& uv : mesh.uvs) {
            uvs.u.push_back(uv[0]);
            uvs.v.push_back(uv[1]);
        }
        uvs.counts = mesh.counts;
        uvs.ids = mesh.uvIds;
    }
    data->uvSets.push_back(std::move(uvs));
    return data;
}

}  // namespace purl::host
