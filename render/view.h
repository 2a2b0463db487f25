// View: everything one image shows, as plain data. Colours are linear, lengths in scene units, y is up.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "render/camera.h"
#include "render/panorama.h"
#include "render/yarnPath.h"
#include "solver/frame.h"

namespace purl {

enum class LightKind { directional, point, ambient, spot, area };

struct Light {
    LightKind kind = LightKind::directional;
    Vec3 color{1, 1, 1};
    float intensity = 1;
    Vec3 direction{0, -1, 0};           // direction of propagation; spot: axis; area: normal of its face
    Vec3 position;                      // point, spot; area: centre
    float decay = 0;                    // exponent of the distance falloff
    float cone = 0.7f;                  // spot: full cone angle of full intensity, radians
    float penumbra = 0;                 // spot: width of the fade outside the cone, radians; negative: inside
    float dropoff = 0;                  // spot: exponent of the cosine falloff from the axis
    Vec3 across{1, 0, 0}, up{0, 0, 1};  // area: half edges
};

// glass: clear and colourless, visible by reflection only
enum class Material { matte, water, glass };

// A mesh and its look. The mesh must outlive drawing.
struct MeshLook {
    const Mesh* mesh = nullptr;
    Material material = Material::matte;
    Vec3 color{0.5f, 0.5f, 0.5f};  // matte: albedo; water: transmittance over the length `clarity`
    float clarity = 0;             // water: absorption length; 0: derived from the view's size
    float turbidity = 0;       // water: 0 clear, 1 nearly opaque; shortens the absorption length and scatters `color`
    float wallDistance = 0;    // liquids: distance within which the surface counts as touching a wall
    float roughness = 0.6f;    // 0 mirror, 1 chalk
    float opacity = 1;         // matte; below 1: alpha blended
    Vec3 glow{};               // matte: emission
    float cooling = 0;         // age (s) at which the glow has fallen to 1/e; 0: constant
    bool twoSided = true;      // matte: also draw back faces
    float creaseAngle = 0.7f;  // radians; without mesh normals, sharper edges stay sharp
};

MeshLook matte(const Mesh& mesh, Vec3 color = {0.36f, 0.36f, 0.37f});
MeshLook water(const Mesh& mesh, Vec3 color = {0.05f, 0.37f, 0.58f});
MeshLook glass(const Mesh& mesh);

// Particles as shaded balls. The points must outlive drawing.
struct PointsLook {
    const Points* points = nullptr;
    Vec3 color{0.10f, 0.34f, 0.62f};
    std::vector<Vec3> colors;  // one per particle, instead of `color`; see colorsOf and rampColors
    float radius = 0;          // of every ball; 0: the particle's own radius, or else derived from the view's size
    float radiusScale = 1;
    std::string name{};  // for AOVs
    bool foam = false;   // draw soft blended discs instead of balls
};

// A gas as a scattering volume. The points must outlive drawing.
struct GasLook {
    const Points* points = nullptr;
    Vec3 color{0.85f, 0.87f, 0.90f};  // scattering albedo
    float spacing = 0;                // particle spacing at rest
    float depth = 0;                  // mean free path of light at rest density; 0: derived from the view's size
    std::string name{};
};

// A clear liquid, ray-marched as the 0.5 level set of its particles' colour field. The points must outlive drawing.
struct LiquidLook {
    const Points* points = nullptr;
    float spacing = 0;        // particle spacing at rest
    float supportRadius = 0;  // kernel support radius
    Vec3 color{0.05f, 0.37f, 0.58f};
    float clarity = 0, turbidity = 0, wallDistance = 0, roughness = 0.12f;
    std::string name{};  // for AOVs
};

// Line segments of constant width in pixels; every two points are one segment.
struct LinesLook {
    std::vector<Vec3> ends;
    Vec3 color{0.12f, 0.13f, 0.15f};
    float width = 1.5f;
};

// How yarns are drawn. fibres: by lumislices; tubes: as round tubes with visible plies; automatic: fibres where the
// yarn is wide enough in the image.
enum class YarnDetail { automatic, tubes, fibres };
// Stacks of quads used for fibres, for comparison: all three, or only those across the yarn.
enum class YarnStacks { three, one };

// Where quads are sorted: radix sort on the CPU or bitonic sort on the GPU; automatic: on the GPU if there is one.
enum class QuadSort { automatic, cpu, gpu };

// Yarns with their widths. The curves must outlive drawing.
struct YarnLook {
    const Curves* curves = nullptr;
    YarnDetail detail = YarnDetail::automatic;
    YarnStacks stacks = YarnStacks::three;
    YarnShape shape = YarnShape::spline;  // path of fibres, for comparison
    bool core = true;                     // fibres: draw an opaque core
};

// Ambient light from the sky.
struct Sky {
    Vec3 zenith{0.50f, 0.68f, 1.00f};
    Vec3 horizon{0.62f, 0.70f, 0.80f};
    Vec3 floor{0.40f, 0.37f, 0.34f};
    float intensity = 0.62f;
    std::shared_ptr<const EnvironmentMap>
        environment{};  // environment map that replaces the three colours and the background
};

struct Ground {
    bool visible = true;
    float height = 0;
    Vec3 color{0.30f, 0.295f, 0.29f};
    float grid = -1;  // grid spacing; 0: a round length that suits the view; negative: no grid
};

// A flat wall of a container: dot(normal, p) = offset, with the normal pointing out of the container. A liquid surface
// that touches a pane takes the pane's normal.
struct Pane {
    Vec3 normal;
    float offset = 0;
};
constexpr int kMaxPanes = 12;

// Surrounding water: absorbs and scatters light, and waves above it focus the key light into caustics.
struct Medium {
    Vec3 color{0.10f, 0.45f, 0.55f};  // transmittance over the length `visibility`
    float visibility = 0;             // length; 0: air
};

// Preset of background, sky, ground and lights. grey: neutral, bluish above; warm: cream wall, sand-coloured ground,
// low sun and cool fill light; plain: uniform light background without ground, for diagrams and 2-D scenes.
enum class Studio { grey, warm, plain };

// Lights of a studio, for scenes without lights; the first is the key light.
std::vector<Light> studioLights(Studio studio = Studio::grey);

struct View {
    Camera camera;
    std::vector<Light> lights = studioLights();  // the first directional one casts shadows; at most kMaxLights are used
    std::vector<MeshLook> meshes;
    std::vector<PointsLook> points;
    std::vector<LiquidLook> liquids;
    std::vector<GasLook> gases;
    std::vector<LinesLook> lines;
    std::vector<YarnLook> yarns;
    std::vector<Pane> panes;  // at most kMaxPanes are used
    Sky sky;
    Ground ground;
    Medium medium;
    Vec3 background{0.44f, 0.49f, 0.55f};  // studio wall at the ground
    Vec3 wallTop{0.16f, 0.30f, 0.52f};     // factor on `background` high up
    float exposure = 1;
    double time = 0;          // s; animates the waves above a medium
    float occlusion = 0.65f;  // strength of ambient occlusion, 0 to 1
    QuadSort quadSort = QuadSort::automatic;
    int cascades = 4;  // shadow cascades, 1 to 4
    // Names of passes to skip (see Renderer::passes), for comparisons.
    std::set<std::string> without{};
    Bounds
        focus;  // region that ground and shadows are fitted to; empty: all items. Keep it constant throughout a movie.
};

void setStudio(View& view, Studio studio);

constexpr int kMaxLights = 16;  // an area light takes kAreaLamps of them
constexpr int kAreaLamps = 4;

Bounds boundsOf(const Mesh& mesh);
Bounds boundsOf(const Points& points);
Bounds boundsOf(const Curves& curves);
// Bounds of all items, including particle radii.
Bounds boundsOf(const View& view);

// Maps values from `low` to `high` to a colour ramp from blue through white to red.
std::vector<Vec3> rampColors(const std::vector<float>& values, float low, float high);
std::vector<float> speeds(const Points& points);

// Segments for LinesLook: the edges of a box; mesh edges that are open or sharper than `angle`; all mesh edges.
std::vector<Vec3> boxEdges(const Bounds& box);
std::vector<Vec3> featureEdges(const Mesh& mesh, float angle = 0.35f);
std::vector<Vec3> allEdges(const Mesh& mesh);

}  // namespace purl
