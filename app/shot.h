// The scene around a simulation at each frame: camera, lights, colliders and props.
#pragma once
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/props.h"
#include "farm/playback.h"
#include "nodes/viewNode.h"
#include "render/view.h"

namespace purl {

// Everything an image of one frame shows besides the simulation; independent of the scene it was read from.
struct Surroundings {
    struct SceneCamera {
        Pose pose;
        double widthTangent = 1;  // tangent of half the horizontal field of view (Maya's horizontal fit)
    };
    struct Solid {
        Mesh mesh;
        std::optional<Shading> shading;  // nullopt: no shader assigned
        bool glass = false;              // a container: drawn as glass if it has no shading
    };
    std::vector<Solid> solids;
    std::map<std::string, Shading> shadings;  // of simulated meshes, by body name
    std::map<std::string, Vec3> glows;        // preset glow of fluids without shading
    std::vector<LinesLook> wires;             // edges of invisible containers
    std::vector<Pane> panes;                  // walls of box-shaped containers
    std::vector<Light> lights;                // empty if the scene has none
    std::optional<SceneCamera> camera;
    std::optional<float> floor;                 // height of a horizontal plane collider
    std::shared_ptr<const EnvironmentMap> sky;  // null: studio
    ViewParams display;                         // from the scene's purlView
};

// Edges of a collider that is not drawn solid; empty for a plane.
std::vector<Vec3> wireOf(const Collider& collider);

// The camera shapes of the scene, without Maya's four default ones.
std::vector<host::NodePtr> camerasOf(const host::Graph& graph);
// Evaluates a camera shape at the current frame.
Surroundings::SceneCamera sceneCamera(const host::Graph& graph, host::Node& camera);
// The camera of this name or, if it is empty, the scene's renderable one; null if there is none. Throws Error for an
// unknown name.
host::NodePtr chooseCamera(host::Graph& graph, const std::string& name);
// Evaluates the scene at the frame without simulating.
Surroundings surroundingsAt(Playback& playback, const host::NodePtr& camera, int number);
// Converts a scene camera for an image of this aspect ratio.
Camera cameraOf(const Surroundings::SceneCamera& camera, float aspect);

// Combines a frame and its surroundings into a view without camera, focus and ground. The view refers to all three
// arguments. `colors`: one per particle, or empty for their own.
View arrange(const Frame& frame, const Surroundings& around, bool drawPoints, const std::vector<Vec3>& colors,
             std::list<Points>& kept);

// Draws edges over matte surfaces, and yarns as their simulated polylines.
void drawWire(View& view);

// Parameters of the first visible purlView, or the defaults.
ViewParams viewParamsOf(host::Graph& graph);

// Region of interest: cloths, yarns and bodies completely, and the bulk of liquids and gases without stray particles.
Bounds subjectOf(const Frame& frame);

class Shot {
  public:
    // Without a playback (the scene file is gone) there are only studio lights and a fitted camera. `sky`: environment
    // map, .hdr or .exr, which also lights scenes without lights; empty: studio.
    Shot(Playback* playback, const std::string& camera, float aspect, const std::string& sky);

    // Ray-marches liquids regardless of the scene's setting.
    void rayMarchLiquids() { rays_ = true; }
    void setStudio(StudioChoice studio) { studio_ = studio; }
    // Sets the region of interest over all frames and the first frame, at which colliders are evaluated. Fitted camera,
    // ground and shadows are derived from it, so that a frame looks the same whichever others are drawn. If it is
    // empty, each frame is framed by itself.
    void setSubject(const Bounds& subject, int firstFrame);
    // The view of one frame; valid until the next call. `colors`: one per particle, or empty for their own.
    const View& at(int number, const Frame& frame, bool drawPoints, const std::vector<Vec3>& colors = {});

  private:
    void setFocus(const Bounds& subject, const Surroundings& around);

    Playback* playback_;
    host::NodePtr camera_;
    float aspect_;
    std::shared_ptr<const EnvironmentMap> sky_;
    bool rays_ = false;
    std::optional<StudioChoice> studio_;
    Bounds focus_;  // the subject and surrounding bodies of similar size
    Camera fitted_;
    float groundHeight_ = 0;  // used if the scene has no floor
    // Referenced by view_.
    Surroundings around_;
    std::list<Points> kept_;
    Frame frame_;
    View view_;
};

}  // namespace purl
