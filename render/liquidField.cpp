#include "render/liquidField.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {

// Two cells per spacing, as purlSurface's default, resolve every ripple; larger liquids get coarser cells.
constexpr float kCellsPerSpacing = 2;
constexpr float kMaxCells = 1 << 24;      // 64 MB
constexpr float kMaxCellsPerAxis = 1024;  // well within GL_MAX_3D_TEXTURE_SIZE of OpenGL 3.3 drivers

// Radius of a sphere with a unit cube's volume.
constexpr float kSphereRadiusOfUnitCube = 0.6203505f;

}  // namespace

LiquidField::LiquidField(const Gl& gl, const LiquidLook& look, const Program& splat)
    : supportRadius_(look.supportRadius) {
    PointsLook points;
    points.points = look.points;
    if (look.points->radii.empty()) points.radius = kSphereRadiusOfUnitCube * look.spacing;
    for (const Vec3 p : look.points->positions)
        if (isFinite(p)) box_.include(p);
    if (box_.empty()) return;
    const Vec3 margin{supportRadius_, supportRadius_, supportRadius_};
    box_.low = box_.low - margin;
    box_.high = box_.high + margin;
    const Vec3 size = box_.size();
    float cell = look.spacing / kCellsPerSpacing;
    cell = std::max({cell, std::cbrt(size.x * size.y * size.z / kMaxCells), size.x / kMaxCellsPerAxis,
                     size.y / kMaxCellsPerAxis, size.z / kMaxCellsPerAxis});
    const auto along = [&](float length) { return std::max(1.0f, std::ceil(length / cell)); };
    cells_ = {along(size.x), along(size.y), along(size.z)};
    box_.high = box_.low + cell * cells_;

    const int width = static_cast<int>(cells_.x), height = static_cast<int>(cells_.y);
    texture_ = makeVolume(gl, GL_R32F, width, height, static_cast<int>(cells_.z));
    const Handle target = makeVolumeTarget(gl, texture_);
    particles_ = upload(gl, points, 1, false);
    gl.Viewport(0, 0, width, height);
    gl.ClearColor(0, 0, 0, 0);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    gl.Disable(GL_DEPTH_TEST);
    gl.Enable(GL_BLEND);
    gl.BlendFunc(GL_ONE, GL_ONE);
    splat.use();
    setUniforms(splat);
    gl.BindVertexArray(particles_.vertexArray);
    gl.DrawArrays(particles_.shape, 0, particles_.count);
    gl.Disable(GL_BLEND);
}

void LiquidField::setUniforms(const Program& program) const {
    program.set("fieldLow", box_.low);
    program.set("fieldSize", box_.size());
    program.set("fieldCells", cells_);
    program.set("supportRadius", supportRadius_);
}

}  // namespace purl
