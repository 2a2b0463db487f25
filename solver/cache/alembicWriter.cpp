#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <deque>

#include "solver/cache/alembic.h"
#include "solver/cache/alembicWords.h"
#include "solver/cache/attributes.h"
#include "solver/cache/laneHash.h"
#include "solver/cache/ogawa.h"
#include "solver/cache/points.h"
#include "solver/cache/text.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/platform.h"

namespace purl {
using namespace alembic;
namespace {

// ---- names and codes of the format ------------------------------------------------------------------------------

constexpr int32_t kFileVersion = 0, kLibraryVersion = 10800;

const char* nameOf(Pod pod) {
    switch (pod) {
        case Pod::uint8: return "uint8_t";
        case Pod::uint32: return "uint32_t";
        case Pod::int32: return "int32_t";
        case Pod::uint64: return "uint64_t";
        case Pod::int64: return "int64_t";
        case Pod::float32: return "float32_t";
        case Pod::float64: return "float64_t";
    }
    return "";
}
Pod podOf(AttributeType type) {
    switch (type) {
        case AttributeType::int32: return Pod::int32;
        case AttributeType::int64: return Pod::int64;
        case AttributeType::float32: break;
    }
    return Pod::float32;
}
std::string schemaData(const char* name) {
    return std::string("schema=") + name + ";schemaBaseType=AbcGeom_GeomBase_v1";
}

// Ids are a property of points only.
Spelling spellingOf(const std::string& channel, Content content) {
    if (channel == "id" && content == Content::points) return {"id", ".pointIds", true};
    for (const Spelling& spelling : kSpellings)
        if (channel == spelling.channel) return {spelling.channel, spelling.onDisk, spelling.ofSchema};
    return {channel.c_str(), channel.c_str(), false};
}

std::string interpretationOf(Meaning meaning) {
    switch (meaning) {
        case Meaning::point: return "point";
        case Meaning::vector: return "vector";
        case Meaning::normal: return "normal";
        case Meaning::color: return "rgb";
        default: return "";
    }
}
// Metadata of a geometry parameter, with sorted keys.
std::string parameterData(Pod pod, int extent, const char* scope, const std::string& interpretation) {
    return std::string("arrayExtent=1;geoScope=") + scope +
           (interpretation.empty() ? "" : ";interpretation=" + interpretation) +
           ";isGeomParam=true;podExtent=" + std::to_string(extent) + ";podName=" + nameOf(pod);
}

std::string textOf(double value) {
    std::string text;
    putNumber(text, value);
    return text;
}
// Replaces the separators of paths and metadata.
std::string objectName(const std::string& item) {
    std::string name = item.empty() ? "unnamed" : item;
    for (char& c : name)
        if (c == '/' || c == '|' || c == ';' || c == '=') c = '_';
    return name;
}

template <class T>
void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// ---- a property over time ---------------------------------------------------------------------------------------

struct Sample {
    OgawaChild at = kOgawaData;
    uint64_t digest = 0;
    size_t elements = 0;
};

struct Series {
    std::string name, about;  // about: its metadata
    Kind kind = Kind::array;
    Pod pod = Pod::float32;
    int extent = 1;
    std::vector<Sample> samples;
};

// ---- one object of the archive ----------------------------------------------------------------------------------

struct Shape {
    Content content = Content::points;
    std::string item, name;  // name: of its object
    std::deque<Series> geometry, parameters;
};

// A sample of the current frame that has no offset in the file yet.
struct NewSample {
    Series* series;
    FileContent array;
    size_t elements;
    uint64_t digest = 0;
};

// The digest that identifies the content of a sample.
uint64_t digestOf(const FileContent& array) {
    constexpr size_t kBlock = 1 << 16;
    const std::unique_ptr<char[]> block(new char[kBlock]);
    LaneHash lanes;
    for (uint64_t at = 0; at < array.size(); at += kBlock) {
        const auto size = static_cast<size_t>(std::min<uint64_t>(kBlock, array.size() - at));
        array.read(at, size, block.get());
        lanes.add(block.get(), size);
    }
    Hash hash;
    lanes.addTo(hash);
    return hash.value();
}

FileContent viewOf(const void* data, size_t bytes) {
    FileContent view;
    view.addView(data, bytes);
    return view;
}

}  // namespace

struct AlembicWriter::Archive {
    OgawaWriter out;
    double fps;
    Device device;
    double metersPerUnit = 0.01, simTime = 0;
    std::vector<int> numbers;
    std::deque<Shape> shapes;
    std::vector<NewSample> fresh;  // in file order

    Archive(double rate, Device threads) : fps(rate), device(std::move(threads)) {}
    Archive(const std::string& path, double rate, Device threads) : out(path), fps(rate), device(std::move(threads)) {}

    Shape& shapeOf(Content content, const std::string& item) {
        for (Shape& shape : shapes)
            if (shape.content == content && shape.item == item) return shape;
        Shape shape;
        shape.content = content;
        shape.item = item;
        shape.name = objectName(item) + (content == Content::points ? kPointsEnding : "");
        const auto taken = [&] {
            return std::any_of(shapes.begin(), shapes.end(), [&](const Shape& s) { return s.name == shape.name; });
        };
        const char* const suffix[] = {"Points", "Mesh", "Curves"};
        while (taken()) shape.name += suffix[static_cast<size_t>(content)];
        shapes.push_back(std::move(shape));
        return shapes.back();
    }

    void sample(std::deque<Series>& list, const std::string& name, const std::string& about, Kind kind, Pod pod,
                int extent, FileContent array, size_t elements) {
        auto series = std::find_if(list.begin(), list.end(), [&](const Series& s) { return s.name == name; });
        if (series == list.end()) {
            Series begun;
            begun.name = name;
            begun.about = about;
            begun.kind = kind;
            begun.pod = pod;
            begun.extent = extent;
            list.push_back(std::move(begun));
            series = list.end() - 1;
        }
        fresh.push_back({&*series, std::move(array), elements});
    }
    // Writes a sample, unless it equals the previous one.
    Sample written(const Series& series, FileContent array, size_t elements, uint64_t digest) {
        if (!series.samples.empty() && series.samples.back().digest == digest &&
            series.samples.back().elements == elements)
            return series.samples.back();
        if (array.size() == 0) return {kOgawaData, digest, 0};
        const uint64_t key[2] = {digest, array.size()};
        static_assert(sizeof key == kKeyBytes);
        FileContent data(std::string(reinterpret_cast<const char*>(key), sizeof key));
        data.add(std::move(array));
        return {out.data(std::move(data)), digest, elements};
    }
    Sample emptySample(const Series& series) {
        const std::string zeros(series.kind == Kind::scalar ? (series.pod == Pod::float64 ? 48 : 4) : 0, '\0');
        return written(series, zeros, series.kind == Kind::scalar ? 1 : 0, digestOf(zeros));
    }

    void put(Shape& shape, const Attribute& attribute) {
        const Spelling spelling = spellingOf(attribute.name, shape.content);
        const bool isId = std::strcmp(spelling.onDisk, ".pointIds") == 0;
        const Pod pod = isId ? Pod::uint64 : podOf(attribute.type);
        std::string about;
        if (isId)
            about = "geoScope=var";
        else if (attribute.name == "position")
            about = shape.content == Content::points ? "geoScope=var;interpretation=point"
                                                     : "geoScope=vtx;interpretation=point";
        else if (attribute.name == "velocity")
            about = "interpretation=vector";
        else
            about = parameterData(pod, attribute.components, attribute.scope == Scope::uniform ? "uni" : "vtx",
                                  interpretationOf(attribute.meaning));
        sample(spelling.ofSchema ? shape.geometry : shape.parameters, spelling.onDisk, about, Kind::array, pod,
               attribute.components, viewOf(attribute.data, attribute.bytes()), attribute.count);
    }
    void putIntegers(Shape& shape, const char* name, FileContent values) {
        const auto count = static_cast<size_t>(values.size() / sizeof(int));
        sample(shape.geometry, name, "", Kind::array, Pod::int32, 1, std::move(values), count);
    }
    void putBounds(Shape& shape, const std::vector<Vec3>& positions) {
        Bounds bounds;
        for (const Vec3 p : positions) bounds.include(p);
        if (bounds.empty()) bounds = {{}, {}};
        std::array<double, 6> box;
        for (int k = 0; k < 3; ++k) {
            box[k] = static_cast<double>(bounds.low[k]);
            box[k + 3] = static_cast<double>(bounds.high[k]);
        }
        sample(shape.geometry, ".selfBnds", "interpretation=box", Kind::scalar, Pod::float64, 6,
               std::string(reinterpret_cast<const char*>(box.data()), sizeof box), 1);
    }
    // Positions are written even if empty, since readers take the number of samples from them.
    template <class Item>
    void putAll(Shape& shape, const Item& item, const std::vector<Vec3>& positions) {
        putBounds(shape, positions);
        Attribute places{"position",       AttributeType::float32, 3, Meaning::point, Scope::vertex,
                         positions.data(), positions.size()};
        put(shape, places);
        for (const Attribute& attribute : attributesOf(item))
            if (attribute.name != "position") put(shape, attribute);
    }

    void putPoints(Shape& shape, const Points& points) {
        putAll(shape, points, points.positions);
        if (points.ids.empty())  // the first sample must have them
            put(shape, {"id", AttributeType::int64, 1, Meaning::id, Scope::vertex, nullptr, 0});
        // Blender ignores .pointIds, and reads only float parameters of points.
        constexpr int64_t kMaxExact = 1 << 24;
        if (!points.ids.empty() && points.ids.back() <= kMaxExact) {
            FileContent ids;
            ids.addRows(points.ids.size(), sizeof(float), [&points](size_t begin, size_t end, char* to) {
                for (size_t i = begin; i < end; ++i, to += sizeof(float)) {
                    const auto id = static_cast<float>(points.ids[i]);
                    std::memcpy(to, &id, sizeof id);
                }
            });
            sample(shape.parameters, "particleId", parameterData(Pod::float32, 1, "vtx", ""), Kind::array, Pod::float32,
                   1, std::move(ids), points.ids.size());
        }
        FileContent widths;
        widths.addRows(points.radii.size(), sizeof(float), [&points](size_t begin, size_t end, char* to) {
            for (size_t i = begin; i < end; ++i, to += sizeof(float)) {
                const float width = 2 * points.radii[i];
                std::memcpy(to, &width, sizeof width);
            }
        });
        sample(shape.geometry, ".widths", parameterData(Pod::float32, 1, "vtx", ""), Kind::array, Pod::float32, 1,
               std::move(widths), points.radii.size());
    }
    // Alembic's winding order is clockwise.
    void putMesh(Shape& shape, const Mesh& mesh) {
        putAll(shape, mesh, mesh.positions);
        if (mesh.faces.empty()) {
            const size_t count = mesh.triangles.size() / 3;
            FileContent corners, counts;
            corners.addRows(count, 3 * sizeof(int), [&mesh](size_t begin, size_t end, char* to) {
                for (size_t i = 3 * begin; i < 3 * end; i += 3, to += 3 * sizeof(int)) {
                    const int turned[3] = {mesh.triangles[i + 2], mesh.triangles[i + 1], mesh.triangles[i]};
                    std::memcpy(to, turned, sizeof turned);
                }
            });
            counts.addRows(count, sizeof(int), [](size_t begin, size_t end, char* to) {
                const int three = 3;
                for (size_t i = begin; i < end; ++i, to += sizeof(int)) std::memcpy(to, &three, sizeof three);
            });
            putIntegers(shape, ".faceIndices", std::move(corners));
            putIntegers(shape, ".faceCounts", std::move(counts));
            return;
        }
        const auto turned = [&](std::vector<int> corners) {
            auto corner = corners.begin();
            for (const int count : mesh.faces.counts) {
                std::reverse(corner, corner + count);
                corner += count;
            }
            return corners;
        };
        const auto bytesOf = [](const auto& values) {
            return std::string(reinterpret_cast<const char*>(values.data()), sizeof values[0] * values.size());
        };
        const std::vector<int>& counts = mesh.faces.counts;
        putIntegers(shape, ".faceIndices", bytesOf(turned(mesh.faces.corners)));
        putIntegers(shape, ".faceCounts", viewOf(counts.data(), sizeof(int) * counts.size()));
        if (mesh.faces.cornerUvs.empty()) return;
        std::vector<float> uvs;
        uvs.reserve(2 * mesh.faces.cornerUvs.size());
        for (const int index : turned(mesh.faces.cornerUvs)) {
            uvs.push_back(mesh.faces.u[index]);
            uvs.push_back(mesh.faces.v[index]);
        }
        sample(shape.geometry, "uv", parameterData(Pod::float32, 2, "fvr", "vector"), Kind::array, Pod::float32, 2,
               bytesOf(uvs), uvs.size() / 2);
    }
    // Open cubic Catmull-Rom curves; all linear if one of them has too few points for a cubic.
    void putCurves(Shape& shape, const Curves& curves) {
        putAll(shape, curves, curves.positions);
        putIntegers(shape, "nVertices", viewOf(curves.counts.data(), sizeof(int) * curves.counts.size()));
        const bool cubic = std::all_of(curves.counts.begin(), curves.counts.end(), [](int n) { return n >= 4; });
        const char basis[4] = {static_cast<char>(cubic ? 0 : 1), 0, static_cast<char>(cubic ? 3 : 0),
                               static_cast<char>(cubic ? 3 : 0)};
        sample(shape.geometry, "curveBasisAndType", "", Kind::scalar, Pod::uint8, 4, std::string(basis, sizeof basis),
               1);
        sample(shape.parameters, "plies", parameterData(Pod::int32, 1, "con", ""), Kind::array, Pod::int32, 1,
               viewOf(&curves.plies, sizeof curves.plies), 1);
    }

    // The content refers to the frame until it is settled.
    void add(const Frame& frame, int number) {
        PURL_ASSERT(numbers.empty() || number > numbers.back());
        if (numbers.empty()) {
            metersPerUnit = frame.metersPerUnit;
            simTime = frame.time;
        }
        numbers.push_back(number);
        FileContent copies;  // keeps copied points alive, if the frame has several bodies
        for (int body = 0; body < static_cast<int>(frame.bodies.size()); ++body) {
            Points copy;
            const Points& points = bodyPoints(frame, body, copy);
            putPoints(shapeOf(Content::points, frame.bodies[body].name),
                      &points == &copy ? copies.keep(std::move(copy)) : points);
        }
        for (const Mesh& mesh : frame.meshes) putMesh(shapeOf(Content::mesh, mesh.name), mesh);
        for (const Curves& curves : frame.curves) putCurves(shapeOf(Content::curves, curves.name), curves);
        closeFrame();
        out.keep(std::move(copies));
    }

    // Writes the frame's samples, and adds empty samples for items that it lacks.
    void closeFrame() {
        forEachChunk(device, "alembicDigests", static_cast<int>(fresh.size()), 1, [&](int i, int) {
            NewSample& sample = fresh[i];
            sample.digest = digestOf(sample.array);
        });
        for (NewSample& sample : fresh) {
            Series& series = *sample.series;
            while (series.samples.size() + 1 < numbers.size()) series.samples.push_back(emptySample(series));
            series.samples.push_back(written(series, std::move(sample.array), sample.elements, sample.digest));
        }
        fresh.clear();
        for (Shape& shape : shapes)
            for (std::deque<Series>* list : {&shape.geometry, &shape.parameters})
                for (Series& series : *list)
                    if (series.samples.size() < numbers.size()) series.samples.push_back(emptySample(series));
    }

    // ---- the hierarchy, written after all samples ---------------------------------------------------------------

    // Group of a property's samples, without repetitions before its first change and after its last one. Appends its
    // header to `headers`.
    OgawaChild property(const Series& series, std::string& headers) {
        const auto count = static_cast<uint32_t>(series.samples.size());
        uint32_t first = 0, last = 0;
        for (uint32_t i = 1; i < count; ++i)
            if (series.samples[i].at != series.samples[i - 1].at) {
                if (first == 0) first = i;
                last = i;
            }
        std::vector<OgawaChild> children;
        const auto add = [&](uint32_t i) {
            children.push_back(series.samples[i].at);
            if (series.kind == Kind::array)
                children.push_back(kOgawaData);  // empty dimensions: implied by the length of the data
        };
        add(0);
        for (uint32_t i = first; first > 0 && i <= last; ++i) add(i);

        const auto elements = [&](const Sample& s) { return s.elements; };
        const bool scalarLike = std::all_of(series.samples.begin(), series.samples.end(),
                                            [&](const Sample& s) { return elements(s) == 1; });
        const bool homogenous = std::all_of(series.samples.begin(), series.samples.end(), [&](const Sample& s) {
            return elements(s) == elements(series.samples[0]);
        });
        const bool named =
            first > 0 &&
            (first != 1 || last != count - 1);  // whether the indices of the first and last change are stored
        const size_t longest = std::max({series.about.size(), series.name.size(), size_t{count}});
        const uint32_t width = longest < 256 ? 0 : longest < 65536 ? 1 : 2;
        uint32_t info = static_cast<uint32_t>(series.kind) | width << 2 | static_cast<uint32_t>(series.pod) << 4 |
                        1u << 8 | static_cast<uint32_t>(series.extent) << 12;
        if (series.kind == Kind::array && scalarLike) info |= 1;
        if (named) info |= 1u << 9;
        if (homogenous) info |= 1u << 10;
        if (first == 0) info |= 1u << 11;
        info |= (series.about.empty() ? 0u : 0xffu) << 20;  // 0xff: metadata follow inline
        const auto number = [&](size_t value) { headers.append(reinterpret_cast<const char*>(&value), 1u << width); };
        purl::put(headers, info);
        number(count);
        if (named) {
            number(first);
            number(last);
        }
        number(1);  // index of the time sampling
        number(series.name.size());
        headers += series.name;
        if (!series.about.empty()) {
            number(series.about.size());
            headers += series.about;
        }
        return out.group(children);
    }
    static void compoundHeader(std::string& headers, const std::string& name, const std::string& about) {
        purl::put(headers, (about.empty() ? 0u : 0xffu) << 20);
        headers += static_cast<char>(name.size());
        headers += name;
        if (about.empty()) return;
        headers += static_cast<char>(about.size());
        headers += about;
    }
    static std::string objectHeader(const std::string& name, const std::string& about) {
        std::string header;
        purl::put(header, static_cast<uint32_t>(name.size()));
        header += name + '\xff';
        purl::put(header, static_cast<uint32_t>(about.size()));
        return header + about;
    }
    // The headers of an object's children are followed by two digests: of its properties and of its children.
    static std::string digests(const std::string& properties, const std::string& objects) {
        std::string bytes;
        for (const std::string* text : {&properties, &objects}) {
            Hash hash;
            hash.add(*text);
            purl::put(bytes, hash.value());
            purl::put(bytes, uint64_t{text->size()});
        }
        return bytes;
    }

    OgawaChild geometry(const Shape& shape, std::string& digest) {
        std::string headers, inner;
        std::vector<OgawaChild> children, innerChildren;
        for (const Series& series : shape.geometry) children.push_back(property(series, headers));
        if (!shape.parameters.empty()) {
            for (const Series& series : shape.parameters) innerChildren.push_back(property(series, inner));
            innerChildren.push_back(out.data(inner));
            children.push_back(out.group(innerChildren));
            compoundHeader(headers, ".arbGeomParams", "");
        }
        children.push_back(out.data(headers));
        digest = headers + inner;
        for (const std::deque<Series>* list : {&shape.geometry, &shape.parameters})
            for (const Series& series : *list)
                for (const Sample& sample : series.samples) purl::put(digest, sample.digest);
        return out.group(children);
    }

    // A transform with the shape as its child, as Maya writes them.
    OgawaChild object(const Shape& shape, std::string& digest) {
        const char* const schema = kSchemas[static_cast<size_t>(shape.content)].name;
        std::string headers;
        compoundHeader(headers, ".geom", schemaData(schema));
        const OgawaChild geom = geometry(shape, digest);
        const OgawaChild properties = out.group({geom, out.data(headers)});
        const OgawaChild leaf = out.group({properties, out.data(digests(digest, ""))});

        const std::string about =
            schemaData(schema) + ";schemaObjTitle=" + schema + ":.geom;purl:item=" + objectName(shape.item);
        const std::string child = objectHeader(shape.name + "Shape", about);
        std::string transform;
        compoundHeader(transform, ".xform", "schema=AbcGeom_Xform_v3");
        const OgawaChild identity = out.group({0, out.data(transform)});
        return out.group({identity, leaf, out.data(child + digests(transform, child + digest))});
    }

    void finish() {
        std::vector<OgawaChild> children{0};  // the root object has no properties
        std::string headers, all;
        for (const Shape& shape : shapes) {
            std::string digest;
            children.push_back(object(shape, digest));
            headers += objectHeader(shape.name, "schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform");
            all += digest;
        }
        children.push_back(out.data(headers + digests("", headers + all)));
        const OgawaChild top = out.group(children);

        const std::string about = "DCC FPS=" + textOf(fps) + ";_ai_AlembicVersion=Alembic 1.8.0;_ai_Application=Purl" +
                                  ";purl:fps=" + textOf(fps) + ";purl:metersPerUnit=" + textOf(metersPerUnit) +
                                  ";purl:simTime=" + textOf(simTime) +
                                  ";purl:upAxis=Y;purl:velocities=units per second;purl:widths=diameter";
        out.finish(out.group({out.data(std::string(reinterpret_cast<const char*>(&kFileVersion), 4)),
                              out.data(std::string(reinterpret_cast<const char*>(&kLibraryVersion), 4)), top,
                              out.data(about), out.data(times()), kOgawaData}),
                   device);
    }
    // Two time samplings: the default one of every archive, and ours, which is uniform, or acyclic with explicit times
    // if frames are missing.
    std::string times() const {
        std::string bytes;
        const auto add = [&](size_t samples, double cycle, const std::vector<double>& stored) {
            purl::put(bytes, static_cast<uint32_t>(samples));
            purl::put(bytes, cycle);
            purl::put(bytes, static_cast<uint32_t>(stored.size()));
            for (const double time : stored) purl::put(bytes, time);
        };
        add(0, 1, {0});
        std::vector<double> stored;
        for (const int number : numbers) stored.push_back(number / fps);
        const bool whole = numbers.empty() || numbers.back() - numbers.front() + 1 == static_cast<int>(numbers.size());
        if (whole) stored.resize(std::min<size_t>(1, stored.size()));
        if (stored.empty()) stored.push_back(0);
        add(numbers.size(), whole ? 1 / fps : kAcyclic, stored);
        return bytes;
    }
};

AlembicWriter::AlembicWriter(double fps, Device device) : archive_(std::make_unique<Archive>(fps, std::move(device))) {}
AlembicWriter::AlembicWriter(const std::string& path, double fps, Device device)
    : archive_(std::make_unique<Archive>(path, fps, std::move(device))) {}
AlembicWriter::~AlembicWriter() = default;

void AlembicWriter::add(const Frame& frame, int number) {
    archive_->add(frame, number);
    archive_->out.settle(archive_->device);
}

void AlembicWriter::finish() { archive_->finish(); }
std::string AlembicWriter::take() { return archive_->out.take(); }

FileContent encodeAlembic(const Frame& frame, FileTime time, const Device& device) {
    AlembicWriter::Archive archive(time.fps, device);
    archive.add(frame, time.frame);
    archive.finish();
    return archive.out.take();
}

}  // namespace purl
