#include "plugin/viewport/viewDrawing.h"

#include <maya/MViewport2Renderer.h>

#include "plugin/viewport/stockOverride.h"
#include "plugin/viewport/viewOverride.h"

namespace purl {

MStatus registerViewDrawing() {
    const MHWRender::MRenderer* renderer = MHWRender::MRenderer::theRenderer();  // null in batch mode
    const bool stock = renderer && renderer->drawAPI() != MHWRender::kOpenGLCoreProfile;
    return stock ? registerStockOverride() : registerViewOverride();
}

MStatus deregisterViewDrawing() {
    const MStatus status = deregisterViewOverride();
    return status ? status : deregisterStockOverride();
}

}  // namespace purl
