// purlView: how a frame is shown. Pictures of a scene (`purl render`) follow it, and so does Maya's viewport.
#pragma once
#include <memory>

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

// As render/view.h has it.
enum class StudioChoice { grey, warm, plain };
inline Choices choicesOf(StudioChoice) { return {"grey", "warm", "plain"}; }

// What things are coloured by; look: their own colours.
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
    visit(p.studio,
          About{"studio", "stu", "",
                "Backdrop, ground and sky: grey is neutral; warm has a cream wall and a sand-coloured ground; plain is "
                "an even background without ground, for diagrams and 2-D scenes."});
    visit(p.show, About{"show", "shq", "",
                        "Colour particles, cloths and yarns by a quantity in place of their look; --show overrides it. "
                        "Not in Maya's viewport."});
    visit(p.showPoints, About{"showPoints", "shp", "", "Particles as balls, also where there is a surface."});
    visit(p.pointScale, About{"pointScale", "pts", "", "Size of those balls, of their own.", 0, 100, 0.1, 3});
    visit(p.showSurface, About{"showSurface", "shs", "", "Surfaces of liquids."});
    visit(p.liquid,
          About{"liquid", "lqd", "",
                "Liquids by the mesh of a purlSurface, or by rays through their particles, which need none."});
    visit(p.showCloth, About{"showCloth", "shc", "", "Cloths and soft bodies."});
    visit(p.yarn, About{"yarn", "yrn", "",
                        "Yarns as tubes, as slices of their fibres, or as what their size in the picture calls for."});
    visit(p.showWetness,
          About{"showWetness", "shw", "",
                "Fabrics by how wet they are, blue for dry to red for full, in place of their colours."});
    visit(p.showBounds, About{"showBounds", "shb", "", "The box around all of the frame."});
    visit(p.showGround, About{"showGround", "shg", "", "A ground below."});
    visit(p.showGrid, About{"showGrid", "shgr", "", "Lines on it, a round length apart."});
    visit(p.waterVisibility,
          About{"waterVisibility", "wvis", "m",
                "Under water: how far one sees. What is farther away is lost in waterColor, and waves above gather the "
                "first directional light into nets; 0 is air.",
                0, kUnbounded, 0, 20});
    visit(p.waterColor,
          About{"waterColor", "wcol", "rgb", "Under water: what is left of white light after waterVisibility."});
    visit(p.cooling, About{"cooling", "cool", "s",
                           "Age after which a third is left of a liquid's glow (incandescence or emission of its "
                           "shader); 0: it keeps it.",
                           0, kUnbounded, 0, 10});
    visit(p.gasDepth, About{"gasDepth", "gdep", "m",
                            "Gases at rest density: the depth that lets a third of the light through. Smaller is "
                            "denser. 0: a seventh of the radius of what is shown.",
                            0, kUnbounded, 0, 1});
}

class ViewNode : public CachedLocator {
  public:
    static constexpr const char* kName = "purlView";
    static constexpr unsigned kId = id::kView;
    static constexpr const char* kSentence =
        "How the frame is shown: pictures of the scene follow the first visible one, and Viewport 2.0 draws each by "
        "the "
        "same passes. Its box is the frame's.";

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

    std::shared_ptr<const Frame> frame() const;  // null: nothing is connected
    ViewParams display() const;

  private:
    static inline MObject inFrame_;
    static inline ParamAttributes<ViewParams> params_;
};

}  // namespace purl
