#include "render/panorama.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "render/exr.h"
#include "solver/core/error.h"

namespace purl {
namespace {

constexpr float kPi = 3.14159265f;

float luminance(Vec3 c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

// Sequential reader that throws at the end of the file.
struct Bytes {
    const std::string& path;
    const std::string& all;
    size_t at;

    uint8_t next() {
        if (at >= all.size()) throw Error(path + ": the file is truncated");
        return static_cast<uint8_t>(all[at++]);
    }
};

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
            if (length == 0 || x + length > width) throw Error(bytes.path + ": a run exceeds its scan line");
            uint8_t value = same ? bytes.next() : uint8_t(0);
            for (int k = 0; k < length; ++k, ++x) {
                if (!same) value = bytes.next();
                rgbe[4 * size_t(x) + channel] = value;
            }
        }
}

constexpr int kMaxSide = 1 << 15;  // pixels
// Holds kMaxSide² pixels of four bytes and the headers of their runs, at most one byte for each.
constexpr std::uintmax_t kMaxHdrBytes = std::uintmax_t(8) << 30;

Panorama readHdr(const std::string& path) {
    std::error_code none;
    const std::uintmax_t size = std::filesystem::file_size(path, none);
    if (!none && size > kMaxHdrBytes)
        throw Error(path + ": has " + std::to_string(size) + " bytes, more than the limit of " +
                    std::to_string(kMaxHdrBytes));
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(path + ": cannot open the image");
    const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (all.rfind("#?", 0) != 0) throw Error(path + ": not a Radiance image; expected .hdr or .exr");
    const size_t end = all.find("\n\n");
    const size_t line = end == std::string::npos ? end : all.find('\n', end + 2);
    Panorama panorama;
    if (line == std::string::npos ||
        std::sscanf(all.substr(end + 2, line - end - 2).c_str(), "-Y %d +X %d", &panorama.height, &panorama.width) !=
            2 ||
        panorama.width < 1 || panorama.height < 1)
        throw Error(path + ": expected the resolution line \"-Y height +X width\"");
    if (panorama.width > kMaxSide || panorama.height > kMaxSide)
        throw Error(path + ": larger than " + std::to_string(kMaxSide) + " pixels a side");
    Bytes bytes{path, all, line + 1};
    // A run encodes at most 127 pixels in two bytes: a much shorter file cannot hold this size.
    if ((all.size() - bytes.at) * 64 < size_t(panorama.width) * size_t(panorama.height))
        throw Error(path + ": the file is truncated");
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
    const ExrImage image = readExr(path);
    const auto channel = [&](const char* name) -> const std::vector<float>& {
        const auto found = image.channels.find(name);
        if (found == image.channels.end()) throw Error(path + ": has no channel " + name);
        return found->second;
    };
    const std::vector<float>&r = channel("R"), &g = channel("G"), &b = channel("B");
    Panorama panorama{image.width, image.height, {}};
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
    for (Vec3& light : panorama.light) light = isFinite(light) ? max(light, {0, 0, 0}) : Vec3{};
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
