#include "solver/cache/bgeo.h"

#include <algorithm>
#include <climits>
#include <utility>
#include <vector>

#include "solver/cache/attributes.h"
#include "solver/cache/bigEndian.h"
#include "solver/cache/byteReader.h"
#include "solver/cache/rows.h"
#include "solver/core/error.h"

namespace purl {
namespace {

// ---- names and codes of the format, from SideFX's public GPD.txt ------------------------------------------------

constexpr char kMagic[] = "BgeoV";
constexpr int kVersion = 5;
enum Type { kFloat = 0, kInteger = 1, kString = 2, kMixed = 3, kIndex = 4, kVector = 5 };
constexpr uint32_t kRun = 0xffffffff, kPolygon = 1;  // primitive types: a run of primitives of one type, a polygon
constexpr size_t kLongestRun = 65535;                // primitives per run, which has a 16-bit count
constexpr char kClosed = '<';
constexpr char kNoExtra = '\0', kEnd = '\xff';

struct Spelling {
    const char *channel, *houdini, *partio;
};
constexpr Spelling kSpellings[] = {
    {"velocity", "v", "velocity"},      {"acceleration", "accel", "acceleration"},
    {"normal", "N", "normal"},          {"radiusPP", "pscale", "radius"},
    {"rgbPP", "Cd", "color"},           {"restPosition", "rest", "rest"},
    {"source", "sourceId", "sourceId"},
};
std::string houdiniName(const std::string& channel) {
    for (const Spelling& spelling : kSpellings)
        if (channel == spelling.channel) return spelling.houdini;
    return channel;
}
std::string channelName(const std::string& name) {
    for (const Spelling& spelling : kSpellings)
        if (name == spelling.houdini || name == spelling.partio) return spelling.channel;
    return name;
}
int typeOf(const Attribute& a) {
    if (a.type != AttributeType::float32) return kInteger;
    // Houdini transforms vectors and normals with the geometry, but not colours.
    return a.components == 3 && a.meaning != Meaning::color ? kVector : kFloat;
}

void putString(std::string& out, const std::string& text) {
    putBigEndian(out, text.size(), 2);
    out += text;
}

// ---- writing ----------------------------------------------------------------------------------------------------

// One row per point: x y z 1, then its attributes.
void addPoints(FileContent& content, const std::vector<Attribute>& attributes, const std::vector<Vec3>& positions) {
    static const float one = 1;
    std::vector<Column> columns{{positions.data(), 3}, {&one, 1, Column::As::words, true}};
    for (const Attribute& a : attributes)
        columns.push_back({a.data, static_cast<size_t>(a.components),
                           a.type == AttributeType::int64 ? Column::As::int32 : Column::As::words});
    const size_t bytes = rowBytes(columns);
    content.addRows(positions.size(), bytes, [columns = std::move(columns)](size_t begin, size_t end, char* to) {
        putRows(columns, ByteOrder::big, begin, end, to);
    });
}

void checkIds(const std::vector<Attribute>& attributes) {
    for (const Attribute& a : attributes)
        for (size_t i = 0; a.type == AttributeType::int64 && i < a.count; ++i) {
            const int64_t id = static_cast<const int64_t*>(a.data)[i];
            if (id > INT_MAX || id < INT_MIN)
                throw Error("bgeo stores " + a.name + " in 32 bits, and " + std::to_string(id) +
                            " needs more; use abc or mcx");
        }
}

// Size of a vertex index: two bytes if that is enough.
size_t indexBytes(uint64_t points) { return points < 65536 ? 2 : 4; }

char* putIndex(char* to, int index, size_t bytes) {
    for (size_t i = bytes; i-- > 0;) *to++ = static_cast<char>(static_cast<uint32_t>(index) >> (8 * i) & 0xff);
    return to;
}
// Number of corners, closed flag, and corners in reverse order, since Houdini's winding order is clockwise.
char* putPolygon(char* to, const int* corners, size_t count, size_t bytes) {
    to = putIndex(to, static_cast<int>(count), 4);
    *to++ = kClosed;
    for (size_t k = count; k-- > 0;) to = putIndex(to, corners[k], bytes);
    return to;
}

// Polygons are encoded lazily, in any ranges, so that only part of a large mesh is encoded in memory at a time.
void addPolygons(FileContent& content, const Mesh& mesh) {
    const size_t bytes = indexBytes(mesh.positions.size());
    const Faces& faces = mesh.faces;
    const bool triangles = faces.empty();
    const size_t count = triangles ? mesh.triangles.size() / 3 : faces.counts.size();
    size_t firstCorner = 0;
    for (size_t first = 0; first < count; first += kLongestRun) {
        const size_t run = std::min(kLongestRun, count - first);
        std::string head;
        putBigEndian(head, kRun, 4);
        putBigEndian(head, run, 2);
        putBigEndian(head, kPolygon, 4);
        content.add(std::move(head));
        if (triangles) {
            const int* corners = mesh.triangles.data() + 3 * first;
            content.addRows(run, 5 + 3 * bytes, [corners, bytes](size_t begin, size_t end, char* to) {
                for (size_t i = begin; i < end; ++i) to = putPolygon(to, corners + 3 * i, 3, bytes);
            });
            continue;
        }
        const int *counts = faces.counts.data() + first, *corners = faces.corners.data() + firstCorner;
        std::vector<uint64_t> ends(run);
        std::vector<size_t> starts(run);  // offset of each polygon's corners
        uint64_t end = 0;
        size_t corner = 0;
        for (size_t i = 0; i < run; ++i) {
            const auto sides = static_cast<size_t>(counts[i]);
            starts[i] = corner;
            corner += sides;
            ends[i] = end += 5 + sides * bytes;
        }
        firstCorner += corner;
        content.addRows(std::move(ends),
                        [counts, corners, bytes, starts = std::move(starts)](size_t begin, size_t last, char* to) {
                            for (size_t i = begin; i < last; ++i)
                                to = putPolygon(to, corners + starts[i], static_cast<size_t>(counts[i]), bytes);
                        });
    }
}

// ---- reading ----------------------------------------------------------------------------------------------------

uint32_t takeNumber(ByteReader& in, size_t bytes = 4) {
    return static_cast<uint32_t>(takeBigEndian(in.take(bytes), bytes));
}

struct FileColumn {
    std::string name;
    size_t words = 0, offset = 0;  // size and position in a row of points
    uint32_t type = 0;
};

// Reads the attribute definitions of one class of elements; returns the number of words per element.
size_t takeColumns(ByteReader& in, uint32_t count, std::vector<FileColumn>& columns, const std::string& path) {
    size_t words = 0;
    for (uint32_t i = 0; i < count; ++i) {
        FileColumn column;
        column.name = in.text(takeNumber(in, 2));
        column.words = takeNumber(in, 2);
        column.type = takeNumber(in);
        column.offset = words;
        if (column.type == kIndex) {
            for (uint32_t strings = takeNumber(in); strings > 0; --strings) in.text(takeNumber(in, 2));
        } else if (column.type == kFloat || column.type == kInteger || column.type == kVector) {
            in.take(4 * column.words);  // default value
        } else {
            throw Error(path + ": attribute " + column.name + " has an unsupported type");
        }
        words += column.words;
        columns.push_back(std::move(column));
    }
    return words;
}

template <class Item>
void takeValues(Item& item, const std::vector<FileColumn>& columns, const char* rows, size_t count, size_t words) {
    std::string values;
    for (const FileColumn& column : columns) {
        if (column.words != 1 && column.words != 3) continue;
        values.resize(4 * column.words * count);
        for (size_t i = 0; i < count; ++i)
            swapWords(values.data() + 4 * column.words * i, rows + 4 * (words * i + 4 + column.offset), column.words);
        Attribute attribute;
        attribute.name = channelName(column.name);
        attribute.type = column.type == kInteger ? AttributeType::int32 : AttributeType::float32;
        attribute.components = static_cast<int>(column.words);
        attribute.data = values.data();
        attribute.count = count;
        if (column.type != kIndex) assign(item, attribute);
    }
}

Faces takePolygons(ByteReader& in, uint32_t count, uint64_t points, size_t vertexWords, const std::string& path) {
    const size_t bytes = indexBytes(points);
    Faces faces;
    for (uint32_t run = 0, key = 0; count > 0; --count) {
        if (run > 0) {
            --run;
        } else {
            key = takeNumber(in);
            if (key == kRun) {
                run = takeNumber(in, 2);
                key = takeNumber(in);
                if (run == 0) throw Error(path + ": damaged: an empty run of primitives");
                --run;
            }
        }
        if (key != kPolygon) throw Error(path + ": contains primitives other than polygons, which are not supported");
        const uint32_t corners = takeNumber(in);
        in.take(1);
        if (corners > in.left() / (bytes + 4 * vertexWords)) throw Error(path + ": truncated in its polygons");
        faces.counts.push_back(static_cast<int>(corners));
        const size_t first = faces.corners.size();
        for (uint32_t k = 0; k < corners; ++k) {
            faces.corners.push_back(static_cast<int>(takeNumber(in, bytes)));
            in.take(4 * vertexWords);
        }
        std::reverse(faces.corners.begin() + static_cast<std::ptrdiff_t>(first), faces.corners.end());
    }
    return faces;
}

}  // namespace

FileContent encodeBgeo(const Frame& part, FileTime) {
    const Mesh* mesh = part.meshes.empty() ? nullptr : &part.meshes[0];
    const std::vector<Vec3>& positions = mesh ? mesh->positions : part.points.positions;
    std::vector<Attribute> attributes = mesh ? attributesOf(*mesh) : attributesOf(part.points);
    attributes.erase(
        std::remove_if(attributes.begin(), attributes.end(), [](const Attribute& a) { return a.name == "position"; }),
        attributes.end());
    checkIds(attributes);
    const size_t faces = !mesh ? 0 : mesh->faces.empty() ? mesh->triangles.size() / 3 : mesh->faces.counts.size();

    std::string head(kMagic, 5);
    putBigEndian(head, kVersion, 4);
    putBigEndian(head, positions.size(), 4);
    putBigEndian(head, faces, 4);
    for (const size_t count : {size_t{0}, size_t{0}, attributes.size(), size_t{0}, size_t{0}, size_t{0}})
        putBigEndian(head, count,
                     4);  // number of point and primitive groups, and of point, vertex, primitive and detail attributes
    for (const Attribute& a : attributes) {
        putString(head, houdiniName(a.name));
        putBigEndian(head, static_cast<uint32_t>(a.components), 2);
        putBigEndian(head, static_cast<uint32_t>(typeOf(a)), 4);
        head.append(4 * static_cast<size_t>(a.components), '\0');  // defaults
    }
    FileContent content(std::move(head));
    addPoints(content, attributes, positions);
    if (mesh) addPolygons(content, *mesh);
    content.add(std::string{kNoExtra, kEnd});
    return content;
}

Frame decodeBgeo(const std::string& bytes, const std::string& path) {
    ByteReader in(bytes, path);
    if (bytes.compare(0, 5, kMagic) != 0) throw Error(path + ": not a classic bgeo file");
    in.take(5);
    if (takeNumber(in) != kVersion) throw Error(path + ": unsupported bgeo version; only version 5 is supported");
    const uint32_t points = takeNumber(in), primitives = takeNumber(in);
    in.take(8);  // point and primitive groups, stored after the primitives
    const uint32_t pointAttributes = takeNumber(in), vertexAttributes = takeNumber(in);
    in.take(8);  // primitive and detail attributes, stored last and not read
    std::vector<FileColumn> columns, vertexColumns;
    const size_t words = 4 + takeColumns(in, pointAttributes, columns, path);
    if (points > in.left() / (4 * words))
        throw Error(path + ": truncated: it should contain " + std::to_string(points) + " points");
    const char* rows = in.take(4ull * words * points);

    Frame frame;
    frame.metersPerUnit = 0.01;
    std::vector<Vec3> positions(points);
    for (size_t i = 0; i < points; ++i) {
        float place[3];
        swapWords(reinterpret_cast<char*>(place), rows + 4 * words * i, 3);
        positions[i] = {place[0], place[1], place[2]};
    }
    size_t vertexWords = 0;
    if (primitives > 0 && vertexAttributes > 0) vertexWords = takeColumns(in, vertexAttributes, vertexColumns, path);
    if (primitives > 0) {
        Mesh mesh;
        mesh.positions = std::move(positions);
        takeValues(mesh, columns, rows, points, words);
        mesh.faces = takePolygons(in, primitives, points, vertexWords, path);
        checkCounts(mesh, path);
        takeFaces(mesh, Faces(mesh.faces));
        frame.meshes.push_back(std::move(mesh));
    } else {
        frame.bodies.resize(1);
        frame.points.positions = std::move(positions);
        takeValues(frame.points, columns, rows, points, words);
        frame.points.bodies.assign(points, 0);
    }
    return frame;
}

}  // namespace purl
