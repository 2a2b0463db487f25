// What surrounds a simulation in a picture, taken from the scene at each frame: camera, lights, colliders.
#pragma once
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/props.h"
#include "farm/session.h"
#include "nodes/viewNode.h"
#include "render/view.h"

namespace purl {

// All that a picture of one frame shows beside the simulation; it no longer needs the scene that it was taken from.
struct Surroundings {
    struct SceneCamera {
        Pose pose;
        double widthTangent = 1;  // of half the angle across the picture (Maya's horizontal fit)
    };
    struct Solid {
        Mesh mesh;
        std::optional<Shading> shading;  // none: nobody chose one
    };
    std::vector<Solid> solids;
    std::map<std::string, Shading> shadings;  // of the simulation's meshes, by their bodies' names
    std::vector<LinesLook> wires;             // of what is seen through
    std::vector<Light> lights;                // none: the scene has none
    std::optional<SceneCamera> camera;
    std::optional<float> floor;             // height of a level plane that things fall on
    std::shared_ptr<const SkyPicture> sky;  // none: a studio
    ViewParams display;                     // of the scene's purlView
};

// The scene's renderable camera, or the one so named; null where there is none. Throws Error on a name that is not one.
host::NodePtr chooseCamera(host::Graph& graph, const std::string& name);
// Moves the scene to the frame without simulating.
Surroundings surroundingsAt(Session& session, const host::NodePtr& camera, int number);
// How a camera of the scene sees, in a picture so much wider than high.
Camera cameraOf(const Surroundings::SceneCamera& camera, float aspect);

// A view of a frame amid its surroundings, which both must stay where they are until it is drawn. Without camera, focus
// and ground; `kept` holds what the view points to. `colors`: one a particle, or none for their own.
View arrange(const Frame& frame, const Surroundings& around, bool drawPoints, const std::vector<Vec3>& colors,
             std::list<Points>& kept);

class Shot {
  public:
    // Without a session (the scene file is gone) there are only studio lights and a camera that fits. `sky`: a
    // panorama, .hdr or .exr, as the sky and, where the scene has no lights, the light; empty: a studio.
    Shot(Session* session, const std::string& camera, float aspect, const std::string& sky);

    // Liquids by rays, whatever the scene says.
    void castRays() { rays_ = true; }
    // The view of one frame; it stays valid until the next call. `colors`: one a particle, or none for their own.
    const View& at(int number, const Frame& frame, bool drawPoints, const std::vector<Vec3>& colors = {});

  private:
    Session* session_;
    host::NodePtr camera_;
    float aspect_;
    std::shared_ptr<const SkyPicture> sky_;
    bool rays_ = false;
    // Of the first frame: the fitted camera stays where it is, and so does the ground where the scene has no floor.
    Bounds focus_;
    Camera fitted_;
    // What the view points to.
    Surroundings around_;
    std::list<Points> kept_;
    Frame frame_;
    View view_;
};

}  // namespace purl
