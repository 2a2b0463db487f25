#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>

#include "solver/cache/alembic.h"
#include "solver/cache/alembicWords.h"
#include "solver/cache/attributes.h"
#include "solver/cache/byteReader.h"
#include "solver/cache/ogawa.h"
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
        walk(root[2], 0);
        fps = numberOf(valueOf(about, "purl:fps"), 0);
        if (!(fps > 0)) fps = times.size() > 1 && times[1].cycle > 0 && times[1].cycle < 1e6 ? 1 / times[1].cycle : 24;
    }

    void spend() {
        if (left-- == 0) throw Error(in.path() + ": damaged: its object hierarchy is cyclic");
    }

    void walk(OgawaChild group, int depth) {
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
                if (schema == known.name) take(known.content, name, metadata, children[i]);
            walk(children[i], depth + 1);
        }
    }
    std::string metadataOf(ByteReader& bytes, uint32_t width) {
        const size_t index = bytes.number<uint8_t>();
        if (index == 0xff) return bytes.text(takeCount(bytes, width));
        if (index >= indexed.size())
            throw Error(in.path() + ": damaged: unknown metadata index " + std::to_string(index));
        return indexed[index];
    }
    void take(Content content, const std::string& name, const std::string& metadata, OgawaChild object) {
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

    template <class Item>
    void fill(Item& item, const Found& found, size_t index, uint64_t& budget) const {
        for (const Properties* list : {&found.geometry, &found.parameters})
            for (const auto& [name, property] : *list) {
                if (property.kind != Kind::array || index >= property.samples) continue;
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
                attribute.scope = valueOf(property.about, "geoScope") == "uni" ? Scope::uniform : Scope::vertex;
                const std::string bytes = bytesAt(property, index, budget);
                attribute.data = bytes.data();
                attribute.count = bytes.size() / bytesOf(attribute.type) / static_cast<size_t>(attribute.components);
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
    std::vector<int> integers(const Found& found, const char* name, size_t index, uint64_t& budget) const {
        const auto property = found.geometry.find(name);
        if (property == found.geometry.end() || property->second.pod != Pod::int32) return {};
        const std::string bytes = bytesAt(property->second, index, budget);
        std::vector<int> values(bytes.size() / sizeof(int));
        if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(int));
        return values;
    }

    Frame read(int number) const {
        Frame frame;
        frame.metersPerUnit = numberOf(valueOf(about, "purl:metersPerUnit"), 0.01);
        uint64_t budget = 8 * in.fileSize();
        bool any = shapes.empty();
        for (const Found& found : shapes) {
            const auto places = found.geometry.find("P");
            if (places == found.geometry.end()) continue;
            const std::vector<int> numbers = numbersOf(places->second);
            const auto at = std::find(numbers.begin(), numbers.end(), number);
            if (at == numbers.end()) continue;
            any = true;
            const auto index = static_cast<size_t>(at - numbers.begin());
            frame.time = numberOf(valueOf(about, "purl:simTime"), 0) + (number - numbers.front()) / fps;
            readShape(frame, found, index, budget);
        }
        if (!any) throw Error(in.path() + ": has no frame " + std::to_string(number));
        return frame;
    }
    void readShape(Frame& frame, const Found& found, size_t index, uint64_t& budget) const {
        if (found.content == Content::points) {
            Frame part;
            part.bodies.resize(1);
            part.bodies[0].name = found.item;
            fill(part.points, found, index, budget);
            checkCounts(part.points, in.path());
            appendPoints(frame, part);
        } else if (found.content == Content::mesh) {
            Mesh mesh;
            mesh.name = found.item;
            fill(mesh, found, index, budget);
            mesh.faces.counts = integers(found, ".faceCounts", index, budget);
            mesh.faces.corners = integers(found, ".faceIndices", index, budget);
            const std::vector<int> counts = mesh.faces.counts;
            checkCounts(mesh, in.path());
            readUvs(mesh.faces, found, index, budget);
            auto corner = mesh.faces.corners.begin();
            for (const int count : counts) {
                std::reverse(corner, corner + count);
                corner += count;
            }
            takeFaces(mesh, Faces(mesh.faces));
            frame.meshes.push_back(std::move(mesh));
        } else {
            Curves curves;
            curves.name = found.item;
            fill(curves, found, index, budget);
            curves.counts = integers(found, "nVertices", index, budget);
            const auto plies = found.parameters.find("plies");
            if (plies != found.parameters.end() && plies->second.pod == Pod::int32) {
                const std::string bytes = bytesAt(plies->second, index, budget);
                if (bytes.size() >= sizeof(int)) std::memcpy(&curves.plies, bytes.data(), sizeof(int));
            }
            checkCounts(curves, in.path());
            frame.curves.push_back(std::move(curves));
        }
    }
    // One value per face corner, without shared values.
    void readUvs(Faces& faces, const Found& found, size_t index, uint64_t& budget) const {
        const auto uv = found.geometry.find("uv");
        if (uv == found.geometry.end() || uv->second.kind != Kind::array || uv->second.pod != Pod::float32 ||
            uv->second.extent != 2 || index >= uv->second.samples)
            return;
        const std::string bytes = bytesAt(uv->second, index, budget);
        if (bytes.size() != 2 * sizeof(float) * faces.corners.size()) return;
        std::vector<float> values(2 * faces.corners.size());
        if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
        size_t corner = 0;
        for (const int count : faces.counts) {
            for (size_t k = corner + static_cast<size_t>(count); k-- > corner;) {
                faces.u.push_back(values[2 * k]);
                faces.v.push_back(values[2 * k + 1]);
                faces.cornerUvs.push_back(static_cast<int>(faces.cornerUvs.size()));
            }
            corner += static_cast<size_t>(count);
        }
    }
};

AlembicReader::AlembicReader(ByteSource source) : archive_(std::make_unique<Archive>(std::move(source))) {}
AlembicReader::~AlembicReader() = default;

std::vector<int> AlembicReader::frames() const {
    std::vector<int> all;
    for (const Found& found : archive_->shapes) {
        const auto places = found.geometry.find("P");
        if (places == found.geometry.end()) continue;
        const std::vector<int> numbers = archive_->numbersOf(places->second);
        all.insert(all.end(), numbers.begin(), numbers.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

Frame AlembicReader::read(int number) const { return archive_->read(number); }

Frame decodeAlembic(const std::string& bytes, const std::string& path) {
    const AlembicReader reader(ByteSource::ofBytes(bytes, path));
    const std::vector<int> numbers = reader.frames();
    if (numbers.empty()) throw Error(path + ": holds no points, meshes or curves");
    return reader.read(numbers.front());
}

}  // namespace purl