#include "solver/cache/bgeo.h"

#include <algorithm>
#include <climits>
#include <vector>

#include "solver/cache/attributes.h"
#include "solver/cache/bigEndian.h"
#include "solver/cache/byteReader.h"
#include "solver/core/error.h"

namespace purl {
namespace {

// ---- words of the format, after SideFX's public GPD.txt ---------------------------------------------------------

constexpr char kMagic[] = "BgeoV";
constexpr int kVersion = 5;
enum Type { kFloat = 0, kInteger = 1, kString = 2, kMixed = 3, kIndex = 4, kVector = 5 };
constexpr uint32_t kRun = 0xffffffff, kPolygon = 1;  // keys of primitives: many of one kind, a polygon
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
    // Houdini turns vectors and normals with the geometry; colours stay.
    return a.components == 3 && a.meaning != Meaning::color ? kVector : kFloat;
}

void putString(std::string& out, const std::string& text) {
    putBigEndian(out, text.size(), 2);
    out += text;
}

// ---- writing ----------------------------------------------------------------------------------------------------

// Points with their attributes, row by row: x y z 1, then each attribute's words.
void putPoints(std::string& out, const std::vector<Attribute>& attributes, const std::vector<Vec3>& positions) {
    size_t words = 4;
    for (const Attribute& a : attributes) words += static_cast<size_t>(a.components);
    const size_t begin = out.size();
    out.resize(begin + 4 * words * positions.size());
    char* at = out.data() + begin;
    for (size_t i = 0; i < positions.size(); ++i) {
        const float place[4] = {positions[i].x, positions[i].y, positions[i].z, 1};
        swapWords(at, place, 4);
        at += 16;
        for (const Attribute& a : attributes) {
            const auto count = static_cast<size_t>(a.components);
            if (a.type == AttributeType::int64) {
                const auto id = static_cast<int32_t>(static_cast<const int64_t*>(a.data)[i]);
                swapWords(at, &id, 1);
            } else {
                swapWords(at, static_cast<const char*>(a.data) + 4 * count * i, count);
            }
            at += 4 * count;
        }
    }
}

void checkIds(const std::vector<Attribute>& attributes) {
    for (const Attribute& a : attributes)
        for (size_t i = 0; a.type == AttributeType::int64 && i < a.count; ++i) {
            const int64_t id = static_cast<const int64_t*>(a.data)[i];
            if (id > INT_MAX || id < INT_MIN)
                throw Error("bgeo keeps 32 bits of " + a.name + ", and " + std::to_string(id) +
                            " needs more; write abc or mcx");
        }
}

// A vertex number takes two bytes while there are few.
size_t indexBytes(uint64_t points) { return points < 65536 ? 2 : 4; }

void putPolygons(std::string& out, const Faces& faces, size_t points) {
    const size_t bytes = indexBytes(points);
    size_t done = 0;
    forEachFace(faces, [&](const int* corners, int count) {
        // Runs are counted in 16 bits.
        if (done % 65535 == 0) {
            putBigEndian(out, kRun, 4);
            putBigEndian(out, std::min<size_t>(65535, faces.counts.size() - done), 2);
            putBigEndian(out, kPolygon, 4);
        }
        ++done;
        putBigEndian(out, static_cast<uint32_t>(count), 4);
        out += kClosed;
        // Houdini goes round clockwise.
        for (int k = count; k-- > 0;) putBigEndian(out, static_cast<uint32_t>(corners[k]), bytes);
    });
}

// ---- reading ----------------------------------------------------------------------------------------------------

uint32_t takeNumber(ByteReader& in, size_t bytes = 4) {
    return static_cast<uint32_t>(takeBigEndian(in.take(bytes), bytes));
}

struct Column {
    std::string name;
    size_t words = 0, offset = 0;  // in a row of points
    uint32_t type = 0;
};

// The definitions of one kind's attributes; returns the words that an element of it has.
size_t takeColumns(ByteReader& in, uint32_t count, std::vector<Column>& columns, const std::string& path) {
    size_t words = 0;
    for (uint32_t i = 0; i < count; ++i) {
        Column column;
        column.name = in.text(takeNumber(in, 2));
        column.words = takeNumber(in, 2);
        column.type = takeNumber(in);
        column.offset = words;
        if (column.type == kIndex) {
            for (uint32_t strings = takeNumber(in); strings > 0; --strings) in.text(takeNumber(in, 2));
        } else if (column.type == kFloat || column.type == kInteger || column.type == kVector) {
            in.take(4 * column.words);  // the default
        } else {
            throw Error(path + ": attribute " + column.name + " is of a kind that is not read");
        }
        words += column.words;
        columns.push_back(std::move(column));
    }
    return words;
}

template <class Item>
void takeValues(Item& item, const std::vector<Column>& columns, const char* rows, size_t count, size_t words) {
    std::string values;
    for (const Column& column : columns) {
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
                if (run == 0) throw Error(path + ": damaged: a run of no primitives");
                --run;
            }
        }
        if (key != kPolygon) throw Error(path + ": holds primitives that are no polygons; only those are read");
        const uint32_t corners = takeNumber(in);
        in.take(1);
        if (corners > in.left() / (bytes + 4 * vertexWords)) throw Error(path + ": cut short in its polygons");
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

std::string encodeBgeo(const Frame& part, FileTime) {
    const bool isMesh = !part.meshes.empty();
    const std::vector<Vec3>& positions = isMesh ? part.meshes[0].positions : part.points.positions;
    std::vector<Attribute> attributes = isMesh ? attributesOf(part.meshes[0]) : attributesOf(part.points);
    attributes.erase(
        std::remove_if(attributes.begin(), attributes.end(), [](const Attribute& a) { return a.name == "position"; }),
        attributes.end());
    checkIds(attributes);
    const Faces faces = isMesh ? facesOf(part.meshes[0]) : Faces{};

    std::string out(kMagic, 5);
    putBigEndian(out, kVersion, 4);
    putBigEndian(out, positions.size(), 4);
    putBigEndian(out, faces.counts.size(), 4);
    for (const size_t count : {size_t{0}, size_t{0}, attributes.size(), size_t{0}, size_t{0}, size_t{0}})
        putBigEndian(out, count,
                     4);  // groups of points and primitives; attributes of points, vertices, primitives, all
    for (const Attribute& a : attributes) {
        putString(out, houdiniName(a.name));
        putBigEndian(out, static_cast<uint32_t>(a.components), 2);
        putBigEndian(out, static_cast<uint32_t>(typeOf(a)), 4);
        out.append(4 * static_cast<size_t>(a.components), '\0');  // defaults
    }
    putPoints(out, attributes, positions);
    putPolygons(out, faces, positions.size());
    out += kNoExtra;
    return out + kEnd;
}

Frame decodeBgeo(const std::string& bytes, const std::string& path) {
    ByteReader in(bytes, path);
    if (bytes.compare(0, 5, kMagic) != 0) throw Error(path + ": not a classic bgeo file");
    in.take(5);
    if (takeNumber(in) != kVersion) throw Error(path + ": is a bgeo of another version than 5");
    const uint32_t points = takeNumber(in), primitives = takeNumber(in);
    in.take(8);  // groups of both, which come after the primitives
    const uint32_t pointAttributes = takeNumber(in), vertexAttributes = takeNumber(in);
    in.take(8);  // attributes of primitives and of all, which come last and are not read
    std::vector<Column> columns, vertexColumns;
    const size_t words = 4 + takeColumns(in, pointAttributes, columns, path);
    if (points > in.left() / (4 * words))
        throw Error(path + ": counts " + std::to_string(points) + " points; cut short");
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
