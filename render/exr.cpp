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

// A column of a file: where the value of the first pixel is, and how far it is from one to the next.
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
        // The library reads through a pointer that it does not call const.
        char* first = static_cast<char*>(const_cast<void*>(column.first));
        buffer.insert(column.name, Imf::Slice(column.type, first, column.stride, column.stride * size_t(width)));
    }
    Imf::OutputFile file(stream, header);
    file.setFrameBuffer(buffer);
    file.writePixels(height);
}

}  // namespace

void writeExr(const PictureLayers& layers, const std::string& path) {
    const size_t count = size_t(layers.width) * size_t(layers.height);
    if (count == 0 || layers.light.size() != count || layers.ids.size() != count)
        throw Error(path + ": the picture has no pixels to write");
    struct Rgba {
        half r, g, b, a;
    };
    std::vector<Rgba> light;
    light.reserve(count);
    // Light beyond what a half holds would become infinite.
    const auto held = [](float s) { return half(std::min(std::max(s, 0.0f), float(HALF_MAX))); };
    for (const Vec3 c : layers.light) light.push_back({held(c.x), held(c.y), held(c.z), half(1.0f)});
    std::string ids;
    for (size_t i = 0; i < layers.names.size(); ++i)
        ids += (i ? ", " : "") + std::to_string(i + 1) + " " + layers.names[i];
    const std::vector<Column> columns = {
        {"R", Imf::HALF, &light[0].r, sizeof(Rgba)},
        {"G", Imf::HALF, &light[0].g, sizeof(Rgba)},
        {"B", Imf::HALF, &light[0].b, sizeof(Rgba)},
        {"A", Imf::HALF, &light[0].a, sizeof(Rgba)},
        {"Z", Imf::FLOAT, &layers.depth[0], sizeof(float)},
        {"N.X", Imf::FLOAT, &layers.normals[0].x, sizeof(Vec3)},
        {"N.Y", Imf::FLOAT, &layers.normals[0].y, sizeof(Vec3)},
        {"N.Z", Imf::FLOAT, &layers.normals[0].z, sizeof(Vec3)},
        {"velocity.X", Imf::FLOAT, &layers.velocities[0].x, sizeof(Vec3)},
        {"velocity.Y", Imf::FLOAT, &layers.velocities[0].y, sizeof(Vec3)},
        {"velocity.Z", Imf::FLOAT, &layers.velocities[0].z, sizeof(Vec3)},
        {"wetness", Imf::FLOAT, &layers.wetness[0], sizeof(float)},
        {"id", Imf::UINT, &layers.ids[0], sizeof(int)},
    };
    PartFile file(path);
    PartStream stream(file, path);
    try {
        write(stream, layers.width, layers.height, columns, ids);
    } catch (const std::exception& reason) { throw Error(path + ": cannot write the picture: " + reason.what()); }
    // The library writes the end of its table when it closes, and says nothing where that fails.
    if (std::ferror(file.stream())) throw Error(path + ": cannot write the picture");
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
        // Some rows at a time: a file that ends early takes no memory for those that it lacks.
        constexpr int kRows = 64;
        std::map<std::string, std::vector<float>> rows;
        const Imf::ChannelList& list = file.header().channels();
        for (auto channel = list.begin(); channel != list.end(); ++channel)
            rows[channel.name()].resize(size_t(width) * kRows);
        for (int y = 0; y < image.height; y += kRows) {
            const int count = std::min(kRows, image.height - y);
            const Imath::V2i origin(window.min.x, window.min.y + y);  // the first pixel of the file may have any number
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
    } catch (const std::exception& reason) {
        throw Error(path + ": cannot read this OpenEXR picture: " + reason.what());
    }
}

#else

void writeExr(const PictureLayers&, const std::string& path) {
    throw Error(path + ": built without OpenEXR; build with libopenexr-dev installed, or ask for png");
}

ExrImage readExr(const std::string& path) {
    throw Error(path + ": built without OpenEXR; build with libopenexr-dev installed, or give a .hdr picture");
}

#endif

}  // namespace purl
