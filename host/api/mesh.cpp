#include <maya/MColorArray.h>
#include <maya/MFloatArray.h>
#include <maya/MFnMesh.h>
#include <maya/MIntArray.h>
#include <maya/MStringArray.h>

#include <algorithm>
#include <cmath>

#include "host/api/geometry.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

MStatus MFnMesh::setObject(const MObject& object) { return MFnDagNode::setObject(object); }

static std::shared_ptr<const MeshData> openMesh(const MObject& o, MStatus* status) {
    auto mesh = readGeometry<MeshData>(o, "outMesh");
    setStatus(status, mesh ? MStatus::kSuccess : MStatus::kFailure);
    return mesh;
}
template <class Edit>
static MStatus change(const MObject& o, Edit edit) {
    return editGeometry<MeshData>(o, "inMesh", edit);
}

// --- creation

static bool wellFormed(int vertices, int polygons, size_t points, const std::vector<int>& counts,
                       const std::vector<int>& connects, std::string& why) {
    if (vertices < 0 || size_t(vertices) != points) why = "the number of points differs from numVertices";
    if (polygons < 0 || size_t(polygons) != counts.size())
        why = "the number of polygon counts differs from numPolygons";
    size_t corners = 0;
    for (int n : counts) {
        if (n < 3) why = "a polygon has fewer than three vertices";
        corners += size_t(std::max(0, n));
    }
    if (corners != connects.size()) why = "the polygon counts do not add up to the number of connects";
    for (int v : connects)
        if (v < 0 || v >= vertices) why = "a polygon refers to a vertex that does not exist";
    return why.empty();
}

template <class Points>
static MObject createMesh(MObject& slot, int vertices, int polygons, const Points& points, const MIntArray& counts,
                          const MIntArray& connects, const MFloatArray* u, const MFloatArray* v, const MObject& parent,
                          MStatus* status) {
    std::string why;
    if (!wellFormed(vertices, polygons, points.length(), Api::items(counts), Api::items(connects), why)) {
        report(Severity::Error, "MFnMesh::create: " + why);
        setStatus(status, MStatus::kInvalidParameter);
        return {};
    }
    auto mesh = std::make_shared<MeshData>();
    mesh->points.reserve(3 * size_t(vertices));
    for (const auto& p : Api::items(points))
        for (auto x : {p.x, p.y, p.z}) mesh->points.push_back(float(x));
    mesh->faceCounts = Api::items(counts);
    mesh->faceVertices = Api::items(connects);
    mesh->uvSets.emplace_back();
    if (u && v) {
        mesh->uvSets[0].u = Api::items(*u);
        mesh->uvSets[0].v = Api::items(*v);
    }
    return placeGeometry(slot, mesh, parent, "mesh", "inMesh", status);
}

MObject MFnMesh::create(int nv, int np, const MFloatPointArray& p, const MIntArray& c, const MIntArray& l, MObject o,
                        MStatus* s) {
    return createMesh(object_, nv, np, p, c, l, nullptr, nullptr, o, s);
}
MObject MFnMesh::create(int nv, int np, const MPointArray& p, const MIntArray& c, const MIntArray& l, MObject o,
                        MStatus* s) {
    return createMesh(object_, nv, np, p, c, l, nullptr, nullptr, o, s);
}
MObject MFnMesh::create(int nv, int np, const MFloatPointArray& p, const MIntArray& c, const MIntArray& l,
                        const MFloatArray& u, const MFloatArray& v, MObject o, MStatus* s) {
    return createMesh(object_, nv, np, p, c, l, &u, &v, o, s);
}
MObject MFnMesh::create(int nv, int np, const MPointArray& p, const MIntArray& c, const MIntArray& l,
                        const MFloatArray& u, const MFloatArray& v, MObject o, MStatus* s) {
    return createMesh(object_, nv, np, p, c, l, &u, &v, o, s);
}
MObject MFnMesh::copy(const MObject& source, MObject parentOrOwner, MStatus* status) {
    auto mesh = openMesh(source, status);
    if (!mesh) return {};
    return placeGeometry(object_, std::static_pointer_cast<MeshData>(mesh->clone()), parentOrOwner, "mesh", "inMesh",
                         status);
}

// --- topology

int MFnMesh::numVertices(MStatus* s) const {
    auto m = openMesh(object_, s);
    return m ? m->vertexCount() : 0;
}
int MFnMesh::numEdges(MStatus* s) const {
    auto m = openMesh(object_, s);
    return m ? int(m->edges().size()) : 0;
}
int MFnMesh::numPolygons(MStatus* s) const {
    auto m = openMesh(object_, s);
    return m ? m->faceCount() : 0;
}
int MFnMesh::numFaceVertices(MStatus* s) const {
    auto m = openMesh(object_, s);
    return m ? int(m->faceVertices.size()) : 0;
}
int MFnMesh::polygonVertexCount(int polygon, MStatus* s) const {
    auto m = openMesh(object_, s);
    if (m && polygon >= 0 && polygon < m->faceCount()) return m->faceCounts[polygon];
    setStatus(s, MStatus::kInvalidParameter);
    return 0;
}
MStatus MFnMesh::getVertices(MIntArray& counts, MIntArray& list) const {
    auto m = openMesh(object_, nullptr);
    if (!m) return MStatus::kFailure;
    Api::items(counts) = m->faceCounts;
    Api::items(list) = m->faceVertices;
    return MStatus::kSuccess;
}
MStatus MFnMesh::getPolygonVertices(int polygon, MIntArray& list) const {
    auto m = openMesh(object_, nullptr);
    list.clear();
    if (!m || polygon < 0 || polygon >= m->faceCount()) return MStatus::kInvalidParameter;
    const int start = m->faceStarts()[polygon];
    for (int k = 0; k < m->faceCounts[polygon]; ++k) list.append(m->faceVertices[start + k]);
    return MStatus::kSuccess;
}
MStatus MFnMesh::getEdgeVertices(int edge, int2& vertices) const {
    auto m = openMesh(object_, nullptr);
    if (!m || edge < 0 || edge >= int(m->edges().size())) return MStatus::kInvalidParameter;
    vertices[0] = m->edges()[edge].a;
    vertices[1] = m->edges()[edge].b;
    return MStatus::kSuccess;
}

namespace {
// A polygon projected along its normal.
struct ProjectedPolygon {
    std::vector<double> x, y;
    // Orientation test: > 0 if a, b, c are counterclockwise.
    double turn(size_t a, size_t b, size_t c) const {
        return (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);
    }
    bool inside(size_t p, size_t a, size_t b, size_t c) const {
        return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
    }
};
}  // namespace

static ProjectedPolygon projectPolygon(const MeshData& m, const int* corner, int n) {
    auto point = [&](int k) {
        const float* p = &m.points[3 * corner[k % n]];
        return MVector(double(p[0]), double(p[1]), double(p[2]));
    };
    MVector normal;
    for (int k = 0; k < n; ++k) normal += point(k) ^ point(k + 1);
    normal.normalize();
    const MVector side = std::abs(normal.x) < 0.9 ? MVector::xAxis : MVector::yAxis;
    const MVector u = (side ^ normal).normal(), v = normal ^ u;
    ProjectedPolygon flat;
    for (int k = 0; k < n; ++k) {
        flat.x.push_back(point(k) * u);
        flat.y.push_back(point(k) * v);
    }
    return flat;
}

// Triangulates a convex polygon as a fan, others by ear clipping.
static void triangulate(const MeshData& m, const int* corner, int n, std::vector<int>& out) {
    auto emit = [&](size_t a, size_t b, size_t c) { out.insert(out.end(), {corner[a], corner[b], corner[c]}); };
    if (n == 3) return emit(0, 1, 2);
    const ProjectedPolygon flat = projectPolygon(m, corner, n);
    bool convex = true;
    for (size_t k = 0; k < size_t(n); ++k)
        convex = convex && flat.turn(k, (k + 1) % size_t(n), (k + 2) % size_t(n)) >= 0;
    if (convex) {
        for (size_t k = 1; k + 1 < size_t(n); ++k) emit(0, k, k + 1);
        return;
    }
    std::vector<size_t> left;
    for (size_t k = 0; k < size_t(n); ++k) left.push_back(k);
    while (left.size() > 3) {
        size_t ear = 0;
        bool found = false;
        for (size_t k = 0; k < left.size() && !found; ++k) {
            const size_t a = left[(k + left.size() - 1) % left.size()], b = left[k], c = left[(k + 1) % left.size()];
            if (flat.turn(a, b, c) <= 0) continue;
            found = true;
            for (size_t p : left)
                if (p != a && p != b && p != c && flat.inside(p, a, b, c)) found = false;
            if (found) ear = k;
        }
        // A degenerate polygon may have no ear; clipping any corner still terminates.
        emit(left[(ear + left.size() - 1) % left.size()], left[ear], left[(ear + 1) % left.size()]);
        left.erase(left.begin() + long(ear));
    }
    emit(left[0], left[1], left[2]);
}

MStatus MFnMesh::getTriangles(MIntArray& counts, MIntArray& vertices) const {
    auto m = openMesh(object_, nullptr);
    counts.clear();
    vertices.clear();
    if (!m) return MStatus::kFailure;
    const int* corner = m->faceVertices.data();
    for (int n : m->faceCounts) {
        triangulate(*m, corner, n, Api::items(vertices));
        counts.append(n - 2);
        corner += n;
    }
    return MStatus::kSuccess;
}

// --- points

template <class P, class Array>
static MStatus points(const MObject& o, const MDagPath& path, MSpace::Space space, Array& out) {
    auto m = openMesh(o, nullptr);
    MMatrix matrix;
    out.clear();
    if (!m || !spaceMatrix(o, path, space, matrix)) return MStatus::kFailure;
    const bool move = !(matrix == MMatrix());
    auto& items = Api::items(out);
    items.reserve(size_t(m->vertexCount()));
    for (size_t k = 0; k + 2 < m->points.size(); k += 3) {
        if (move)
            items.push_back(
                P(MPoint(double(m->points[k]), double(m->points[k + 1]), double(m->points[k + 2])) * matrix));
        else
            items.push_back(P(MFloatPoint(m->points[k], m->points[k + 1], m->points[k + 2])));
    }
    return MStatus::kSuccess;
}
template <class Array>
static MStatus setAllPoints(const MObject& o, const MDagPath& path, MSpace::Space space, const Array& in) {
    MMatrix matrix;
    if (!spaceMatrix(o, path, space, matrix)) return MStatus::kFailure;
    const bool move = !(matrix == MMatrix());
    const MMatrix back = matrix.inverse();
    return change(o, [&](MeshData& m) -> MStatus {
        if (int(in.length()) != m.vertexCount()) return MStatus::kInvalidParameter;
        for (unsigned int k = 0; k < in.length(); ++k) {
            const MPoint p = move ? MPoint(in[k]) * back : MPoint(in[k]);
            for (unsigned c = 0; c < 3; ++c) m.points[3 * k + c] = float(p[c]);
        }
        return MStatus::kSuccess;
    });
}
MStatus MFnMesh::getPoints(MPointArray& p, MSpace::Space space) const {
    return points<MPoint>(object_, path_, space, p);
}
MStatus MFnMesh::getPoints(MFloatPointArray& p, MSpace::Space space) const {
    return points<MFloatPoint>(object_, path_, space, p);
}
MStatus MFnMesh::setPoints(const MPointArray& p, MSpace::Space space) { return setAllPoints(object_, path_, space, p); }
MStatus MFnMesh::setPoints(const MFloatPointArray& p, MSpace::Space space) {
    return setAllPoints(object_, path_, space, p);
}
MStatus MFnMesh::getPoint(int v, MPoint& p, MSpace::Space space) const {
    auto m = openMesh(object_, nullptr);
    MMatrix matrix;
    if (!m || v < 0 || v >= m->vertexCount() || !spaceMatrix(object_, path_, space, matrix))
        return MStatus::kInvalidParameter;
    const float* f = &m->points[3 * v];
    p = MPoint(double(f[0]), double(f[1]), double(f[2])) * matrix;
    return MStatus::kSuccess;
}
MStatus MFnMesh::setPoint(int v, const MPoint& p, MSpace::Space space) {
    MMatrix matrix;
    if (!spaceMatrix(object_, path_, space, matrix)) return MStatus::kFailure;
    const MPoint q = p * matrix.inverse();
    return change(object_, [&](MeshData& m) -> MStatus {
        if (v < 0 || v >= m.vertexCount()) return MStatus::kInvalidParameter;
        for (unsigned c = 0; c < 3; ++c) m.points[size_t(3 * v) + c] = float(q[c]);
        return MStatus::kSuccess;
    });
}
const float* MFnMesh::getRawPoints(MStatus* s) const {
    auto m = openMesh(object_, s);
    return m ? m->points.data() : nullptr;
}
MStatus MFnMesh::getVertexNormals(bool angleWeighted, MFloatVectorArray& normals, MSpace::Space space) const {
    auto m = openMesh(object_, nullptr);
    MMatrix matrix;
    normals.clear();
    if (!m || !spaceMatrix(object_, path_, space, matrix)) return MStatus::kFailure;
    const bool move = !(matrix == MMatrix());
    const std::vector<float> n = m->vertexNormals(angleWeighted);
    const MMatrix forNormals = matrix.inverse().transpose();
    for (size_t k = 0; k + 2 < n.size(); k += 3) {
        const MFloatVector v(n[k], n[k + 1], n[k + 2]);
        normals.append(move ? MFloatVector((MVector(v) * forNormals).normal()) : v);
    }
    return MStatus::kSuccess;
}
MStatus MFnMesh::setEdgeSmoothing(int edge, bool smooth) {
    return change(object_, [&](MeshData& m) -> MStatus {
        if (edge < 0 || edge >= int(m.edges().size())) return MStatus::kInvalidParameter;
        if (m.storedEdges.empty()) m.storedEdges = m.edges();
        m.storedEdges[edge].smooth = smooth;
        return MStatus::kSuccess;
    });
}
// Nothing to clean up or update: derived data is computed on demand.
MStatus MFnMesh::cleanupEdgeSmoothing() { return openMesh(object_, nullptr) ? MStatus::kSuccess : MStatus::kFailure; }
MStatus MFnMesh::updateSurface() { return openMesh(object_, nullptr) ? MStatus::kSuccess : MStatus::kFailure; }

// --- UVs

template <class Mesh>
static auto* uvSet(Mesh& m, const MString* name) {
    using Set = std::remove_reference_t<decltype(m.uvSets[0])>;
    if (!name) return m.uvSets.empty() ? static_cast<Set*>(nullptr) : &m.uvSets[m.currentUvSet];
    for (auto& set : m.uvSets)
        if (*name == set.name.c_str()) return &set;
    return static_cast<Set*>(nullptr);
}
int MFnMesh::numUVs(MStatus* s) const {
    auto m = openMesh(object_, s);
    const auto* set = m ? uvSet(*m, nullptr) : nullptr;
    return set ? int(set->u.size()) : 0;
}
int MFnMesh::numUVSets(MStatus* s) const {
    auto m = openMesh(object_, s);
    return m ? int(m->uvSets.size()) : 0;
}
MStatus MFnMesh::getUVSetNames(MStringArray& names) const {
    auto m = openMesh(object_, nullptr);
    names.clear();
    if (!m) return MStatus::kFailure;
    for (const auto& set : m->uvSets) names.append(set.name.c_str());
    return MStatus::kSuccess;
}
MStatus MFnMesh::getUVs(MFloatArray& u, MFloatArray& v, const MString* name) const {
    auto m = openMesh(object_, nullptr);
    const auto* set = m ? uvSet(*m, name) : nullptr;
    u.clear();
    v.clear();
    if (!set) return MStatus::kFailure;
    Api::items(u) = set->u;
    Api::items(v) = set->v;
    return MStatus::kSuccess;
}
MStatus MFnMesh::setUVs(const MFloatArray& u, const MFloatArray& v, const MString* name) {
    if (u.length() != v.length()) return MStatus::kInvalidParameter;
    return change(object_, [&](MeshData& m) -> MStatus {
        if (m.uvSets.empty() && !name) m.uvSets.emplace_back();
        auto* set = uvSet(m, name);
        if (!set) return MStatus::kInvalidParameter;
        set->u = Api::items(u);
        set->v = Api::items(v);
        return MStatus::kSuccess;
    });
}
MStatus MFnMesh::assignUVs(const MIntArray& counts, const MIntArray& ids, const MString* name) {
    return change(object_, [&](MeshData& m) -> MStatus {
        auto* set = uvSet(m, name);
        if (!set || counts.length() != m.faceCounts.size()) return MStatus::kInvalidParameter;
        size_t total = 0;
        for (unsigned int f = 0; f < counts.length(); ++f) {
            if (counts[f] != 0 && counts[f] != m.faceCounts[f]) return MStatus::kInvalidParameter;
            total += size_t(counts[f]);
        }
        if (total != ids.length()) return MStatus::kInvalidParameter;
        for (int id : Api::items(ids))
            if (id < 0 || id >= int(set->u.size())) return MStatus::kInvalidParameter;
        set->counts = Api::items(counts);
        set->ids = Api::items(ids);
        return MStatus::kSuccess;
    });
}
MStatus MFnMesh::getAssignedUVs(MIntArray& counts, MIntArray& ids, const MString* name) const {
    auto m = openMesh(object_, nullptr);
    const auto* set = m ? uvSet(*m, name) : nullptr;
    counts.clear();
    ids.clear();
    if (!set) return MStatus::kFailure;
    Api::items(counts) = set->counts.empty() ? std::vector<int>(m->faceCounts.size(), 0) : set->counts;
    Api::items(ids) = set->ids;
    return MStatus::kSuccess;
}

// --- colours

int MFnMesh::numColorSets(MStatus* s) const {
    auto m = openMesh(object_, s);
    return m ? int(m->colorSets.size()) : 0;
}
MStatus MFnMesh::getColorSetNames(MStringArray& names) const {
    auto m = openMesh(object_, nullptr);
    names.clear();
    if (!m) return MStatus::kFailure;
    for (const auto& set : m->colorSets) names.append(set.name.c_str());
    return MStatus::kSuccess;
}
MString MFnMesh::createColorSetWithName(const MString& name, MDGModifier*, MStatus* status) {
    std::string unique = name.asChar();
    const MStatus s = change(object_, [&](MeshData& m) -> MStatus {
        auto taken = [&](const std::string& n) {
            return std::any_of(m.colorSets.begin(), m.colorSets.end(), [&](const auto& set) { return set.name == n; });
        };
        for (int k = 1; taken(unique); ++k) unique = name.asChar() + std::to_string(k);
        m.colorSets.push_back({unique, {}, std::vector<int>(m.faceVertices.size(), -1)});
        return MStatus::kSuccess;
    });
    setStatus(status, s.statusCode());
    return s ? MString(unique.c_str()) : MString();
}
MStatus MFnMesh::setCurrentColorSetName(const MString& name) {
    return change(object_, [&](MeshData& m) -> MStatus {
        for (size_t k = 0; k < m.colorSets.size(); ++k)
            if (name == m.colorSets[k].name.c_str()) {
                m.currentColorSet = int(k);
                return MStatus::kSuccess;
            }
        return MStatus::kInvalidParameter;
    });
}
MStatus MFnMesh::setVertexColors(const MColorArray& colors, const MIntArray& vertices, MDGModifier*,
                                 MColorRepresentation representation) {
    if (colors.length() != vertices.length()) return MStatus::kInvalidParameter;
    return change(object_, [&](MeshData& m) -> MStatus {
        if (m.colorSets.empty()) m.colorSets.push_back({"colorSet1", {}, std::vector<int>(m.faceVertices.size(), -1)});
        auto& set = m.colorSets[m.currentColorSet];
        std::vector<int> idOf(size_t(m.vertexCount()), -1);
        for (unsigned int k = 0; k < vertices.length(); ++k) {
            if (vertices[k] < 0 || vertices[k] >= m.vertexCount()) return MStatus::kInvalidParameter;
            MColor c = colors[k];
            if (representation == kRGB) c.a = 1;
            if (representation == kAlpha) c = MColor(0, 0, 0, c.a);
            idOf[vertices[k]] = int(set.colors.size());
            set.colors.push_back(c);
        }
        for (size_t k = 0; k < m.faceVertices.size(); ++k)
            if (idOf[m.faceVertices[k]] >= 0) set.ids[k] = idOf[m.faceVertices[k]];
        return MStatus::kSuccess;
    });
}
MStatus MFnMesh::getVertexColors(MColorArray& colors, const MString* name, const MColor* unset) const {
    auto m = openMesh(object_, nullptr);
    colors.clear();
    if (!m || m->colorSets.empty()) return MStatus::kFailure;
    const MeshData::ColorSet* set = name ? nullptr : &m->colorSets[m->currentColorSet];
    for (const auto& s : m->colorSets)
        if (name && *name == s.name.c_str()) set = &s;
    if (!set) return MStatus::kInvalidParameter;
    // A vertex colour is the mean of its face corners' colours.
    std::vector<MColor> sum(m->points.size() / 3, MColor(0, 0, 0, 0));
    std::vector<int> count(sum.size());
    for (size_t k = 0; k < m->faceVertices.size() && k < set->ids.size(); ++k)
        if (set->ids[k] >= 0) {
            sum[m->faceVertices[k]] += set->colors[set->ids[k]];
            ++count[m->faceVertices[k]];
        }
    const MColor nothing = unset ? *unset : MColor(-1, -1, -1, -1);
    for (size_t v = 0; v < sum.size(); ++v) colors.append(count[v] ? sum[v] * (1.0f / float(count[v])) : nothing);
    return MStatus::kSuccess;
}

}  // namespace Autodesk::Maya::OpenMayaHost
