#include "plugin/writeFrames.h"

#include <maya/MAnimControl.h>
#include <maya/MComputation.h>
#include <maya/MGlobal.h>
#include <maya/MTime.h>

namespace purl {
namespace {

// Maya's progress bar with Escape handling.
class Progressing {
  public:
    Progressing(int first, int last) {
        computation_.beginComputation(true, true, false);
        computation_.setProgressRange(first, last);
    }
    ~Progressing() { computation_.endComputation(); }
    Progressing(const Progressing&) = delete;
    Progressing& operator=(const Progressing&) = delete;
    // Without setProgressStatus, which is not allowed for computations that can be interrupted.
    void at(int frame) { computation_.setProgress(frame); }
    bool cancelled() { return computation_.isInterruptRequested(); }

  private:
    MComputation computation_;
};

}  // namespace

void writeFrames(ScenePlayer& player, const SceneSource& scene, const CacheTarget& target, int last) {
    const auto framesTo = [&](int end) {
        return "frames " + std::to_string(target.first) + " to " + std::to_string(end);
    };
    if (last < target.first) throw Error(framesTo(last) + ": the last frame is before the first");
    const RestoreTime restoreTime;
    player.writeCache(scene, target);
    const FrameRange range{player.nextFrame(target.first), last};
    Progressing progress(range.first, range.last);
    const ScenePlayer::Played played = player.play(range, [&](int number, const FrameFuture&) {
        progress.at(number);
        return !progress.cancelled();
    });
    if (played.cancelled) {
        player.finishCache();
        MGlobal::displayWarning(("cancelled: " + target.directory + " contains " + framesTo(played.last)).c_str());
    }
    if (played.last < target.first) throw Cancelled();
}

FrameRange rangeOf(const MArgDatabase& arguments, const MObject& solver) {
    FrameRange range{startFrameOf(solver), playbackRange().last};
    if (arguments.isFlagSet("-startFrame")) arguments.getFlagArgument("-startFrame", 0, range.first);
    if (arguments.isFlagSet("-endFrame")) arguments.getFlagArgument("-endFrame", 0, range.last);
    return range;
}

std::string directoryOf(const MArgDatabase& arguments) {
    MString directory;
    if (arguments.isFlagSet("-directory")) arguments.getFlagArgument("-directory", 0, directory);
    if (directory.length() == 0) throw Error("-directory is required: the folder to write to");
    return directory.asUTF8();
}

CacheTarget targetOf(const MArgDatabase& arguments, const std::string& directory, int first) {
    CacheTarget target;
    target.directory = directory;
    MString formats;
    if (arguments.isFlagSet("-format")) arguments.getFlagArgument("-format", 0, formats);
    if (formats.length() > 0) target.formats = splitFormats(formats.asUTF8());
    target.oneFile = arguments.isFlagSet("-oneFile");
    target.first = first;
    return target;
}

std::vector<CommandFlag> rangeFlags(const std::vector<CommandFlag>& more, bool ofBranch) {
    static const std::string formatSentence = "Comma-separated formats: " + joinedNames(formats()) +
                                              "; abc:meshes writes only its meshes. [" + kDefaultFormats + "]";
    std::vector<CommandFlag> flags = {
        {"dir", "directory", MSyntax::kString, "The folder to write to."},
        {"sf", "startFrame", MSyntax::kLong, "First frame. [start of the playback range]"},
        {"ef", "endFrame", MSyntax::kLong, "Last frame. [end of the playback range]"},
        {"fmt", "format", MSyntax::kString, formatSentence.c_str()},
        {"of", "oneFile", MSyntax::kNoArg, "Write all frames to one file, for nCache and Alembic."},
        kSolverFlag};
    if (ofBranch) flags.erase(flags.begin(), flags.begin() + 2);
    flags.insert(flags.end(), more.begin(), more.end());
    return flags;
}

}  // namespace purl
