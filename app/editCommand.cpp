// purl edit: saves a scene with changed attribute values.
#include "app/commands.h"
#include "app/print.h"
#include "farm/playback.h"

namespace purl {

int editScene(const EditOptions& options) {
    Playback playback(options.scene, {}, options.solver);
    for (const std::string& note : playback.loadNotes()) printError("note: {}\n", note);
    for (const std::string& assignment : options.assignments) playback.set(assignment);
    playback.save(options.out);
    return kDone;
}

}  // namespace purl
