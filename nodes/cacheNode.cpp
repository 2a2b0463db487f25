#include "nodes/cacheNode.h"

#include <maya/MFnDependencyNode.h>
#include <maya/MThreadUtils.h>
#include <maya/MTime.h>

#include <cmath>
#include <filesystem>

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/nodes.h"

namespace purl {

const char* formatsSentence() {
    static const std::string sentence =
        "Formats to write, separated by commas: " + joinedNames(formats()) +
        ". abc:points, abc:meshes or abc:curves writes only these. Empty: " + kDefaultFormats + ".";
    return sentence.c_str();
}

std::vector<std::string> CacheNode::inputFiles() const {
    const MPlug mode = MFnDependencyNode(thisMObject()).findPlug("mode", true);
    const bool reads = override_ ? override_->mode == CacheMode::read : mode.asShort() == int(CacheMode::read);
    if (!reads) return {};
    const std::string directory = override_ ? override_->directory : textOf(*this, kFileAttribute);
    return {(std::filesystem::path(directory) / "manifest.json").string()};
}

CacheParams CacheNode::paramsOf(MDataBlock& block) const {
    if (override_) return *override_;
    CacheParams params = params_.read(block);
    if (params.mode == CacheMode::write && !mayWrite_) params.mode = CacheMode::pass;
    return params;
}

MStatus CacheNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outFrame_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        const CacheParams params = paramsOf(block);
        const double now = block.inputValue(currentTime_).asTime().as(MTime::uiUnit());
        const auto number = static_cast<int>(std::lround(now));
        if (params.mode != CacheMode::pass && params.directory.empty())
            throw Error("directory is empty; enter the folder of the cache");
        if (!sameParams(params, opened_)) {
            waitForDisk();
            writer_.reset();
            reader_.reset();
            opened_ = params;
        }
        std::shared_ptr<const Frame> frame;
        if (params.mode == CacheMode::read) {
            frame = read(params, now);
        } else {
            MStatus status;
            const MDataHandle handle = block.inputValue(inFrame_, &status);
            frame = status ? FrameData::get(handle) : nullptr;
            if (!frame) throw Error("inFrame has no frame; connect the outFrame of a purlSolver or purlSurface");
            if (params.mode == CacheMode::write) frame = write(params, number, frame);
        }
        FrameData::set(block.outputValue(outFrame_), frame);
        block.setClean(plug);
    });
}

std::shared_ptr<const Frame> CacheNode::write(const CacheParams& params, int number,
                                              std::shared_ptr<const Frame> frame) {
    if (!writer_) {
        const double fps = MTime(1.0, MTime::kSeconds).as(MTime::uiUnit());
        open(params, static_cast<int>(std::lround(number - frame->time * fps)));  // frame of time 0
    }
    const auto promise = std::make_shared<std::promise<std::shared_ptr<const Frame>>>();
    whole_ = promise->get_future().share();
    writer_->writeBehind(jobs(), number, [frame, promise] {
        try {
            std::shared_ptr<const Frame> whole = frame;
            if (!frame->deferred.empty()) {
                const auto made = std::make_shared<Frame>(*frame);
                complete(*made);
                whole = made;
            }
            promise->set_value(whole);
            return whole;
        } catch (...) {
            promise->set_exception(std::current_exception());
            throw;
        }
    });
    return frame;
}

CacheSettings CacheNode::settingsOf(const CacheParams& params) const {
    CacheSettings settings;
    settings.formats = params.formats.empty() ? defaultFormats() : splitFormats(params.formats);
    settings.fps = MTime(1.0, MTime::kSeconds).as(MTime::uiUnit());
    settings.scenePath = origin_.scenePath;
    settings.run = origin_.run;
    settings.run.toolVersion = toolVersion();
    settings.branch = origin_.branch;
    settings.parent = origin_.parent;
    settings.branchFrame = origin_.branchFrame;
    settings.oneFile = params.oneFile;
    return settings;
}

void CacheNode::checkSameRun(const Manifest& found) const {
    purl::checkSameRun(found, settingsOf(*override_), override_->directory);
}

void CacheNode::open(const CacheParams& params, int startFrame) {
    CacheSettings settings = settingsOf(params);
    settings.startFrame = startFrame;
    if (origin_.values) settings.parameters = origin_.values();
    writer_ =
        std::make_unique<CacheWriter>(resumeAfter_ ? CacheWriter::resume(params.directory, settings, *resumeAfter_)
                                                   : CacheWriter(params.directory, settings));
    if (!writer_->note().empty()) MGlobal::displayWarning(name() + ": " + writer_->note().c_str());
}

WriteBehind& CacheNode::jobs() {
    // Leave a core to the simulation.
    if (!behind_) behind_ = std::make_unique<WriteBehind>(2, MThreadUtils::getNumThreads() > 2 ? 2 : 1);
    return *behind_;
}

void CacheNode::addJob(std::function<void()> job) { jobs().add(std::move(job)); }

void CacheNode::waitForDisk() {
    if (behind_) behind_->finish();
}

void CacheNode::finish() {
    waitForDisk();
    if (!writer_ && resumeAfter_) open(*override_, CacheReader(override_->directory).manifest().startFrame);
    if (writer_) writer_->finish();
}

// Maps the scene's frame to a frame of the cache, which may have another frame rate; they agree at retimeStart.
std::shared_ptr<const Frame> CacheNode::read(const CacheParams& params, double now) {
    if (!reader_) reader_ = std::make_unique<CacheReader>(params.directory);
    const double fps = MTime(1.0, MTime::kSeconds).as(MTime::uiUnit());
    const double start = static_cast<double>(params.speedStart);
    const double frame = start + (now - start) * static_cast<double>(params.speed) * (reader_->manifest().fps / fps);
    return std::make_shared<Frame>(reader_->at(frame));
}

}  // namespace purl
