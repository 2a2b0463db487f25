// purl render, in builds without OpenGL: an error.
#include "app/commands.h"
#include "solver/core/error.h"

namespace purl {

int renderPictures(const RenderOptions&) {
    throw Error(
        "render: this purl was built without OpenGL; copy the cache to a computer with a purl for Linux, and render it "
        "there");
}

}  // namespace purl
