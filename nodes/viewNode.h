// purlView: how a frame is displayed, by `purl render` and in Maya's viewport.
#pragma once
#include <maya/MBoundingBox.h>

#include <memory>
#include <vector>

#include "nodes/ids.h"
#include "nodes/mayaYear.h"
#include "nodes/paramAttributes.h"
#include "nodes/plugs.h"

namespace purl {

struct Frame;

enum class YarnDrawing { none, automatic, tubes, fibres };
inline Choices choicesOf(YarnDrawing) { return {"none", "automatic", "tubes", "fibres"}; }

enum class LiquidDrawing { mesh, rays };
inline Choices choicesOf(LiquidDrawing) { return {"mesh", "rays"}; }

// As in render/view.h.
enum class StudioChoice { grey, warm, plain };
inline Choices choicesOf(StudioChoice) { return {"grey", "warm", "plain"}; }

// Quantity that particles and fabrics are coloured by; look: their own colours.
enum class Show { look, speed, density, densityError, pressure, age, wetness, strain };
inline Choices choicesOf(Show) {
    return {"look", "speed", "density", "densityError", "pressure", "age", "wetness", "strain"};
}

struct ViewParams {
    StudioChoice studio = StudioChoice::grey;
    Show show = Show::look;
    bool showPoints = false;
    float pointScale = 1;
    bool showSurface = true;
    LiquidDrawing liquid = LiquidDrawing::mesh;
    bool showCloth = true;
    YarnDrawing yarn = YarnDrawing::automatic;
    bool showWetness = false;
    bool showBounds = false;
    bool showGround = true;
    bool showGrid = false;
    float waterVisibility = 0;
    Vec3 waterColor{0.10f, 0.45f, 0.55f};
    float cooling = 0;
    float gasDepth = 0;
};

template <class Visit>
void describe(Visit&& visit, ViewParams& p) {
    visit(p.studio, About{"studio", "stu", "",
                          "Backdrop, ground and sky. grey: neutral; warm: cream wall and sand-coloured ground; plain: "
                          "even background without ground, for diagrams and 2-D scenes."});
    visit(p.show, About{"show", "shq", "",
                        "Colours particles, cloths and yarns by a quantity instead of their look. The option --show "
                        "overrides it. Not in Maya's viewport."});
    visit(p.showPoints, About{"showPoints", "shp", "", "Shows particles as spheres, even if there is a surface."});
    visit(p.pointScale, About{"pointScale", "pts", "", "Factor on the size of the spheres.", 0, 100, 0.1, 3});
    visit(p.showSurface, About{"showSurface", "shs", "", "Shows the surfaces of liquids."});
    visit(p.liquid, About{"liquid", "lqd", "",
                          "mesh: shows the mesh of a purlSurface; rays: ray-casts the particles and needs no mesh."});
    visit(p.showCloth, About{"showCloth", "shc", "", "Shows cloths and soft bodies."});
    visit(p.yarn, About{"yarn", "yrn", "",
                        "How yarns are drawn. tubes: as tubes; fibres: with their fibres; automatic: by their size in "
                        "the image."});
    visit(p.showWetness,
          About{"showWetness", "shw", "", "Colours fabrics by their saturation, from blue (dry) to red (saturated)."});
    visit(p.showBounds, About{"showBounds", "shb", "", "Shows the bounding box of the frame."});
    visit(p.showGround, About{"showGround", "shg", "", "Shows the ground."});
    visit(p.showGrid, About{"showGrid", "shgr", "", "Shows a grid on the ground, at round distances."});
    visit(p.waterVisibility,
          About{"waterVisibility", "wvis", "m",
                "Under water: how far one can see. Beyond this, objects fade into waterColor; waves focus the first "
                "directional light into caustics. 0: air.",
                0, kUnbounded, 0, 20});
    visit(p.waterColor,
          About{"waterColor", "wcol", "rgb", "Under water: colour that is left of white light after waterVisibility."});
    visit(p.cooling, About{"cooling", "cool", "s",
                           "Age at which the glow of a liquid (incandescence or emission of its shader) has faded to a "
                           "third. 0: it never fades.",
                           0, kUnbounded, 0, 10});
    visit(p.gasDepth, About{"gasDepth", "gdep", "m",
                            "Depth of a gas at rest density that lets a third of the light through; smaller is denser. "
                            "0: a seventh of the radius of the scene.",
                            0, kUnbounded, 0, 1});
}

class ViewNode : public CachedLocator {
  public:
    static constexpr const char* kName = "purlView";
    static constexpr unsigned kId = id::kView;
    static constexpr const char* kSentence =
        "How a frame is displayed. `purl render` uses the first visible one; Viewport 2.0 draws each with the same "
        "passes. Its bounding box is that of the frame.";

    template <class Visit>
    static void plugs(Visit&& visit) {
        visit(inFrame_, PlugAbout{"inFrame", "ifr", PlugType::frame, PlugUse::in, "From a purlSolver or purlCache."});
    }
    template <class Visit>
    static void params(Visit&& visit) {
        visit(params_);
    }

    bool isBounded() const override { return true; }
    MBoundingBox boundingBox() const override;
    MBoundingBox worldBounds() const;  // of the frame, which is in world space

    std::shared_ptr<const Frame> frame() const;  // null if nothing is connected
    ViewParams display() const;

  private:
    std::vector<MObject> drawnAttributes() const override { return {inFrame_}; }

    static inline MObject inFrame_;
    static inline ParamAttributes<ViewParams> params_;
};

}  // namespace purl
