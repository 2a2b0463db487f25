// purl view: opens a window on a scene or a cache; an error in builds without Qt.
#include "app/commands.h"
#include "app/view/view.h"
#include "solver/core/error.h"

namespace purl {

#ifndef PURL_HAS_VIEW
static int noView() { throw Error("view: this purl was built without Qt; install qt6-base-dev (Debian) and rebuild"); }
#endif

int printViewKeys() {
#ifdef PURL_HAS_VIEW
    return printKeys();
#else
    return noView();
#endif
}

int view([[maybe_unused]] const ViewOptions& options) {
#ifdef PURL_HAS_VIEW
    return viewScene(options);
#else
    return noView();
#endif
}

}  // namespace purl
