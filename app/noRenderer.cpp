// purl render and purl sheet, in builds without OpenGL: errors.
#include "app/commands.h"
#include "solver/core/error.h"

namespace purl {

[[noreturn]] static void refuseToDraw(const std::string& command) {
    throw Error(
        command +
        ": this purl was built without OpenGL; copy the cache to a computer with a purl for Linux that was built "
        "with it, and draw there");
}

int renderPictures(const RenderOptions&) { refuseToDraw("render"); }
int makeSheet(const SheetOptions&) { refuseToDraw("sheet"); }

}  // namespace purl
