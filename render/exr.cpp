#include "render/exr.h"

#include "solver/core/error.h"

#ifdef PURL_EXR
    #include <ImfChannelList.h>
    #include <ImfFrameBuffer.h>
    #include <ImfHeader.h>
    #include <ImfInputFile.h>
    #include <ImfOutputFile.h>
    #include <ImfStringAttribute.h>
    #include <half.h>

    #include <algorithm>
    #include <cmath>
    #include <cstdio>
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

void write(const std::string& path, int width, int height, const std::vector<Column>& columns, const std::string& ids) {
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
    Imf::OutputFile file(path.c_str(), header);
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
    const std::string part = path + ".part";
    std::remove(part.c_str());  // so that an existing symbolic link is not followed
    try {
        write(part, aovs.width, aovs.height, columns, ids);
    } catch (const std::exception& reason) {
        std::remove(part.c_str());
        throw Error(path + ": cannot write the image: " + reason.what());
    }
    if (std::rename(part.c_str(), path.c_str()) != 0) throw Error(path + ": cannot write the image");
}

ExrImage readExr(const std::string& path) {
    try {
        Imf::InputFile file(path.c_str());
        const Imath::Box2i window = file.header().dataWindow();
        ExrImage image;
        image.width = window.max.x - window.min.x + 1;
        image.height = window.max.y - window.min.y + 1;
        constexpr int kMaxSize = 1 << 15;
        if (image.width > kMaxSize || image.height > kMaxSize) throw Error("larger than 32768 pixels per side");
        const size_t count = size_t(image.width) * size_t(image.height), row = sizeof(float) * size_t(image.width);
        Imf::FrameBuffer buffer;
        const Imf::ChannelList& list = file.header().channels();
        for (auto channel = list.begin(); channel != list.end(); ++channel) {
            std::vector<float>& values = image.channels[channel.name()];
            values.resize(count);
            // The data window need not start at 0.
            char* origin =
                reinterpret_cast<char*>(values.data()) - window.min.x * long(sizeof(float)) - window.min.y * long(row);
            buffer.insert(channel.name(), Imf::Slice(Imf::FLOAT, origin, sizeof(float), row));
        }
        file.setFrameBuffer(buffer);
        file.readPixels(window.min.y, window.max.y);
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
