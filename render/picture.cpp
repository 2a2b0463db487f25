#include "render/picture.h"

#include <png.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "render/partFile.h"
#include "solver/core/error.h"

namespace purl {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open(const std::string& path) {
    File file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) throw Error(path + ": cannot open: " + std::strerror(errno));
    return file;
}

png_image header(int width, int height) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = png_uint_32(width);
    image.height = png_uint_32(height);
    image.format = PNG_FORMAT_RGBA;
    return image;
}

}  // namespace

void writePng(const Picture& picture, const std::string& path) {
    const size_t expected = 4 * size_t(picture.width) * size_t(picture.height);
    if (expected == 0 || picture.rgba.size() != expected) throw Error(path + ": the image has no pixels");
    PartFile file(path);
    png_image image = header(picture.width, picture.height);
    image.flags = PNG_IMAGE_FLAG_FAST;
    if (!png_image_write_to_stdio(&image, file.stream(), 0, picture.rgba.data(), 0, nullptr))
        throw Error(path + ": cannot write the image: " + image.message);
    file.finish();
}

Picture readPng(const std::string& path) {
    const File file = open(path);
    png_image image = header(0, 0);
    if (!png_image_begin_read_from_stdio(&image, file.get())) throw Error(path + ": not a PNG: " + image.message);
    image.format = PNG_FORMAT_RGBA;
    Picture picture{int(image.width), int(image.height), std::vector<uint8_t>(PNG_IMAGE_SIZE(image))};
    if (!png_image_finish_read(&image, nullptr, picture.rgba.data(), 0, nullptr)) {
        throw Error(path + ": cannot read the PNG: " + image.message);
    }
    return picture;
}

}  // namespace purl
