#include "nodes/cacheNode.h"

#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MPlug.h>
#include <maya/MStatus.h>
#include <maya/MTime.h>

#include <cmath>
#include <filesystem>

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/nodes.h"
#include "solver/core/path.h"

namespace purl {

const char* formatsSentence() {
    static const std::string sentence =
        "Formats to write, separated by commas: " + joinedNames(formats()) +
        ". abc:points, abc:meshes or abc:curves writes only these. Empty: " + kDefaultFormats + ".";
    return sentence.c_str();
}

CacheMode CacheNode::modeOutsideCompute() const {
    return static_cast<CacheMode>(MPlug(thisMObject(), params_.attribute("mode")).asShort());
}

bool CacheNode::records() const { return !bypassed_ && mayWrite_ && modeOutsideCompute() == CacheMode::write; }

const char* channelsSentence() {
    static const std::string sentence =
        "Channels of particles to write, separated by commas, besides position and id: " + channelNames() +
        ". Empty: all.";
    return sentence.c_str();
}

std::vector<std::string> CacheNode::inputFiles() const {
    if (bypassed_ || modeOutsideCompute() != CacheMode::read) return {};
    return {toText(toPath(textOf(*this, kFileAttribute)) / "manifest.json")};
}

CacheParams CacheNode::paramsOf(MDataBlock& block) const {
    if (bypassed_) return {};
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
        FramePtr frame;
        if (params.mode != CacheMode::read) {
            MStatus status;
            const MDataHandle handle = block.inputValue(inFrame_, &status);
            frame = status ? FrameData::get(handle) : nullptr;
            if (!frame) throw Error("inFrame has no frame; connect the outFrame of a purlSolver or purlSurface");
        }
        {
            // No other node is evaluated while the lock is held: it might be waiting for this one.
            const std::lock_guard<std::mutex> computing(computing_);
            open(params);
            if (params.mode == CacheMode::read) frame = read(params, now);
            if (params.mode == CacheMode::write) write(params, number, frame);
        }
        FrameData::set(block.outputValue(outFrame_), frame);
        block.setClean(plug);
    });
}

void CacheNode::open(const CacheParams& params) {
    if (sameParams(params, opened_)) return;
    const std::unique_ptr<CacheRecorder> finished = std::move(recorder_);
    reader_.reset();
    opened_ = params;
    if (finished) finished->finish();
}

void CacheNode::write(const CacheParams& params, int number, const FramePtr& frame) {
    if (!recorder_) {
        CacheSettings settings;
        if (!params.formats.empty()) settings.formats = splitFormats(params.formats);
        if (!params.channels.empty()) settings.channels = splitChannels(params.channels);
        settings.oneFile = params.oneFile;
        settings.fps = MTime(1.0, MTime::kSeconds).as(MTime::uiUnit());
        settings.startFrame = static_cast<int>(std::lround(number - frame->time * settings.fps));  // frame of time 0
        settings.run.toolVersion = toolVersion();
        recorder_ = std::make_unique<CacheRecorder>(params.directory, settings);
        if (!recorder_->note().empty()) MGlobal::displayWarning(name() + ": " + recorder_->note().c_str());
    }
    recorder_->write(number, frame);
}

// Maps the scene's frame to a frame of the cache, which may have another frame rate; they agree at retimeStart.
FramePtr CacheNode::read(const CacheParams& params, double now) {
    if (!reader_) reader_ = std::make_unique<CacheReader>(params.directory);
    const double fps = MTime(1.0, MTime::kSeconds).as(MTime::uiUnit());
    const double start = static_cast<double>(params.speedStart);
    const double frame = start + (now - start) * static_cast<double>(params.speed) * (reader_->manifest().fps / fps);
    return std::make_shared<Frame>(reader_->at(frame));
}

}  // namespace purl
