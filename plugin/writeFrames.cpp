#include "plugin/writeFrames.h"

#include <maya/MAnimControl.h>
#include <maya/MComputation.h>
#include <maya/MFileIO.h>
#include <maya/MGlobal.h>
#include <maya/MTime.h>

#include <cmath>
#include <sstream>

#include "nodes/data.h"
#include "nodes/nodes.h"
#include "nodes/solverNode.h"
#include "plugin/command.h"
#include "solver/cache/stateFile.h"
#include "solver/cache/stateFolder.h"
#include "solver/cache/writeBehind.h"

namespace purl {
namespace {

// Restores the current time.
class RestoreTime {
  public:
    RestoreTime() : was_(MAnimControl::currentTime()) {}
    ~RestoreTime() { MAnimControl::setCurrentTime(was_); }
    RestoreTime(const RestoreTime&) = delete;
    RestoreTime& operator=(const RestoreTime&) = delete;

  private:
    MTime was_;
};

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
    void at(int frame) {
        computation_.setProgress(frame);
        computation_.setProgressStatus(MString("frame ") + frame);
    }
    bool cancelled() { return computation_.isInterruptRequested(); }

  private:
    MComputation computation_;
};

}  // namespace

std::shared_ptr<const Frame> pullFrame(const MPlug& frames, int number) {
    MAnimControl::setCurrentTime(MTime(number, MTime::uiUnit()));
    MStatus status;
    const MObject data = frames.asMObject(&status);
    const auto frame = status ? FrameData::get(data) : nullptr;
    if (!frame) {
        MComputation computation;
        computation.beginComputation();
        const bool cancelled = computation.isInterruptRequested();
        computation.endComputation();
        if (cancelled) throw Cancelled();
        throw Error("frame " + std::to_string(number) + " could not be computed; see the previous message");
    }
    return frame;
}

FramesWritten writeFrames(const FrameJob& job) {
    if (job.last < job.first)
        throw Error("frames " + std::to_string(job.first) + " to " + std::to_string(job.last) +
                    ": the last frame is before the first");
    const RestoreTime restoreTime;
    CacheWriter writer(job.directory, job.settings);
    WriteBehind behind;
    Progressing progress(job.from, job.last);
    FramesWritten written{job.first, job.first - 1, false};
    try {
        for (int number = std::min(job.from, job.first); number <= job.last && !written.cancelled; ++number) {
            const auto frame = pullFrame(job.frames, number);
            progress.at(number);
            if (number < job.first) continue;
            writer.writeBehind(behind, number, frame);
            if (job.checkpoints > 0) {
                const auto state = std::make_shared<const State>(solverNode(job.solver).simulator()->state());
                const int start = startFrameOf(job.solver);
                behind.add([state, number, start, &job] {
                    keepState(encodeState(*state), job.directory, number, job.checkpoints, start);
                });
            }
            written.last = number;
            written.cancelled = progress.cancelled();
        }
    } catch (const Cancelled&) { written.cancelled = true; }
    behind.finish();
    writer.finish();
    if (written.cancelled)
        MGlobal::displayWarning(MString("cancelled: ") + job.directory.c_str() + " contains frames " + written.first +
                                " to " + written.last);
    return written;
}

int startFrameOf(const MObject& solver) { return static_cast<int>(std::floor(plugOf(solver, "startFrame").asFloat())); }

Range rangeOf(const MArgDatabase& arguments, const MObject& solver) {
    Range range{startFrameOf(solver), static_cast<int>(std::floor(MAnimControl::maxTime().as(MTime::uiUnit())))};
    if (arguments.isFlagSet("-startFrame")) arguments.getFlagArgument("-startFrame", 0, range.first);
    if (arguments.isFlagSet("-endFrame")) arguments.getFlagArgument("-endFrame", 0, range.last);
    return range;
}

CacheSettings settingsOf(const MArgDatabase& arguments, const MObject& solver) {
    CacheSettings settings;
    MString formats;
    if (arguments.isFlagSet("-format")) arguments.getFlagArgument("-format", 0, formats);
    if (formats.length() > 0) settings.formats = splitFormats(formats.asUTF8());
    settings.oneFile = arguments.isFlagSet("-oneFile");
    settings.fps = MTime(1.0, MTime::kSeconds).as(MTime::uiUnit());
    settings.startFrame = startFrameOf(solver);
    // Evaluates the first frame: before that the solver has gathered no bodies.
    const RestoreTime restoreTime;
    pullFrame(plugOf(solver, "outFrame"), settings.startFrame);
    const std::string text = toString(solverNode(solver).scene());
    std::istringstream values(text);
    for (std::string line; std::getline(values, line);) settings.parameters.push_back(line);
    settings.scenePath = MFileIO::currentFile().asUTF8();
    settings.run.toolVersion = toolVersion();
    settings.run.solver = nameOf(solver).asUTF8();
    // The open scene, which may be unsaved: the solver's gathered input at the start.
    settings.run.inputs.push_back({"scene", settings.scenePath, receiptOf(text)});
    for (InputFile& file : inputFilesOfScene()) settings.run.inputs.push_back(std::move(file));
    return settings;
}

void addRangeFlags(MSyntax& syntax) {
    syntax.addFlag("-dir", "-directory", MSyntax::kString);
    syntax.addFlag("-sf", "-startFrame", MSyntax::kLong);
    syntax.addFlag("-ef", "-endFrame", MSyntax::kLong);
    syntax.addFlag("-fmt", "-format", MSyntax::kString);
    syntax.addFlag("-of", "-oneFile");
    syntax.addFlag("-s", "-solver", MSyntax::kString);
    syntax.setObjectType(MSyntax::kSelectionList, 0);
    syntax.useSelectionAsDefault(true);
}

std::string directoryOf(const MArgDatabase& arguments) {
    MString directory;
    if (arguments.isFlagSet("-directory")) arguments.getFlagArgument("-directory", 0, directory);
    if (directory.length() == 0) throw Error("-directory is required: the folder to write to");
    return directory.asUTF8();
}

}  // namespace purl
