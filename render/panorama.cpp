#include "render/panorama.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "render/exr.h"
#include "solver/core/error.h"

namespace purl {
namespace {

constexpr float kPi = 3.14159265f;

float luminance(Vec3 c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

// Reads a file from the front, and throws at its end.
class Bytes {
  public:
    explicit Bytes(const std::string& path) : path_(path), file_(path, std::ios::binary) {
        std::error_code none;
        left_ = std::filesystem::file_size(path, none);
        if (!file_ || none) throw Error(path + ": cannot open the image");
    }

    uint8_t next() {
        const int byte = file_.get();
        if (byte < 0 || left_ == 0) throw Error(path_ + ": the file is truncated");
        --left_;
        return static_cast<uint8_t>(byte);
    }
    uint64_t left() const { return left_; }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
    std::ifstream file_;
    uint64_t left_ = 0;
};

// Up to the line's end.
std::string readLine(Bytes& bytes) {
    constexpr size_t kMaxLine = 4096;
    std::string line;
    for (char c = 0; (c = static_cast<char>(bytes.next())) != '\n'; line += c)
        if (line.size() == kMaxLine) throw Error(bytes.path() + ": a line of the header has no end");
    return line;
}

// Reads one RGBE scan line: run-length encoded per channel, or flat in old files.
void readRow(Bytes& bytes, int width, std::vector<uint8_t>& rgbe) {
    uint8_t first[4];
    for (uint8_t& b : first) b = bytes.next();
    const bool runs = first[0] == 2 && first[1] == 2 && (first[2] << 8 | first[3]) == width && width >= 8;
    if (!runs) {
        for (size_t i = 0; i < 4; ++i) rgbe[i] = first[i];
        for (size_t i = 4; i < rgbe.size(); ++i) rgbe[i] = bytes.next();
        return;
    }
    for (size_t channel = 0; channel < 4; ++channel)
        for (int x = 0; x < width;) {
            const int count = bytes.next();
            const bool same = count > 128;
            const int length = same ? count - 128 : count;
            if (length == 0 || x + length > width) throw Error(bytes.path() + ": a run exceeds its scan line");
            uint8_t value = same ? bytes.next() : uint8_t(0);
            for (int k = 0; k < length; ++k, ++x) {
                if (!same) value = bytes.next();
                rgbe[4 * size_t(x) + channel] = value;
            }
        }
}

Panorama readHdr(const std::string& path) {
    Bytes bytes(path);
    if (bytes.left() < 2 || bytes.next() != '#' || bytes.next() != '?')
        throw Error(path + ": not a Radiance image; expected .hdr or .exr");
    constexpr int kMaxHeaderLines = 4096;
    int lines = 0;
    for (std::string line = readLine(bytes); !line.empty(); line = readLine(bytes)) {
        if (++lines > kMaxHeaderLines) throw Error(path + ": the header has no end");
        if (line == "FORMAT=32-bit_rle_xyze") throw Error(path + ": its colours are XYZ; save it as RGB");
    }
    long long width = 0, height = 0;
    if (std::sscanf(readLine(bytes).c_str(), "-Y %18lld +X %18lld", &height, &width) != 2 || width < 1 || height < 1)
        throw Error(path + ": expected the resolution line \"-Y height +X width\"");
    checkImageSize(path, width, height);
    // A run gives at most 127 values of four a pixel for two bytes: a file much shorter than that cannot hold this
    // size.
    if (bytes.left() * 16 < static_cast<uint64_t>(width * height)) throw Error(path + ": the file is truncated");
    Panorama panorama{static_cast<int>(width), static_cast<int>(height), {}};
    std::vector<uint8_t> rgbe(4 * size_t(panorama.width));
    panorama.light.reserve(size_t(panorama.width) * size_t(panorama.height));
    for (int y = 0; y < panorama.height; ++y) {
        readRow(bytes, panorama.width, rgbe);
        for (size_t x = 0; x < rgbe.size(); x += 4) {
            // value = mantissa / 256 · 2^(exponent − 128)   Ward 1991
            const float scale = rgbe[x + 3] ? std::ldexp(1.0f, rgbe[x + 3] - 136) : 0;
            panorama.light.push_back({scale * rgbe[x], scale * rgbe[x + 1], scale * rgbe[x + 2]});
        }
    }
    return panorama;
}

Panorama readExrPanorama(const std::string& path) {
    const ExrImage image = readExr(path, {"R", "G", "B"});
    const std::vector<float>&r = image.channels.at("R"), &g = image.channels.at("G"), &b = image.channels.at("B");
    Panorama panorama{image.width, image.height, {}};
    panorama.light.reserve(r.size());
    for (size_t i = 0; i < r.size(); ++i) panorama.light.push_back({r[i], g[i], b[i]});
    return panorama;
}

}  // namespace

Vec3 Panorama::direction(int x, int y) const {
    const float down = kPi * (float(y) + 0.5f) / float(height);
    const float around = 2 * kPi * ((float(x) + 0.5f) / float(width) - 0.5f);
    return {std::sin(down) * std::sin(around), std::cos(down), -std::sin(down) * std::cos(around)};
}

float Panorama::solidAngle(int y) const {
    const float step = kPi / float(height);
    return 2 * kPi / float(width) * (std::cos(step * float(y)) - std::cos(step * float(y + 1)));
}

Panorama readPanorama(const std::string& path) {
    const std::string ending = path.substr(std::min(path.rfind('.'), path.size()));
    if (ending != ".hdr" && ending != ".exr") throw Error(path + ": a sky must be a .hdr or .exr image");
    // A pipe would block, a device never end.
    std::error_code none;
    if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none))
        throw Error(path + ": cannot read: it is a folder, a pipe or a device, not an image");
    Panorama panorama = ending == ".exr" ? readExrPanorama(path) : readHdr(path);
    // Far brighter than the sun beside any sky. Sums over all directions, and their squares, stay finite.
    constexpr float kMaxLight = 1e12f;
    for (Vec3& light : panorama.light)
        light = isFinite(light) ? min(max(light, {0, 0, 0}), {kMaxLight, kMaxLight, kMaxLight}) : Vec3{};
    return panorama;
}

Sun sunOf(const Panorama& panorama) {
    double total = 0, totalAngle = 0;
    float most = 0;
    for (int y = 0; y < panorama.height; ++y)
        for (int x = 0; x < panorama.width; ++x) {
            const float own = luminance(panorama.light[size_t(y) * size_t(panorama.width) + size_t(x)]);
            total += double(own) * double(panorama.solidAngle(y));
            totalAngle += double(panorama.solidAngle(y));
            most = std::max(most, own);
        }
    Sun sun;
    constexpr float kSunThreshold = 50;  // times the mean: lamps and the sun are, clouds are not
    const float mean = static_cast<float>(total / std::max(totalAngle, 1e-9));
    if (!(most > kSunThreshold * mean)) return sun;
    sun.found = true;
    sun.threshold = 0.1f * most;
    Vec3 sum, weightedDirection;
    for (int y = 0; y < panorama.height; ++y)
        for (int x = 0; x < panorama.width; ++x) {
            const Vec3 light = panorama.light[size_t(y) * size_t(panorama.width) + size_t(x)];
            if (luminance(light) <= sun.threshold) continue;
            sum += panorama.solidAngle(y) * light;
            weightedDirection += panorama.solidAngle(y) * luminance(light) * panorama.direction(x, y);
        }
    sun.direction = normalized(weightedDirection);
    sun.color = sum / kPi;  // Lambertian reflection: albedo / π times the irradiance
    return sun;
}

SkyIrradiance skyIrradianceOf(const Panorama& panorama, const Sun& sun) {
    SkyIrradiance sky;
    // E(n) / π = Σ âₗ/π Lₗₘ Yₗₘ(n), with â/π = 1, 2/3, 1/4; the constants of both Y are folded into the factors.
    constexpr float k0 = 0.079577472f, k1 = 0.159154943f, k2 = 0.298415518f, k6 = 0.024867960f, k8 = 0.074603880f;
    for (int y = 0; y < panorama.height; ++y)
        for (int x = 0; x < panorama.width; ++x) {
            const Vec3 light = panorama.light[size_t(y) * size_t(panorama.width) + size_t(x)];
            if (luminance(light) > sun.threshold) continue;
            const Vec3 d = panorama.direction(x, y), own = panorama.solidAngle(y) * light;
            const float factors[9] = {k0,
                                      k1 * d.y,
                                      k1 * d.z,
                                      k1 * d.x,
                                      k2 * d.x * d.y,
                                      k2 * d.y * d.z,
                                      k6 * (3 * d.z * d.z - 1),
                                      k2 * d.x * d.z,
                                      k8 * (d.x * d.x - d.y * d.y)};
            for (int i = 0; i < 9; ++i) sky.c[i] += factors[i] * own;
        }
    return sky;
}

Vec3 SkyIrradiance::at(Vec3 n) const {
    return max(c[0] + n.y * c[1] + n.z * c[2] + n.x * c[3] + n.x * n.y * c[4] + n.y * n.z * c[5] +
                   (3 * n.z * n.z - 1) * c[6] + n.x * n.z * c[7] + (n.x * n.x - n.y * n.y) * c[8],
               {0, 0, 0});
}

std::shared_ptr<const EnvironmentMap> readSky(const std::string& path) {
    auto sky = std::make_shared<EnvironmentMap>();
    sky->panorama = readPanorama(path);
    sky->sun = sunOf(sky->panorama);
    sky->irradiance = skyIrradianceOf(sky->panorama, sky->sun);
    return sky;
}

}  // namespace purl
