#include "render/exr.h"

#include "solver/core/error.h"

#ifdef PURL_EXR
    #include <ImfChannelList.h>
    #include <ImfFrameBuffer.h>
    #include <ImfHeader.h>
    #include <ImfIO.h>
    #include <ImfInputFile.h>
    #include <ImfOutputFile.h>
    #include <ImfStringAttribute.h>
    #include <half.h>

    #include <algorithm>
    #include <cerrno>
    #include <cmath>
    #include <cstdio>
    #include <cstring>

    #include "render/partFile.h"
#endif

namespace purl {

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

ExrImage readExr(const std::string& path) {
    try {
        Imf::InputFile file(path.c_str());
        const Imath::Box2i window = file.header().dataWindow();
        constexpr int64_t kMaxSide = 1 << 15;
        const int64_t width = int64_t{window.max.x} - window.min.x + 1,
                      height = int64_t{window.max.y} - window.min.y + 1;
        if (width > kMaxSide || height > kMaxSide) throw Error("larger than 32768 pixels a side");
        ExrImage image;
        image.width = int(width);
        image.height = int(height);
        // Read some rows at a time, so that a truncated file takes no memory for the rows that it lacks.
        constexpr int kRows = 64;
        std::map<std::string, std::vector<float>> rows;
        const Imf::ChannelList& list = file.header().channels();
        for (auto channel = list.begin(); channel != list.end(); ++channel)
            rows[channel.name()].resize(size_t(width) * kRows);
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
        if (const auto* ids = file.header().findTypedAttribute<Imf::StringAttribute>("ids")) image.ids = ids->value();
        return image;
    } catch (const std::exception& reason) { throw Error(path + ": cannot read this OpenEXR image: " + reason.what()); }
}

#else

void writeExr(const Aovs&, const std::string& path) {
    throw Error(path + ": built without OpenEXR; build with libopenexr-dev installed, or use --format png");
}

ExrImage readExr(const std::string& path) {
    throw Error(path + ": built without OpenEXR; build with libopenexr-dev installed, or use a .hdr image");
}

#endif

}  // namespace purl
