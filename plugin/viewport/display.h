// Converts purlView's attributes to display options.
#pragma once
#include "nodes/viewNode.h"
#include "render/frameView.h"

namespace purl {

inline FrameDisplay displayOf(const ViewParams& params) {
    FrameDisplay display;
    display.points = params.showPoints;
    display.pointScale = params.pointScale;
    display.surface = params.showSurface;
    display.rays = params.liquid == LiquidDrawing::rays;
    display.cloth = params.showCloth;
    display.yarns = params.yarn != YarnDrawing::none;
    display.detail = params.yarn == YarnDrawing::tubes    ? YarnDetail::tubes
                     : params.yarn == YarnDrawing::fibres ? YarnDetail::fibres
                                                          : YarnDetail::automatic;
    display.bounds = params.showBounds;
    display.ground = params.showGround;
    display.grid = params.showGrid;
    display.medium = {params.waterColor, params.waterVisibility};
    display.cooling = params.cooling;
    display.gasDepth = params.gasDepth;
    display.studio = static_cast<Studio>(params.studio);
    return display;
}

// Whether the viewport shows the same with both.
inline bool drawsSame(const ViewParams& a, const ViewParams& b) {
    return a.showPoints == b.showPoints && a.pointScale == b.pointScale && a.showSurface == b.showSurface &&
           a.liquid == b.liquid && a.cooling == b.cooling && a.showCloth == b.showCloth && a.yarn == b.yarn &&
           a.showWetness == b.showWetness;
}

}  // namespace purl
