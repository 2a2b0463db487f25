#include "solver/cache/attributes.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "solver/core/error.h"

namespace purl {
namespace {

template <class T>
constexpr AttributeType typeOf() {
    if constexpr (std::is_same_v<T, int>)
        return AttributeType::int32;
    else if constexpr (std::is_same_v<T, int64_t>)
        return AttributeType::int64;
    else
        return AttributeType::float32;
}

// Meaning of a channel, by its name if it is known, otherwise by its type.
Meaning meaningOf(const std::string& name, bool isVector, bool isLength) {
    if (name == "position" || name == "restPosition") return Meaning::point;
    if (name == "normal") return Meaning::normal;
    if (name == "rgbPP" || name == "wetColor" || name == "dye") return Meaning::color;
    if (name == "id" || name == "yarnId") return Meaning::id;
    if (isLength) return isVector ? Meaning::vector : Meaning::length;
    return isVector ? Meaning::vector : Meaning::plain;
}

// Visitor for `channels` that lists the non-empty ones.
struct Collect {
    std::vector<Attribute>& list;
    Scope scope;

    template <class T>
    void operator()(const char* name, const Channel<T>& values, bool isLength) const {
        if (values.empty()) return;
        constexpr bool isVector = std::is_same_v<T, Vec3>;
        const Attribute attribute{name,  typeOf<T>(),   isVector ? 3 : 1, meaningOf(name, isVector, isLength),
                                  scope, values.data(), values.size()};
        list.insert(std::strcmp(name, "position") == 0 ? list.begin() : list.end(), attribute);
    }
};

template <class T>
T numberAt(const Attribute& from, size_t i) {
    switch (from.type) {
        case AttributeType::int32: return static_cast<T>(static_cast<const int32_t*>(from.data)[i]);
        case AttributeType::int64: return static_cast<T>(static_cast<const int64_t*>(from.data)[i]);
        case AttributeType::float32: break;
    }
    return asChannel<T>(static_cast<double>(from.floats()[i]));
}

// Visitor for `channels` that fills the one named like the attribute.
struct Fill {
    const Attribute& from;
    bool& found;

    template <class T>
    void operator()(const char* name, Channel<T>& channel, bool) const {
        constexpr int components = std::is_same_v<T, Vec3> ? 3 : 1;
        if (from.name != name || from.components != components) return;
        found = true;
        std::vector<T> values(from.count);
        if (from.count > 0 && from.type == typeOf<T>())
            std::memcpy(static_cast<void*>(values.data()), from.data, from.bytes());
        else if constexpr (components == 3)
            for (size_t i = 0; i < 3 * from.count; ++i)
                values[i / 3][static_cast<int>(i % 3)] = numberAt<float>(from, i);
        else
            for (size_t i = 0; i < from.count; ++i) values[i] = numberAt<T>(from, i);
        channel = std::move(values);
    }
};

template <class Item>
void checkChannels(const Item& item, size_t count, const std::string& path) {
    Item::channels(item, [&](const char* name, const auto& values, bool) {
        if (!values.empty() && values.size() != count)
            throw Error(path + ": " + name + " has " + std::to_string(values.size()) + " values for " +
                        std::to_string(count) + " points");
    });
}

}  // namespace

const char* nameOf(Meaning meaning) {
    constexpr const char* kNames[] = {"plain", "id", "point", "vector", "normal", "color", "length"};
    return kNames[static_cast<size_t>(meaning)];
}

std::string typeName(const Attribute& attribute) {
    constexpr const char* kNames[] = {"float32", "int32", "int64"};
    const std::string name = kNames[static_cast<size_t>(attribute.type)];
    return attribute.components == 1 ? name : name + "[" + std::to_string(attribute.components) + "]";
}

size_t bytesOf(AttributeType type) { return type == AttributeType::int64 ? 8 : 4; }

std::vector<Attribute> attributesOf(const Points& points) {
    std::vector<Attribute> list;
    Points::channels(points, Collect{list, Scope::vertex});
    list.erase(std::remove_if(list.begin(), list.end(), [](const Attribute& a) { return a.name == "body"; }),
               list.end());
    return list;
}

std::vector<Attribute> attributesOf(const Mesh& mesh) {
    std::vector<Attribute> list;
    Mesh::channels(mesh, Collect{list, Scope::vertex});
    return list;
}

std::vector<Attribute> attributesOf(const Curves& curves) {
    std::vector<Attribute> list;
    Curves::channels(curves, Collect{list, Scope::vertex});
    Curves::yarnChannels(curves, Collect{list, Scope::uniform});
    return list;
}

const Attribute* find(const std::vector<Attribute>& attributes, const std::string& name) {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const Attribute& attribute) { return attribute.name == name; });
    return found == attributes.end() ? nullptr : &*found;
}

bool assign(Points& points, const Attribute& from) {
    bool found = false;
    Points::channels(points, Fill{from, found});
    return found;
}

bool assign(Mesh& mesh, const Attribute& from) {
    bool found = false;
    Mesh::channels(mesh, Fill{from, found});
    return found;
}

bool assign(Curves& curves, const Attribute& from) {
    bool found = false;
    if (from.scope == Scope::vertex)
        Curves::channels(curves, Fill{from, found});
    else
        Curves::yarnChannels(curves, Fill{from, found});
    return found;
}

void checkCounts(const Points& points, const std::string& path) { checkChannels(points, points.count(), path); }

void checkCounts(const Mesh& mesh, const std::string& path) {
    checkChannels(mesh, mesh.positions.size(), path);
    const auto count = static_cast<int>(mesh.positions.size());
    const auto isVertex = [&](int vertex) { return vertex >= 0 && vertex < count; };
    size_t corners = 0;
    for (const int face : mesh.faces.counts) {
        if (face < 1) throw Error(path + ": a face has " + std::to_string(face) + " corners");
        corners += static_cast<size_t>(face);
    }
    if (corners != mesh.faces.corners.size())
        throw Error(path + ": its faces should have " + std::to_string(corners) + " corners in total, but list " +
                    std::to_string(mesh.faces.corners.size()));
    if (!std::all_of(mesh.triangles.begin(), mesh.triangles.end(), isVertex) ||
        !std::all_of(mesh.faces.corners.begin(), mesh.faces.corners.end(), isVertex))
        throw Error(path + ": a face refers to a vertex that does not exist");
    const Faces& faces = mesh.faces;
    const auto isUv = [&](int uv) { return uv >= 0 && uv < static_cast<int>(faces.u.size()); };
    if (faces.u.size() != faces.v.size() || !std::all_of(faces.cornerUvs.begin(), faces.cornerUvs.end(), isUv))
        throw Error(path + ": a face refers to a texture coordinate that does not exist");
}

void checkCounts(const Curves& curves, const std::string& path) {
    size_t points = 0;
    for (const int count : curves.counts) {
        if (count < 2) throw Error(path + ": a yarn has fewer than two points");
        points += static_cast<size_t>(count);
    }
    if (points != curves.count())
        throw Error(path + ": its yarns should have " + std::to_string(points) + " points in total, but list " +
                    std::to_string(curves.count()));
    checkChannels(curves, points, path);
    Curves::yarnChannels(curves, [&](const char* name, const auto& values, bool) {
        if (values.size() != curves.counts.size())
            throw Error(path + ": " + name + " has " + std::to_string(values.size()) + " values for " +
                        std::to_string(curves.counts.size()) + " yarns");
    });
}

void completeYarns(Curves& curves) {
    const size_t yarns = curves.counts.size();
    if (curves.ids.empty() && yarns > 0) {
        std::vector<int> ids(yarns);
        for (size_t i = 0; i < yarns; ++i) ids[i] = static_cast<int>(i);
        curves.ids = std::move(ids);
    }
    if (curves.colors.size() == yarns) return;
    const Vec3 color = curves.colors.empty() ? Vec3{0.5f, 0.5f, 0.5f} : curves.colors[0];
    curves.colors = std::vector<Vec3>(yarns, color);
}

void reverseFaces(Faces& faces) {
    const auto reverse = [&](Channel<int>& values) {
        if (values.size() != faces.corners.size()) return;
        auto corner = values.edit().begin();
        for (const int count : faces.counts) {
            std::reverse(corner, corner + count);
            corner += count;
        }
    };
    reverse(faces.cornerUvs);
    reverse(faces.corners);
}

Faces facesOf(const Mesh& mesh) {
    if (!mesh.faces.empty()) return mesh.faces;
    Faces faces;
    faces.counts = std::vector<int>(mesh.triangles.size() / 3, 3);
    faces.corners = mesh.triangles;
    return faces;
}

}  // namespace purl
