// View: all that one picture shows, as plain values. Colours are linear light, lengths are the scene's units, y is up.
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
    Vec3 direction{0, -1, 0};           // the way the light travels; spot: along its axis; area: across its face
    Vec3 position;                      // point, spot; area: of its middle
    float decay = 0;                    // intensity over distance to this power
    float cone = 0.7f;                  // spot: radians, from side to side, within which it is all light
    float penumbra = 0;                 // spot: radians beyond that over which it fades; negative: within
    float dropoff = 0;                  // spot: power of the cosine to its axis that light falls off with
    Vec3 across{1, 0, 0}, up{0, 0, 1};  // area: from its middle to its sides
};

// glass: clear and colourless; it shows by what it mirrors.
enum class Material { matte, water, glass };

// A mesh and what it looks like. The mesh must stay where it is until the picture is drawn.
struct MeshLook {
    const Mesh* mesh = nullptr;
    Material material = Material::matte;
    Vec3 color{0.5f, 0.5f, 0.5f};  // matte: of the surface; water: what is left of white light after `clarity`
    float clarity = 0;             // water: a length; 0: a part of the view's size
    float turbidity = 0;           // water: 0 clear, 1 nearly opaque; scatters `color` back within a shorter length
    float rim = 0;                 // liquids: how near to a wall the surface is taken to touch it; a length
    float roughness = 0.6f;        // 0 mirror, 1 chalk
    float opacity = 1;             // matte, below 1: blended over all else
    Vec3 glow{};                   // matte: light of its own
    float cooling = 0;             // seconds of age after which a third of the glow is left; 0: it stays
    bool twoSided = true;          // matte: draw faces seen from behind too
    float creaseAngle = 0.7f;      // radians; where the mesh has no normals, edges sharper than this stay sharp
};

MeshLook matte(const Mesh& mesh, Vec3 color = {0.36f, 0.36f, 0.37f});
MeshLook water(const Mesh& mesh, Vec3 color = {0.05f, 0.37f, 0.58f});
MeshLook glass(const Mesh& mesh);

// Particles as lit balls. The points must stay where they are until the picture is drawn.
struct PointsLook {
    const Points* points = nullptr;
    Vec3 color{0.10f, 0.34f, 0.62f};
    std::vector<Vec3> colors;  // one a particle, instead of `color`; colorsOf and rampColors make them
    float radius = 0;          // of every ball; 0: its own, or where it has none a part of the view's size
    float radiusScale = 1;
    std::string name{};  // for layers
    bool foam = false;   // soft discs that are blended, instead of balls
};

// A gas as a soft volume that scatters light. The points must outlive the drawing of the picture.
struct GasLook {
    const Points* points = nullptr;
    Vec3 color{0.85f, 0.87f, 0.90f};  // share of light it scatters
    float spacing = 0;                // between particles at rest
    float depth = 0;                  // mean free path of light at rest density; 0: a part of the view's size
    std::string name{};
};

// A liquid as the half level of its particles' colour field, which rays find without a mesh: water as they see it. The
// points must stay where they are until the picture is drawn.
struct LiquidLook {
    const Points* points = nullptr;
    float spacing = 0;  // between particles at rest
    float reach = 0;    // of a particle
    Vec3 color{0.05f, 0.37f, 0.58f};
    float clarity = 0, turbidity = 0, rim = 0, roughness = 0.12f;
    std::string name{};  // for layers
};

// Straight lines of a constant width in pixels; every two points are one line.
struct LinesLook {
    std::vector<Vec3> ends;
    Vec3 color{0.12f, 0.13f, 0.15f};
    float width = 1.5f;
};

// How yarns are drawn. fibres: as slices of their fibres; tubes: round, with plies where they show; automatic: fibres
// where a yarn is wide enough in the picture to show them.
enum class YarnDetail { automatic, tubes, fibres };
// The quads that fibres are drawn by, for comparison: all three stacks, or those across the yarn only.
enum class YarnStacks { three, one };

// Where quads are sorted: a radix sort on the CPU, a bitonic one by OpenGL, or where there is a GPU the latter.
enum class QuadSort { automatic, cpu, gpu };

// Yarns of their widths. The curves must stay where they are until the picture is drawn.
struct YarnLook {
    const Curves* curves = nullptr;
    YarnDetail detail = YarnDetail::automatic;
    YarnStacks stacks = YarnStacks::three;
    YarnShape shape = YarnShape::spline;  // of fibres, for comparison
    bool core = true;                     // fibres: nothing shows through the middle of a yarn
};

// The light from everywhere: it fills shadows.
struct Sky {
    Vec3 zenith{0.50f, 0.68f, 1.00f};
    Vec3 horizon{0.62f, 0.70f, 0.80f};
    Vec3 floor{0.40f, 0.37f, 0.34f};
    float intensity = 0.62f;
    std::shared_ptr<const SkyPicture> picture{};  // instead of the three colours, and behind everything
};

struct Ground {
    bool visible = true;
    float height = 0;
    Vec3 color{0.30f, 0.295f, 0.29f};
    float grid = -1;  // between two lines; 0: a round length that suits the view; negative: no lines
};

// A flat wall of a container: dot(normal, p) = offset, the normal points out of the container. Water that touches it
// has no surface of its own there: it is seen through the pane.
struct Pane {
    Vec3 normal;
    float offset = 0;
};
constexpr int kMostPanes = 12;

// Water around everything: it takes light on its way, adds its own, and waves above gather the key light into nets.
struct Medium {
    Vec3 color{0.10f, 0.45f, 0.55f};  // what is left of white light after `visibility`
    float visibility = 0;             // a length; 0: air
};

// Backdrop, sky, ground and lights of a picture. grey: neutral, bluish above; warm: cream wall, sand-coloured ground,
// low sun and a cool fill light; plain: an even light background without ground, for diagrams and 2-D scenes.
enum class Studio { grey, warm, plain };

// The lights of a studio, for scenes without lights of their own: the first is the key light.
std::vector<Light> studioLights(Studio studio = Studio::grey);

struct View {
    Camera camera;
    std::vector<Light> lights = studioLights();  // the first directional one casts shadows; at most kMostLights count
    std::vector<MeshLook> meshes;
    std::vector<PointsLook> points;
    std::vector<LiquidLook> liquids;
    std::vector<GasLook> gases;
    std::vector<LinesLook> lines;
    std::vector<YarnLook> yarns;
    std::vector<Pane> panes;  // at most kMostPanes count
    Sky sky;
    Ground ground;
    Medium medium;
    Vec3 background{0.44f, 0.49f, 0.55f};  // of the studio's wall, where it meets the ground
    Vec3 wallTop{0.16f, 0.30f, 0.52f};     // share of it that is left high up
    float exposure = 1;
    double time = 0;          // s; waves over a medium move with it
    float occlusion = 0.65f;  // how dark corners get where things hide the sky from each other; 0: not at all
    QuadSort quadSort = QuadSort::automatic;
    int cascades = 4;  // shadow maps for the parts of the picture, near ones finer; 1 to 4
    // Passes that draw nothing, by their names (Renderer::passes): for comparisons.
    std::set<std::string> without{};
    Bounds focus;  // where ground and shadows gather; empty: all of the items. Keep it the same along a movie.
};

void setStudio(View& view, Studio studio);

constexpr int kMostLights = 16;  // an area light counts as kAreaLamps
constexpr int kAreaLamps = 4;

Bounds boundsOf(const Mesh& mesh);
Bounds boundsOf(const Points& points);
Bounds boundsOf(const Curves& curves);
// Of all items, balls with their radii.
Bounds boundsOf(const View& view);

// Colours for PointsLook: values from blue through white to red as they go from low to high.
std::vector<Vec3> rampColors(const std::vector<float>& values, float low, float high);
std::vector<float> speeds(const Points& points);

// Line ends for LinesLook: a box; the edges of a mesh that are open or bend by more than `angle`; all its edges.
std::vector<Vec3> boxEdges(const Bounds& box);
std::vector<Vec3> featureEdges(const Mesh& mesh, float angle = 0.35f);
std::vector<Vec3> allEdges(const Mesh& mesh);

}  // namespace purl
