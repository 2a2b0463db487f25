// purl edit: saves a scene with changed attribute values.
#include "app/commands.h"
#include "app/print.h"
#include "farm/session.h"

namespace purl {

int editScene(const EditOptions& options) {
    Session session(options.scene, {}, options.solver);
    for (const std::string& note : session.loadNotes()) printError("note: {}\n", note);
    for (const std::string& assignment : options.assignments) session.set(assignment);
    session.save(options.out);
    return kDone;
}

}  // namespace purl
