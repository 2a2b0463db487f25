#include "solver/cache/ply.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/cache/attributes.h"
#include "solver/cache/rows.h"
#include "solver/core/error.h"

namespace purl {
namespace {

// ---- names ------------------------------------------------------------------------------------------------------

// Property names: the usual PLY names where they exist; otherwise the channel's name, with X, Y and Z for vectors.
std::string propertiesOf(const std::string& channel, bool isVector) {
    constexpr const char* kNames[][2] = {
        {"position", "x y z"},    {"normal", "nx ny nz"},
        {"velocity", "vx vy vz"}, {"acceleration", "ax ay az"},
        {"rgbPP", "r g b"},       {"dye", "dyeR dyeG dyeB"},
        {"radiusPP", "radius"},   {"restPosition", "restX restY restZ"},
    };
    for (const auto& name : kNames)
        if (channel == name[0]) return name[1];
    return isVector ? channel + "X " + channel + "Y " + channel + "Z" : channel;
}
// Calls visit(property names, values) for every channel except 64-bit integers, which PLY does not have, and the body
// index of points, since a file contains one body.
template <class Item, class Visit>
void columnsOf(Item& item, Visit&& visit) {
    Item::channels(item, [&](const char* channel, auto& values, bool) {
        using Value = typename std::remove_reference_t<decltype(values)>::value_type;
        if constexpr (!std::is_same_v<Value, int64_t>)
            if (std::is_same_v<std::remove_const_t<Item>, Mesh> || std::strcmp(channel, "body") != 0)
                visit(propertiesOf(channel, std::is_same_v<Value, Vec3>).c_str(), values);
    });
}

std::vector<std::string> wordsOf(const std::string& line) {
    std::istringstream stream(line);
    stream.exceptions(std::ios::badbit);  // otherwise running out of memory would just look like the end of the text
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

// ---- writing ----------------------------------------------------------------------------------------------------

// The properties of a vertex, interleaved in a row.
struct Properties {
    std::string header;
    std::vector<Column> columns;

    template <class T>
    void add(const char* names, const std::vector<T>& values) {
        if (values.empty()) return;
        const std::string type = std::is_same_v<T, int> ? "int " : "float ";
        for (const std::string& name : wordsOf(names)) header += "property " + type + name + "\n";
        columns.push_back({values.data(), sizeof(T) / 4});
    }
};

void addVertices(FileContent& content, size_t count, std::vector<Column> columns) {
    const size_t bytes = rowBytes(columns);
    content.addRows(count, bytes, [columns = std::move(columns)](size_t begin, size_t end, char* to) {
        putRows(columns, ByteOrder::little, begin, end, to);
    });
}

template <class T>
char* put(char* to, T value) {
    std::memcpy(to, &value, sizeof(T));
    return to + sizeof(T);
}
char* putFace(char* to, const int* corners, int count) {
    to = put(to, static_cast<uint8_t>(count));
    std::memcpy(to, corners, sizeof(int) * static_cast<size_t>(count));
    return to + sizeof(int) * static_cast<size_t>(count);
}

void addFaces(FileContent& content, const Mesh& mesh) {
    const Faces& faces = mesh.faces;
    if (faces.empty()) {
        const int* corners = mesh.triangles.data();
        content.addRows(mesh.triangles.size() / 3, 13, [corners](size_t begin, size_t end, char* to) {
            for (size_t i = begin; i < end; ++i) to = putFace(to, corners + 3 * i, 3);
        });
        return;
    }
    const bool uvs = !faces.cornerUvs.empty();
    std::vector<uint64_t> ends(faces.counts.size());
    std::vector<size_t> starts(faces.counts.size());  // offset of each face's corners
    uint64_t end = 0;
    size_t corner = 0;
    for (size_t f = 0; f < faces.counts.size(); ++f) {
        const auto count = static_cast<size_t>(faces.counts[f]);
        // A list has an 8-bit length, and each corner has two texture coordinates.
        if (count > 127) throw Error(mesh.name + ": has a face of more than 127 corners; triangulate it");
        starts[f] = corner;
        corner += count;
        ends[f] = end += 1 + 4 * count + (uvs ? 1 + 8 * count : 0);
    }
    content.addRows(std::move(ends), [&faces, uvs, starts = std::move(starts)](size_t begin, size_t last, char* to) {
        for (size_t f = begin; f < last; ++f) {
            const int count = faces.counts[f];
            to = putFace(to, faces.corners.data() + starts[f], count);
            if (uvs) to = put(to, static_cast<uint8_t>(2 * count));
            for (size_t k = 0; uvs && k < static_cast<size_t>(count); ++k) {
                const auto uv = static_cast<size_t>(faces.cornerUvs[starts[f] + k]);
                to = put(put(to, faces.u[uv]), faces.v[uv]);
            }
        }
    });
}

std::string headerOf(const Frame& frame, const std::string& name, size_t vertices) {
    std::ostringstream header;
    header.exceptions(std::ios::badbit);
    header.precision(17);
    header << "ply\nformat binary_little_endian 1.0\ncomment name " << name << "\ncomment metersPerUnit "
           << frame.metersPerUnit << "\ncomment time " << frame.time << "\nelement vertex " << vertices << "\n";
    return header.str();
}

// ---- reading ----------------------------------------------------------------------------------------------------

struct ScalarType {
    const char *name, *alias;
    size_t bytes;
    double (*read)(const char*);
};
template <class T>
double readScalar(const char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return static_cast<double>(value);
}
constexpr ScalarType kScalars[] = {
    {"char", "int8", 1, readScalar<int8_t>},    {"uchar", "uint8", 1, readScalar<uint8_t>},
    {"short", "int16", 2, readScalar<int16_t>}, {"ushort", "uint16", 2, readScalar<uint16_t>},
    {"int", "int32", 4, readScalar<int32_t>},   {"uint", "uint32", 4, readScalar<uint32_t>},
    {"float", "float32", 4, readScalar<float>}, {"double", "float64", 8, readScalar<double>},
};
const ScalarType& scalarNamed(const std::string& name, const std::string& path) {
    for (const ScalarType& type : kScalars)
        if (name == type.name || name == type.alias) return type;
    throw Error(path + ": \"" + name + "\" is not a PLY type");
}

struct Property {
    std::string name;
    const ScalarType* type = nullptr;
    const ScalarType* countType = nullptr;  // of a list
    size_t offset = 0;                      // in a row, if it has no lists
};
struct ElementKind {
    std::string name;
    uint64_t count = 0;
    std::vector<Property> properties;
    size_t stride = 0;

    bool hasList() const {
        return std::any_of(properties.begin(), properties.end(), [](const Property& p) { return p.countType; });
    }
};

struct Header {
    std::vector<ElementKind> elements;
    std::string name;
    double metersPerUnit = 1, time = 0;
    size_t end = 0;
};

double numberFrom(const std::string& text, const std::string& path) {
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size())
        throw Error(path + ": \"" + text + "\" in the header is not a number");
    return value;
}

Header headerFrom(const std::string& bytes, const std::string& path) {
    if (bytes.compare(0, 3, "ply") != 0) throw Error(path + ": not a PLY file");
    Header header;
    bool littleEndian = false;
    for (size_t at = 0;;) {
        const size_t end = bytes.find('\n', at);
        if (end == std::string::npos) throw Error(path + ": truncated in its header");
        const std::string line = bytes.substr(at, end - at);
        at = end + 1;
        const std::vector<std::string> words = wordsOf(line);
        const auto is = [&](const char* first, size_t count) { return words.size() >= count && words[0] == first; };
        if (is("end_header", 1)) {
            header.end = at;
            break;
        }
        if (is("format", 2)) {
            if (words[1] != "binary_little_endian")
                throw Error(path + ": is " + words[1] + "; only binary_little_endian is supported");
            littleEndian = true;
        } else if (is("comment", 3) && words[1] == "name") {
            header.name = line.substr(line.find("name") + 5);
        } else if (is("comment", 3) && words[1] == "metersPerUnit") {
            header.metersPerUnit = numberFrom(words[2], path);
        } else if (is("comment", 3) && words[1] == "time") {
            header.time = numberFrom(words[2], path);
        } else if (is("element", 3)) {
            const double count = numberFrom(words[2], path);
            if (!(count >= 0 && count <= INT_MAX))
                throw Error(path + ": element " + words[1] + " has an invalid count " + words[2]);
            header.elements.push_back({words[1], static_cast<uint64_t>(count), {}, 0});
        } else if (is("property", 3)) {
            if (header.elements.empty()) throw Error(path + ": a property before any element");
            ElementKind& element = header.elements.back();
            Property property;
            property.name = words.back();
            if (words[1] == "list") {
                if (words.size() < 5) throw Error(path + ": \"" + line + "\" is not a valid list");
                property.countType = &scalarNamed(words[2], path);
                property.type = &scalarNamed(words[3], path);
            } else {
                property.type = &scalarNamed(words[1], path);
            }
            property.offset = element.stride;
            element.stride += property.type->bytes;
            element.properties.push_back(property);
        }
    }
    if (!littleEndian) throw Error(path + ": has no format line");
    return header;
}

// Reads the named columns from an element without lists; false if one is missing.
template <class T>
bool readColumns(const char* names, const ElementKind& element, const char* rows, std::vector<T>& values) {
    std::vector<const Property*> properties;
    for (const std::string& name : wordsOf(names)) {
        const auto found = std::find_if(element.properties.begin(), element.properties.end(),
                                        [&](const Property& p) { return p.name == name; });
        if (found == element.properties.end()) return false;
        properties.push_back(&*found);
    }
    values.resize(element.count);
    for (size_t i = 0; i < element.count; ++i)
        for (size_t k = 0; k < properties.size(); ++k) {
            const double value = properties[k]->type->read(rows + i * element.stride + properties[k]->offset);
            if constexpr (std::is_same_v<T, Vec3>)
                values[i][static_cast<int>(k)] = static_cast<float>(value);
            else
                values[i] = asChannel<T>(value);
        }
    return true;
}

// Reads polygons and the texture coordinates of their corners. Returns the offset of the element's end.
size_t readFaces(const std::string& bytes, size_t at, const ElementKind& element, size_t vertices, Faces& faces,
                 const std::string& path) {
    const auto need = [&](size_t size) {
        if (size > bytes.size() - at) throw Error(path + ": truncated at byte " + std::to_string(at));
    };
    for (uint64_t row = 0; row < element.count; ++row) {
        for (const Property& property : element.properties) {
            if (!property.countType) {
                need(property.type->bytes);
                at += property.type->bytes;
                continue;
            }
            need(property.countType->bytes);
            const double count = property.countType->read(bytes.data() + at);
            at += property.countType->bytes;
            if (!(count >= 0) ||
                count * static_cast<double>(property.type->bytes) > static_cast<double>(bytes.size() - at))
                throw Error(path + ": truncated or damaged at byte " + std::to_string(at));
            const auto corners = static_cast<size_t>(count);
            const bool indices = property.name == "vertex_indices" || property.name == "vertex_index";
            const auto corner = [&](size_t k) {
                const double index = property.type->read(bytes.data() + at + k * property.type->bytes);
                if (!(index >= 0 && index < static_cast<double>(vertices)))
                    throw Error(path + ": face " + std::to_string(row) + " refers to a vertex that does not exist");
                return static_cast<int>(index);
            };
            if (indices && corners >= 3) {
                faces.counts.push_back(static_cast<int>(corners));
                for (size_t k = 0; k < corners; ++k) faces.corners.push_back(corner(k));
            }
            for (size_t k = 0; property.name == "texcoord" && k + 1 < corners; k += 2) {
                const auto coordinate = [&](size_t c) {
                    return static_cast<float>(property.type->read(bytes.data() + at + c * property.type->bytes));
                };
                faces.cornerUvs.push_back(static_cast<int>(faces.u.size()));
                faces.u.push_back(coordinate(k));
                faces.v.push_back(coordinate(k + 1));
            }
            at += corners * property.type->bytes;
        }
    }
    return at;
}

}  // namespace

FileContent encodePly(const Frame& frame) {
    const Mesh* mesh = frame.meshes.empty() ? nullptr : &frame.meshes[0];
    const Points& points = frame.points;
    Properties properties;
    const auto add = [&](const char* names, const auto& values) { properties.add(names, values); };
    if (!mesh && !points.ids.empty()) {
        // PLY has no 64-bit integers; a double holds ids up to 2⁵³.
        const bool small = points.ids.back() <= INT32_MAX;
        properties.header = small ? "property int id\n" : "property double id\n";
        properties.columns.push_back({points.ids.data(), 1, small ? Column::As::int32 : Column::As::float64});
    }
    const size_t before = properties.columns.size();
    if (mesh)
        columnsOf(*mesh, add);
    else
        columnsOf(points, add);
    if (properties.columns.size() == before)
        properties.header += "property float x\nproperty float y\nproperty float z\n";

    const size_t vertices = mesh ? mesh->positions.size() : points.count();
    const std::string name = mesh ? mesh->name : frame.bodies.empty() ? "points" : frame.bodies[0].name;
    std::string header = headerOf(frame, name, vertices) + properties.header;
    if (mesh) {
        const size_t faces = mesh->faces.empty() ? mesh->triangles.size() / 3 : mesh->faces.counts.size();
        header += "element face " + std::to_string(faces) + "\nproperty list uchar int vertex_indices\n" +
                  (mesh->faces.cornerUvs.empty() ? "" : "property list uchar float texcoord\n");
    }
    FileContent content(header + "end_header\n");
    addVertices(content, vertices, std::move(properties.columns));
    if (mesh) addFaces(content, *mesh);
    return content;
}

Frame decodePly(const std::string& bytes, const std::string& path) {
    const Header header = headerFrom(bytes, path);
    Frame frame;
    frame.metersPerUnit = header.metersPerUnit;
    frame.time = header.time;

    const ElementKind* vertex = nullptr;
    const char* rows = nullptr;
    bool isMesh = false;
    Faces faces;
    size_t at = header.end;
    for (const ElementKind& element : header.elements) {
        if (element.hasList()) {
            isMesh = isMesh || element.name == "face";
            at = readFaces(bytes, at, element, vertex ? vertex->count : 0, faces, path);
            continue;
        }
        if (element.stride && element.count > (bytes.size() - at) / element.stride)
            throw Error(path + ": truncated: " + std::to_string(element.count) + " rows of " + element.name +
                        " do not fit into " + std::to_string(bytes.size() - at) + " bytes");
        if (element.name == "vertex") {
            vertex = &element;
            rows = bytes.data() + at;
        }
        at += static_cast<size_t>(element.count) * element.stride;
    }
    if (!vertex) throw Error(path + ": contains no vertices");
    const auto read = [&](const char* names, auto& values) { readColumns(names, *vertex, rows, values); };
    if (isMesh) {
        Mesh mesh;
        mesh.name = header.name;
        columnsOf(mesh, read);
        mesh.faces = faces;
        checkCounts(mesh, path);
        takeFaces(mesh, std::move(faces));
        frame.meshes.push_back(std::move(mesh));
    } else {
        frame.bodies.resize(1);
        frame.bodies[0].name = header.name;
        columnsOf(frame.points, read);
        readColumns("id", *vertex, rows, frame.points.ids);
        checkCounts(frame.points, path);
        frame.points.bodies.assign(frame.points.count(), 0);
    }
    return frame;
}

}  // namespace purl
