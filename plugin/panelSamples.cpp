#include "plugin/panelSamples.h"

#include <algorithm>
#include <filesystem>

#include "solver/cache/cache.h"
#include "solver/core/path.h"
#include "solver/core/system.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

double meanWetness(const Frame& frame) {
    double sum = 0, count = 0;
    const auto add = [&](const Wetting& wetting) {
        for (const float wetness : wetting.wetness) sum += double(wetness);
        count += double(wetting.wetness.size());
    };
    for (const Mesh& mesh : frame.meshes) add(mesh.wetting);
    for (const Curves& curves : frame.curves) add(curves.wetting);
    return count > 0 ? sum / count : 0;
}

// Fluid mass in kg, for solvers that do not track it.
double massOf(const Frame& frame) {
    std::vector<double> masses;
    for (const BodyInfo& body : frame.bodies) {
        const double spacing = frame.metersPerUnit * double(body.spacing);
        masses.push_back(body.kind == BodyKind::foam ? 0 : double(body.restDensity) * spacing * spacing * spacing);
    }
    double sum = 0;
    for (const int body : frame.points.bodies) sum += masses[body];
    return sum;
}

void add(std::vector<PanelCache>& caches, const std::string& folder, const std::string& name, int depth) {
    const Manifest manifest = CacheReader(folder).manifest();
    PanelCache cache;
    cache.name = name;
    cache.folder = folder;
    cache.depth = depth;
    if (!manifest.frames.empty()) {
        cache.firstFrame = manifest.frames.front().number;
        cache.lastFrame = manifest.frames.back().number;
    }
    for (const std::string& change : manifest.run.assignments)
        cache.changes += (cache.changes.empty() ? "" : ", ") + change;
    caches.push_back(cache);
    for (const std::string& branch : branchesOf(folder)) add(caches, branchFolder(folder, branch), branch, depth + 1);
}

}  // namespace

double balanceOf(const FrameStats& stats) {
    return stats.liquidMass + stats.fabricMass + stats.evaporatedMass + stats.drainedMass - stats.suppliedMass;
}

PanelSample sampleOf(int number, const FrameStats& stats, double particles, double balance) {
    PanelSample sample;
    sample.frame = number;
    sample.particles = particles;
    sample.densityError = stats.densityError;
    sample.volumeRatio = 100 * stats.volumeRatio;
    sample.maxStrain = 100 * stats.maxStretch;
    sample.maxSpeed = stats.maxSpeed;
    sample.waterMass = stats.liquidMass + stats.fabricMass;
    const double ever = sample.waterMass + stats.evaporatedMass + stats.drainedMass;
    if (ever > 0) sample.massError = 100 * (balanceOf(stats) - balance) / ever;
    return sample;
}

PanelSample sampleOf(int number, const Frame& frame, double balance) {
    PanelSample sample = sampleOf(number, frame.stats, double(frame.points.count()), balance);
    sample.wetness = 100 * meanWetness(frame);
    if (sample.waterMass == 0) sample.waterMass = massOf(frame);
    return sample;
}

void insert(std::vector<PanelSample>& samples, const PanelSample& sample) {
    const auto at = std::lower_bound(samples.begin(), samples.end(), sample.frame,
                                     [](const PanelSample& s, int frame) { return s.frame < frame; });
    if (at != samples.end() && at->frame == sample.frame)
        *at = sample;
    else
        samples.insert(at, sample);
}

double megabytesInUse() { return 1e-6 * os::residentBytes(); }

std::vector<PanelCache> panelCaches(const std::string& folder) {
    std::vector<PanelCache> caches;
    if (fs::exists(toPath(folder) / "manifest.json")) add(caches, folder, toText(toPath(folder).filename()), 0);
    return caches;
}

std::string rootOfBranches(const std::string& folder) {
    fs::path root = toPath(folder);
    const CacheReader reader(folder);
    for (const CacheReader* each = &reader; each && each->parent(); each = each->parent()) {
        root = (root / each->manifest().parent).lexically_normal();
        if (!root.has_filename()) root = root.parent_path();  // "cache/branches/thick/../.." is "cache/"
    }
    return toText(root);
}

}  // namespace purl
