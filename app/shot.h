// What surrounds a simulation in a picture, taken from the scene at each frame: camera, lights, colliders.
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

// All that a picture of one frame shows beside the simulation; it no longer needs the scene that it was taken from.
struct Surroundings {
    struct SceneCamera {
        Pose pose;
        double widthTangent = 1;  // of half the angle across the picture (Maya's horizontal fit)
    };
    struct Solid {
        Mesh mesh;
        std::optional<Shading> shading;  // none: nobody chose one
        bool glass = false;              // a container: shown as glass where it has no shading
    };
    std::vector<Solid> solids;
    std::map<std::string, Shading> shadings;  // of the simulation's meshes, by their bodies' names
    std::map<std::string, Vec3> glows;        // of fluids by their presets, where they have no shading
    std::vector<LinesLook> wires;             // of what is seen through
    std::vector<Pane> panes;                  // walls of box containers
    std::vector<Light> lights;                // none: the scene has none
    std::optional<SceneCamera> camera;
    std::optional<float> floor;             // height of a level plane that things fall on
    std::shared_ptr<const SkyPicture> sky;  // none: a studio
    ViewParams display;                     // of the scene's purlView
};

// The scene's renderable camera, or the one so named; null where there is none. Throws Error on a name that is not one.
host::NodePtr chooseCamera(host::Graph& graph, const std::string& name);
// Moves the scene to the frame without simulating.
Surroundings surroundingsAt(Playback& playback, const host::NodePtr& camera, int number);
// How a camera of the scene sees, in a picture so much wider than high.
Camera cameraOf(const Surroundings::SceneCamera& camera, float aspect);

// A view of a frame amid its surroundings, which both must stay where they are until it is drawn. Without camera, focus
// and ground; `kept` holds what the view points to. `colors`: one a particle, or none for their own.
View arrange(const Frame& frame, const Surroundings& around, bool drawPoints, const std::vector<Vec3>& colors,
             std::list<Points>& kept);

// The purlView that pictures follow: the first visible one, or its defaults.
ViewParams viewParamsOf(host::Graph& graph);

// What a picture of a frame must hold: cloths, yarns and bodies as a whole, and of liquids and gases the bulk, without
// the few particles that fly farthest.
Bounds subjectOf(const Frame& frame);

class Shot {
  public:
    // Without a playback (the scene file is gone) there are only studio lights and a camera that fits. `sky`: a
    // panorama, .hdr or .exr, as the sky and, where the scene has no lights, the light; empty: a studio.
    Shot(Playback* playback, const std::string& camera, float aspect, const std::string& sky);

    // Liquids by rays, whatever the scene says.
    void castRays() { rays_ = true; }
    void setStudio(StudioChoice studio) { studio_ = studio; }
    // The subject over all frames of the film, and its first frame, at which the scene's colliders are looked at. The
    // fitted camera, ground and shadows follow it, so that a frame looks the same whichever others are drawn. Without
    // it the first frame drawn is the subject.
    void setSubject(const Bounds& subject, int firstFrame);
    // The view of one frame; it stays valid until the next call. `colors`: one a particle, or none for their own.
    const View& at(int number, const Frame& frame, bool drawPoints, const std::vector<Vec3>& colors = {});

  private:
    void setFocus(const Bounds& subject, const Surroundings& around);

    Playback* playback_;
    host::NodePtr camera_;
    float aspect_;
    std::shared_ptr<const SkyPicture> sky_;
    bool rays_ = false;
    std::optional<StudioChoice> studio_;
    Bounds focus_;  // the subject with the bodies around it that are of its size
    Camera fitted_;
    float groundHeight_ = 0;  // where the scene has no floor
    // What the view points to.
    Surroundings around_;
    std::list<Points> kept_;
    Frame frame_;
    View view_;
};

}  // namespace purl
