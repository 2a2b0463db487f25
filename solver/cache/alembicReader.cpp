#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

#include "solver/cache/alembic.h"
#include "solver/cache/alembicWords.h"
#include "solver/cache/attributes.h"
#include "solver/cache/byteReader.h"
#include "solver/cache/ogawa.h"
#include "solver/cache/placement.h"
#include "solver/cache/points.h"
#include "solver/core/error.h"

namespace purl {
using namespace alembic;
namespace {

double numberOf(const std::string& text, double fallback) {
    double value = fallback;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return std::isfinite(value) ? value : fallback;
}

size_t takeCount(ByteReader& bytes, uint32_t width) {
    switch (width) {
        case 0: return bytes.number<uint8_t>();
        case 1: return bytes.number<uint16_t>();
        default: return bytes.number<uint32_t>();
    }
}

// Value of a key in metadata of the form "a=b;c=d".
std::string valueOf(const std::string& metadata, const std::string& key) {
    for (size_t at = 0; at < metadata.size();) {
        const size_t end = std::min(metadata.find(';', at), metadata.size());
        if (metadata.compare(at, key.size() + 1, key + "=") == 0)
            return metadata.substr(at + key.size() + 1, end - at - key.size() - 1);
        at = end + 1;
    }
    return "";
}

struct Property {
    Kind kind = Kind::compound;
    Pod pod = Pod::float32;
    int extent = 1;
    size_t samples = 0, first = 0, last = 0;
    size_t times = 0;  // index of its time sampling
    std::string about;
    OgawaChild group = 0;
};
using Properties = std::map<std::string, Property>;

struct Found {
    Content content;
    std::string item;
    Properties geometry, parameters;
    Properties uv;  // values and indices, if they are stored apart
    // Of the objects above it, outermost first.
    std::vector<std::shared_ptr<const Properties>> transforms;
};

struct Times {
    double cycle = 1;
    std::vector<double> stored;
};

}  // namespace

struct AlembicReader::Archive {
    OgawaReader in;
    std::string about;
    std::vector<std::string> indexed{""};  // metadata that headers refer to by index
    std::vector<Times> times;
    std::vector<Found> shapes;
    double fps = 24;
    size_t left;  // budget of headers to read: the hierarchy of a damaged file may be cyclic

    explicit Archive(ByteSource source) : in(std::move(source)), left(static_cast<size_t>(in.fileSize() / 4)) {
        const std::vector<OgawaChild> root = in.children(in.root());
        if (root.size() < 6) throw Error(in.path() + ": not an Alembic archive");
        about = in.data(root[3]);
        const std::string sampling = in.data(root[4]), metadata = in.data(root[5]);
        for (ByteReader bytes(metadata, in.path()); bytes.left() > 0;) {
            const size_t size = bytes.number<uint8_t>();
            indexed.push_back(bytes.text(size));
        }
        for (ByteReader bytes(sampling, in.path()); bytes.left() > 0;) {
            bytes.number<uint32_t>();
            Times entry;
            entry.cycle = bytes.number<double>();
            for (uint32_t n = bytes.number<uint32_t>(); n > 0; --n) entry.stored.push_back(bytes.number<double>());
            times.push_back(std::move(entry));
        }
        std::vector<std::shared_ptr<const Properties>> transforms;
        walk(root[2], 0, transforms);
        fps = numberOf(valueOf(about, "purl:fps"), 0);
        if (!(fps > 0)) fps = times.size() > 1 && times[1].cycle > 0 && times[1].cycle < 1e6 ? 1 / times[1].cycle : 24;
    }

    void spend() {
        if (left-- == 0) throw Error(in.path() + ": damaged: its object hierarchy is cyclic");
    }

    void walk(OgawaChild group, int depth, std::vector<std::shared_ptr<const Properties>>& transforms) {
        const std::vector<OgawaChild> children = in.children(group);
        if (children.size() < 2 || depth > 32) return;
        std::string headers = in.data(children.back());
        headers.resize(headers.size() - std::min<size_t>(headers.size(), 2 * kKeyBytes));
        ByteReader bytes(headers, in.path());
        for (size_t i = 1; bytes.left() > 0; ++i) {
            spend();
            const std::string name = bytes.text(bytes.number<uint32_t>()), metadata = metadataOf(bytes, 2);
            if (i + 1 >= children.size()) throw Error(in.path() + ": damaged: object " + name + " is missing");
            const std::string schema = valueOf(metadata, "schema");
            for (const Schema& known : kSchemas)
                if (schema == known.name) take(known.content, name, metadata, children[i], transforms);
            const bool transform = schema == "AbcGeom_Xform_v3";
            if (transform) transforms.push_back(std::make_shared<const Properties>(transformOf(children[i])));
            walk(children[i], depth + 1, transforms);
            if (transform) transforms.pop_back();
        }
    }
    std::string metadataOf(ByteReader& bytes, uint32_t width) {
        const size_t index = bytes.number<uint8_t>();
        if (index == 0xff) return bytes.text(takeCount(bytes, width));
        if (index >= indexed.size())
            throw Error(in.path() + ": damaged: unknown metadata index " + std::to_string(index));
        return indexed[index];
    }
    Properties transformOf(OgawaChild object) {
        const std::vector<OgawaChild> children = in.children(object);
        if (children.empty()) return {};
        const Properties top = propertiesOf(children[0]);
        const auto transform = top.find(".xform");
        return transform == top.end() ? Properties() : propertiesOf(transform->second.group);
    }
    void take(Content content, const std::string& name, const std::string& metadata, OgawaChild object,
              const std::vector<std::shared_ptr<const Properties>>& transforms) {
        const std::vector<OgawaChild> children = in.children(object);
        if (children.empty()) return;
        const Properties top = propertiesOf(children[0]);
        const auto geom = top.find(".geom");
        if (geom == top.end()) return;
        Found found;
        found.content = content;
        found.item = valueOf(metadata, "purl:item");
        if (found.item.empty()) found.item = name;
        found.geometry = propertiesOf(geom->second.group);
        const auto more = found.geometry.find(".arbGeomParams");
        if (more != found.geometry.end()) found.parameters = propertiesOf(more->second.group);
        const auto uv = found.geometry.find("uv");
        if (uv != found.geometry.end() && uv->second.kind == Kind::compound) found.uv = propertiesOf(uv->second.group);
        found.transforms = transforms;
        shapes.push_back(std::move(found));
    }
    Properties propertiesOf(OgawaChild group) {
        Properties list;
        const std::vector<OgawaChild> children = in.children(group);
        if (children.empty()) return list;
        const std::string headers = in.data(children.back());
        ByteReader bytes(headers, in.path());
        for (size_t i = 0; bytes.left() > 0; ++i) {
            spend();
            const auto info = bytes.number<uint32_t>();
            const uint32_t width = info >> 2 & 3;
            Property p;
            p.kind = (info & 3) == 3 ? Kind::array : static_cast<Kind>(info & 3);
            if (p.kind != Kind::compound) {
                p.pod = static_cast<Pod>(info >> 4 & 15);
                p.extent = static_cast<int>(info >> 12 & 0xff);
                p.samples = takeCount(bytes, width);
                if (info & 1u << 9) {
                    p.first = takeCount(bytes, width);
                    p.last = takeCount(bytes, width);
                } else if (!(info & 1u << 11) && p.samples > 0) {
                    p.first = 1;
                    p.last = p.samples - 1;
                }
                if (info & 1u << 8) p.times = takeCount(bytes, width);
            }
            const std::string name = bytes.text(takeCount(bytes, width));
            const size_t index = info >> 20 & 0xff;
            if (index == 0xff)
                p.about = bytes.text(takeCount(bytes, width));
            else if (index < indexed.size())
                p.about = indexed[index];
            if (i + 1 >= children.size()) throw Error(in.path() + ": damaged: property " + name + " is missing");
            p.group = children[i];
            list.emplace(name, std::move(p));
        }
        return list;
    }

    // ---- samples ------------------------------------------------------------------------------------------------

    // Frame numbers for which a property has samples.
    std::vector<int> numbersOf(const Property& p) const {
        std::vector<int> numbers;
        if (p.times >= times.size()) return numbers;
        const Times& sampling = times[p.times];
        for (size_t i = 0; i < std::min<size_t>(p.samples, in.fileSize() / 8); ++i) {
            if (sampling.stored.empty() || (sampling.cycle >= kAcyclic && i >= sampling.stored.size())) break;
            const size_t per = sampling.stored.size();
            const double time = sampling.cycle >= kAcyclic
                                    ? sampling.stored[i]
                                    : sampling.stored[i % per] + static_cast<double>(i / per) * sampling.cycle;
            const double number = time * fps;
            if (!(std::abs(number) < 1e9)) break;
            numbers.push_back(static_cast<int>(std::lround(number)));
        }
        return numbers;
    }
    // Index of the sample that holds at a frame: the last one up to it, or the first.
    size_t indexAt(const Property& p, int number) const {
        const std::vector<int> numbers = numbersOf(p);
        const auto after = std::upper_bound(numbers.begin(), numbers.end(), number);
        return after == numbers.begin() ? 0 : static_cast<size_t>(after - numbers.begin()) - 1;
    }
    // Samples before the first change and after the last one are not stored.
    static size_t storedIndex(const Property& p, size_t i) {
        if (p.first == 0 && p.last == 0) return 0;
        if (i < p.first) return 0;
        return std::min(i, p.last) - p.first + 1;
    }
    std::string bytesAt(const Property& p, size_t i, uint64_t& budget) const {
        const std::vector<OgawaChild> children = in.children(p.group);
        const size_t at = storedIndex(p, i) * (p.kind == Kind::array ? 2 : 1);
        if (at >= children.size()) throw Error(in.path() + ": damaged: a sample is missing");
        const uint64_t size = in.sizeOf(children[at]);
        if (size > budget) throw Error(in.path() + ": damaged: its samples are larger than the file");
        budget -= size;
        return in.data(children[at], kKeyBytes);
    }

    size_t elementsAt(const Property& p, size_t i, size_t bytes) const {
        const std::vector<OgawaChild> children = in.children(p.group);
        const size_t at = storedIndex(p, i) * 2;
        const uint64_t size = p.kind == Kind::array && at < children.size() ? in.sizeOf(children[at]) : 0;
        return size > kKeyBytes ? static_cast<size_t>(size - kKeyBytes) / bytes : 0;
    }
    // `count`: of the points or vertices.
    template <class Item>
    void fill(Item& item, const Found& found, int number, size_t count, uint64_t& budget) const {
        for (const Properties* list : {&found.geometry, &found.parameters})
            for (const auto& [name, property] : *list) {
                if (property.kind != Kind::array || property.samples == 0) continue;
                Attribute attribute;
                switch (property.pod) {
                    case Pod::float32: attribute.type = AttributeType::float32; break;
                    case Pod::int32: attribute.type = AttributeType::int32; break;
                    case Pod::int64:
                    case Pod::uint64: attribute.type = AttributeType::int64; break;
                    default: continue;
                }
                attribute.name = channelOf(name, found.content);
                attribute.components = property.extent;
                if (attribute.components != 1 && attribute.components != 3) continue;
                const std::string scope = valueOf(property.about, "geoScope");
                if (scope == "fvr" || (scope == "uni" && found.content != Content::curves)) continue;
                attribute.scope = scope == "uni" ? Scope::uniform : Scope::vertex;
                std::string bytes = bytesAt(property, indexAt(property, number), budget);
                attribute.count = bytes.size() / bytesOf(attribute.type) / static_cast<size_t>(attribute.components);
                if (scope == "con" && attribute.count == 1 && attribute.bytes() * count <= budget) {
                    budget -= attribute.bytes() * count;
                    const std::string one = std::exchange(bytes, {});
                    for (attribute.count = 0; attribute.count < count; ++attribute.count) bytes += one;
                }
                attribute.data = bytes.data();
                assign(item, attribute);
            }
    }
    static std::string channelOf(const std::string& onDisk, Content content) {
        if (onDisk == ".pointIds") return "id";
        if (onDisk == ".widths") return "";
        for (const Spelling& spelling : kSpellings)
            if (onDisk == spelling.onDisk) return spelling.channel;
        return onDisk == "id" && content == Content::points ? "" : onDisk;
    }
    std::vector<int> integers(const Properties& list, const char* name, int number, uint64_t& budget) const {
        const auto property = list.find(name);
        if (property == list.end() || property->second.samples == 0 ||
            (property->second.pod != Pod::int32 && property->second.pod != Pod::uint32))
            return {};
        const std::string bytes = bytesAt(property->second, indexAt(property->second, number), budget);
        std::vector<int> values(bytes.size() / sizeof(int));
        if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(int));
        return values;
    }

    std::vector<double> doubles(const Properties& list, const char* name, int number, uint64_t& budget) const {
        const auto property = list.find(name);
        if (property == list.end() || property->second.samples == 0 || property->second.pod != Pod::float64) return {};
        const std::string bytes = bytesAt(property->second, indexAt(property->second, number), budget);
        std::vector<double> values(bytes.size() / sizeof(double));
        if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
        return values;
    }
    // The transforms above an object: `.ops` has a byte per operation, with its kind in the upper four bits, `.vals`
    // their numbers.
    Placement placementOf(const Found& found, int number, uint64_t& budget) const {
        Placement whole;
        for (const auto& transform : found.transforms) {
            const auto ops = transform->find(".ops");
            const std::vector<double> values = doubles(*transform, ".vals", number, budget);
            Placement local;
            if (ops != transform->end() && ops->second.samples > 0 && ops->second.pod == Pod::uint8) {
                size_t at = 0;
                for (const char op : bytesAt(ops->second, indexAt(ops->second, number), budget)) {
                    constexpr size_t kNumbers[] = {3, 3, 4, 16, 1, 1, 1};
                    const size_t kind = static_cast<unsigned char>(op) >> 4;
                    if (kind >= std::size(kNumbers) || kNumbers[kind] > values.size() - at)
                        throw Error(in.path() + ": damaged: a transform is incomplete");
                    local = operation(kind, &values[at]) * local;
                    at += kNumbers[kind];
                }
            }
            const auto inherits = transform->find(".inherits");
            bool inherited = true;
            if (inherits != transform->end() && inherits->second.samples > 0) {
                const std::string flag = bytesAt(inherits->second, indexAt(inherits->second, number), budget);
                inherited = flag.empty() || flag[0] != 0;
            }
            whole = inherited ? local * whole : local;
        }
        return whole;
    }
    static Placement operation(size_t kind, const double* v) {
        switch (kind) {
            case 0: return Placement::scaling(v[0], v[1], v[2]);
            case 1: return Placement::translation(v[0], v[1], v[2]);
            case 2: return Placement::rotation(v[0], v[1], v[2], v[3]);
            case 3: {
                Placement p;
                for (size_t i = 0; i < 16; ++i) p.m[i / 4][i % 4] = v[i];
                return p;
            }
            default: return Placement::rotation(kind == 4, kind == 5, kind == 6, v[0]);
        }
    }

    // Frames with samples. What has one sample only stands still, and does not count unless everything does.
    std::vector<int> frames() const {
        std::vector<int> moving, standing;
        const auto add = [&](const Properties& list, const char* name) {
            const auto property = list.find(name);
            if (property == list.end()) return;
            std::vector<int>& all = property->second.samples > 1 ? moving : standing;
            const std::vector<int> numbers = numbersOf(property->second);
            all.insert(all.end(), numbers.begin(), numbers.end());
            if (all.size() > in.fileSize()) tidy(all);
        };
        for (const Found& found : shapes) {
            add(found.geometry, "P");
            for (const auto& transform : found.transforms) add(*transform, ".vals");
        }
        std::vector<int>& all = moving.empty() ? standing : moving;
        tidy(all);
        return all;
    }
    static void tidy(std::vector<int>& numbers) {
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    }

    Frame read(int number) const {
        const std::vector<int> numbers = frames();
        if (!std::binary_search(numbers.begin(), numbers.end(), number) && !shapes.empty())
            throw Error(in.path() + ": has no frame " + std::to_string(number));
        Frame frame;
        frame.metersPerUnit = numberOf(valueOf(about, "purl:metersPerUnit"), 0.01);
        frame.time =
            numberOf(valueOf(about, "purl:simTime"), 0) + (number - (numbers.empty() ? number : numbers[0])) / fps;
        uint64_t budget = 8 * in.fileSize();
        for (const Found& found : shapes) {
            const auto places = found.geometry.find("P");
            if (places != found.geometry.end() && places->second.samples > 0)
                readShape(frame, found, number, places->second, budget);
        }
        return frame;
    }
    bool widthsAreRadii() const { return valueOf(about, "_ai_Application").find("Maya") != std::string::npos; }

    void readShape(Frame& frame, const Found& found, int number, const Property& places, uint64_t& budget) const {
        const size_t count = elementsAt(places, indexAt(places, number), sizeof(Vec3));
        const Placement placement = placementOf(found, number, budget);
        if (found.content == Content::points) {
            Frame part;
            part.bodies.resize(1);
            part.bodies[0].name = found.item;
            fill(part.points, found, number, count, budget);
            if (part.points.radii.empty()) readRadii(part.points, found, number, count, budget);
            checkCounts(part.points, in.path());
            apply(placement, part.points);
            appendPoints(frame, part);
        } else if (found.content == Content::mesh) {
            Mesh mesh;
            mesh.name = found.item;
            fill(mesh, found, number, count, budget);
            mesh.faces.counts = integers(found.geometry, ".faceCounts", number, budget);
            mesh.faces.corners = integers(found.geometry, ".faceIndices", number, budget);
            checkCounts(mesh, in.path());
            readUvs(mesh.faces, found, number, budget);
            reverseFaces(mesh.faces);
            takeFaces(mesh, Faces(mesh.faces));
            apply(placement, mesh);
            frame.meshes.push_back(std::move(mesh));
        } else {
            Curves curves;
            curves.name = found.item;
            fill(curves, found, number, count, budget);
            curves.counts = integers(found.geometry, "nVertices", number, budget);
            const std::vector<int> plies = integers(found.parameters, "plies", number, budget);
            if (!plies.empty()) curves.plies = plies[0];
            completeYarns(curves);
            checkCounts(curves, in.path());
            apply(placement, curves);
            frame.curves.push_back(std::move(curves));
        }
    }
    // Widths are diameters, but Maya's exporter writes radii there.
    void readRadii(Points& points, const Found& found, int number, size_t count, uint64_t& budget) const {
        const auto widths = found.geometry.find(".widths");
        if (widths == found.geometry.end() || widths->second.kind != Kind::array || widths->second.samples == 0 ||
            widths->second.pod != Pod::float32)
            return;
        const std::string bytes = bytesAt(widths->second, indexAt(widths->second, number), budget);
        std::vector<float> radii(bytes.size() / sizeof(float));
        if (radii.empty()) return;
        std::memcpy(radii.data(), bytes.data(), radii.size() * sizeof(float));
        if (radii.size() == 1) radii.resize(count, float(radii[0]));
        if (radii.size() != count) return;
        if (!widthsAreRadii())
            for (float& radius : radii) radius /= 2;
        points.radii = std::move(radii);
    }
    // Texture coordinates of face corners, with or without indices.
    void readUvs(Faces& faces, const Found& found, int number, uint64_t& budget) const {
        const bool apart = !found.uv.empty();
        const Properties& list = apart ? found.uv : found.geometry;
        const auto uv = list.find(apart ? ".vals" : "uv");
        if (uv == list.end() || uv->second.kind != Kind::array || uv->second.pod != Pod::float32 ||
            uv->second.extent != 2 || uv->second.samples == 0)
            return;
        const std::string bytes = bytesAt(uv->second, indexAt(uv->second, number), budget);
        const size_t count = bytes.size() / (2 * sizeof(float));
        std::vector<int> corners;
        if (apart) {
            corners = integers(list, ".indices", number, budget);
        } else {
            corners.resize(count);
            for (size_t i = 0; i < count; ++i) corners[i] = static_cast<int>(i);
        }
        const auto isUv = [&](int index) { return index >= 0 && static_cast<size_t>(index) < count; };
        if (corners.size() != faces.corners.size() || !std::all_of(corners.begin(), corners.end(), isUv)) return;
        std::vector<float> values(2 * count), u(count), v(count);
        if (count > 0) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
        for (size_t i = 0; i < count; ++i) {
            u[i] = values[2 * i];
            v[i] = values[2 * i + 1];
        }
        faces.u = std::move(u);
        faces.v = std::move(v);
        faces.cornerUvs = std::move(corners);
    }
};

AlembicReader::AlembicReader(ByteSource source) : archive_(std::make_unique<Archive>(std::move(source))) {}
AlembicReader::~AlembicReader() = default;

std::vector<int> AlembicReader::frames() const { return archive_->frames(); }
double AlembicReader::fps() const { return archive_->fps; }
Frame AlembicReader::read(int number) const { return archive_->read(number); }

Frame decodeAlembic(const std::string& bytes, const std::string& path) {
    const AlembicReader reader(ByteSource::ofBytes(bytes, path));
    const std::vector<int> numbers = reader.frames();
    if (numbers.empty()) throw Error(path + ": holds no points, meshes or curves");
    return reader.read(numbers.front());
}

}  // namespace purl