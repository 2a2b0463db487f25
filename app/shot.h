// Shot: what surrounds a simulation in a picture, taken from the scene at each frame: camera, lights, colliders.
#pragma once
#include <list>
#include <memory>
#include <string>

#include "farm/session.h"
#include "render/view.h"

namespace purl {

class Shot {
  public:
    // Without a session (the scene file is gone) there are only studio lights and a camera that fits.
    Shot(Session* session, const std::string& camera, float aspect);

    // The view of one frame; it stays valid until the next call. `colors`: one a particle, or none for their own.
    const View& at(int number, const Frame& frame, bool drawPoints, const std::vector<Vec3>& colors = {});

  private:
    void addColliders();
    void addLights();
    void placeCamera();

    Session* session_;
    host::NodePtr camera_;
    float aspect_;
    Bounds focus_;  // of the first frame: ground and fitted camera stay where they are
    Camera fitted_;
    std::list<Mesh> meshes_;  // what the view points to
    std::list<Points> foams_;
    Frame frame_;
    View view_;
};

}  // namespace purl
