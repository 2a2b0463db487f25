#include "render/exr.h"

#include "solver/core/error.h"

#ifdef PURL_EXR
    #include <ImfChannelList.h>
    #include <ImfFrameBuffer.h>
    #include <ImfHeader.h>
    #include <ImfIO.h>
    #include <ImfInputFile.h>
    #include <ImfOutputFile.h>
    #include <ImfStdIO.h>
    #include <ImfStringAttribute.h>
    #include <ImfTileDescription.h>
    #include <ImfVersion.h>
    #include <ImfXdr.h>
    #include <half.h>

    #include <algorithm>
    #include <cerrno>
    #include <cmath>
    #include <cstdio>
    #include <cstring>
    #include <filesystem>
    #include <fstream>
    #include <new>

    #include "render/partFile.h"
#endif

namespace purl {

void checkImageSize(const std::string& path, int64_t width, int64_t height) {
    constexpr int64_t kMaxSide = 1 << 15, kMaxPixels = 1 << 27;
    if (width > kMaxSide || height > kMaxSide || width * height > kMaxPixels)
        throw Error(path + ": has " + std::to_string(width) + " by " + std::to_string(height) + " pixels, more than " +
                    std::to_string(kMaxSide) + " a side or " + std::to_string(kMaxPixels) +
                    " in all; scale the image down");
}

#ifdef PURL_EXR

namespace {

// One EXR channel slice: address of the first pixel's value and the stride to the next.
struct Column {
    const char* name;
    Imf::PixelType type;
    const void* first;
    size_t stride;
};

// A stream of the library's into a part.
class PartStream : public Imf::OStream {
  public:
    PartStream(const PartFile& file, const std::string& path) : Imf::OStream(path.c_str()), file_(file.stream()) {}
    void write(const char bytes[], int count) override {
        if (std::fwrite(bytes, 1, size_t(count), file_) != size_t(count)) throw Error(std::strerror(errno));
    }
    uint64_t tellp() override { return uint64_t(::ftello(file_)); }
    void seekp(uint64_t place) override {
        if (::fseeko(file_, off_t(place), SEEK_SET) != 0) throw Error(std::strerror(errno));
    }

  private:
    std::FILE* file_;
};

// Walks over the attributes of all headers: OpenEXR gives an attribute the memory that its size claims before it reads.
void checkAttributes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::error_code none;
    const auto bytes = int64_t(std::filesystem::file_size(path, none));
    const auto readInt = [&] {
        unsigned char b[4] = {};
        file.read(reinterpret_cast<char*>(b), 4);
        return int32_t(b[0] | b[1] << 8 | b[2] << 16 | uint32_t(b[3]) << 24);
    };
    const auto skipName = [&] {  // returns whether there is one
        int length = 0;
        while (file.get() > 0) ++length;
        return length > 0;
    };
    const int magic = readInt(), version = readInt();
    if (!file || magic != Imf::MAGIC) throw Error(path + ": not an OpenEXR image");
    if (Imf::isNonImage(version)) throw Error(path + ": a deep image; flatten it");
    // A header ends with an attribute without a name; so does the list of the headers of several parts.
    bool empty = false;
    do {
        for (empty = true; skipName(); empty = false) {
            skipName();
            const int32_t size = readInt();
            if (!file || size < 0 || size > bytes - int64_t(file.tellg()))
                throw Error(path + ": the file is truncated or damaged: an attribute is larger than the file");
            file.seekg(size, std::ios::cur);
        }
        if (!file) throw Error(path + ": the file is truncated");
    } while (Imf::isMultiPart(version) && !empty);
}

// The header of the first part, and nothing behind it.
Imf::Header readHeader(const std::string& path) {
    checkAttributes(path);
    Imf::StdIFStream stream(path.c_str());
    int magic = 0, version = 0;
    Imf::Xdr::read<Imf::StreamIO>(stream, magic);
    Imf::Xdr::read<Imf::StreamIO>(stream, version);
    Imf::Header header;
    header.readFrom(stream, version);
    return header;
}

// A row of tiles is kept in memory.
void checkTiles(const std::string& path, const Imf::Header& header) {
    constexpr unsigned kMaxTileSide = 4096;
    const Imf::TileDescription& tiles = header.tileDescription();
    if (tiles.xSize > kMaxTileSide || tiles.ySize > kMaxTileSide)
        throw Error(path + ": has tiles of " + std::to_string(tiles.xSize) + " by " + std::to_string(tiles.ySize) +
                    " pixels, more than the limit of " + std::to_string(kMaxTileSide) + " a side");
}

void checkChannel(const std::string& path, const Imf::ChannelList& list, const std::string& name) {
    const Imf::Channel* channel = list.findChannel(name);
    if (!channel) throw Error(path + ": has no channel " + name);
    if (channel->xSampling != 1 || channel->ySampling != 1)
        throw Error(path + ": channel " + name + " has not a value for each pixel");
}

void write(Imf::OStream& stream, int width, int height, const std::vector<Column>& columns, const std::string& ids) {
    Imf::Header header(width, height);
    header.compression() = Imf::ZIP_COMPRESSION;
    header.insert("ids", Imf::StringAttribute(ids));
    Imf::FrameBuffer buffer;
    for (const Column& column : columns) {
        header.channels().insert(column.name, Imf::Channel(column.type));
        // OpenEXR takes a non-const pointer but only reads.
        char* first = static_cast<char*>(const_cast<void*>(column.first));
        buffer.insert(column.name, Imf::Slice(column.type, first, column.stride, column.stride * size_t(width)));
    }
    Imf::OutputFile file(stream, header);
    file.setFrameBuffer(buffer);
    file.writePixels(height);
}

}  // namespace

void writeExr(const Aovs& aovs, const std::string& path) {
    const size_t count = size_t(aovs.width) * size_t(aovs.height);
    if (count == 0 || aovs.beauty.size() != count || aovs.ids.size() != count)
        throw Error(path + ": the image has no pixels");
    struct Rgba {
        half r, g, b, a;
    };
    std::vector<Rgba> light;
    light.reserve(count);
    // Clamped to the largest half: larger values would become infinite.
    const auto toHalf = [](float s) { return half(std::min(std::max(s, 0.0f), float(HALF_MAX))); };
    for (const Vec3 c : aovs.beauty) light.push_back({toHalf(c.x), toHalf(c.y), toHalf(c.z), half(1.0f)});
    std::string ids;
    for (size_t i = 0; i < aovs.names.size(); ++i) ids += (i ? ", " : "") + std::to_string(i + 1) + " " + aovs.names[i];
    const std::vector<Column> columns = {
        {"R", Imf::HALF, &light[0].r, sizeof(Rgba)},
        {"G", Imf::HALF, &light[0].g, sizeof(Rgba)},
        {"B", Imf::HALF, &light[0].b, sizeof(Rgba)},
        {"A", Imf::HALF, &light[0].a, sizeof(Rgba)},
        {"Z", Imf::FLOAT, &aovs.depth[0], sizeof(float)},
        {"N.X", Imf::FLOAT, &aovs.normals[0].x, sizeof(Vec3)},
        {"N.Y", Imf::FLOAT, &aovs.normals[0].y, sizeof(Vec3)},
        {"N.Z", Imf::FLOAT, &aovs.normals[0].z, sizeof(Vec3)},
        {"velocity.X", Imf::FLOAT, &aovs.velocities[0].x, sizeof(Vec3)},
        {"velocity.Y", Imf::FLOAT, &aovs.velocities[0].y, sizeof(Vec3)},
        {"velocity.Z", Imf::FLOAT, &aovs.velocities[0].z, sizeof(Vec3)},
        {"wetness", Imf::FLOAT, &aovs.wetness[0], sizeof(float)},
        {"id", Imf::UINT, &aovs.ids[0], sizeof(int)},
    };
    PartFile file(path);
    PartStream stream(file, path);
    try {
        write(stream, aovs.width, aovs.height, columns, ids);
    } catch (const std::exception& reason) { throw Error(path + ": cannot write the image: " + reason.what()); }
    // OpenEXR writes its offset table on closing and does not report a failure there.
    if (std::ferror(file.stream())) throw Error(path + ": cannot write the image");
    file.finish();
}

ExrImage readExr(const std::string& path, const std::vector<std::string>& channels) {
    try {
        // Before any tile, row or table of offsets gets memory.
        const Imf::Header header = readHeader(path);
        const Imath::Box2i window = header.dataWindow();
        const int64_t width = int64_t{window.max.x} - window.min.x + 1,
                      height = int64_t{window.max.y} - window.min.y + 1;
        checkImageSize(path, width, height);
        if (header.hasTileDescription()) checkTiles(path, header);
        for (const std::string& name : channels) checkChannel(path, header.channels(), name);

        Imf::InputFile file(path.c_str());
        ExrImage image;
        image.width = int(width);
        image.height = int(height);
        // Read some rows at a time, so that a truncated file takes no memory for the rows that it lacks.
        constexpr int kRows = 64;
        std::map<std::string, std::vector<float>> rows;
        for (const std::string& name : channels) rows[name].resize(size_t(width) * kRows);
        for (int y = 0; y < image.height; y += kRows) {
            const int count = std::min(kRows, image.height - y);
            const Imath::V2i origin(window.min.x, window.min.y + y);  // the data window need not start at 0
            Imf::FrameBuffer buffer;
            for (auto& [name, values] : rows)
                buffer.insert(name, Imf::Slice::Make(Imf::FLOAT, values.data(), origin, width, count, sizeof(float),
                                                     sizeof(float) * size_t(width)));
            file.setFrameBuffer(buffer);
            file.readPixels(origin.y, origin.y + count - 1);
            for (const auto& [name, values] : rows)
                image.channels[name].insert(image.channels[name].end(), values.begin(),
                                            values.begin() + std::ptrdiff_t(width) * count);
        }
        if (const auto* ids = header.findTypedAttribute<Imf::StringAttribute>("ids")) image.ids = ids->value();
        return image;
    } catch (const Error&) { throw; } catch (const std::bad_alloc&) {
        throw Error(path + ": not enough memory for this OpenEXR image, or it is damaged");
    } catch (const std::exception& reason) { throw Error(path + ": cannot read this OpenEXR image: " + reason.what()); }
}

#else

void writeExr(const Aovs&, const std::string& path) {
    throw Error(path + ": built without OpenEXR; build with libopenexr-dev installed, or use --format png");
}

ExrImage readExr(const std::string& path, const std::vector<std::string>&) {
    throw Error(path + ": built without OpenEXR; build with libopenexr-dev installed, or use a .hdr image");
}

#endif

}  // namespace purl
