#include "nodes/cacheNode.h"

#include <maya/MTime.h>

#include <cmath>

#include "nodes/boundary.h"
#include "nodes/data.h"

namespace purl {
namespace {

std::vector<std::string> splitFormats(const std::string& text) {
    if (text.empty()) return defaultFormats();
    std::vector<std::string> names(1);
    for (const char c : text) {
        if (c == ',')
            names.emplace_back();
        else if (c != ' ')
            names.back() += c;
    }
    return names;
}

}  // namespace

MStatus CacheNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outFrame_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        const CacheParams params = params_.read(block);
        const double now = block.inputValue(currentTime_).asTime().as(MTime::uiUnit());
        const auto number = static_cast<int>(std::lround(now));
        if (params.mode != CacheMode::pass && params.directory.empty())
            throw Error("directory is empty; name the folder of the cache");
        if (!sameParams(params, opened_)) {
            writer_.reset();
            reader_.reset();
            opened_ = params;
        }
        std::shared_ptr<const Frame> frame;
        if (params.mode == CacheMode::read) {
            frame = read(params, number);
        } else {
            MStatus status;
            const MDataHandle handle = block.inputValue(inFrame_, &status);
            frame = status ? FrameData::get(handle) : nullptr;
            if (!frame) throw Error("inFrame gives no frame; connect a purlSolver's or purlSurface's outFrame");
            if (params.mode == CacheMode::write) frame = write(params, number, frame);
        }
        FrameData::set(block.outputValue(outFrame_), frame);
        block.setClean(plug);
    });
}

std::shared_ptr<const Frame> CacheNode::write(const CacheParams& params, int number,
                                              std::shared_ptr<const Frame> frame) {
    if (!writer_) {
        CacheSettings settings;
        settings.formats = splitFormats(params.formats);
        settings.fps = MTime(1.0, MTime::kSeconds).as(MTime::uiUnit());
        settings.startFrame = static_cast<int>(std::lround(number - frame->time * settings.fps));  // where time was 0
        settings.scenePath = scenePath_;
        settings.parametersHash = parametersHash_;
        settings.toolVersion = "purl " PURL_VERSION;
        settings.oneFile = params.oneFile;
        writer_ =
            std::make_unique<CacheWriter>(resumeAfter_ ? CacheWriter::resume(params.directory, settings, *resumeAfter_)
                                                       : CacheWriter(params.directory, settings));
    }
    writer_->write(number, *frame);
    return frame;
}

std::shared_ptr<const Frame> CacheNode::read(const CacheParams& params, int number) {
    if (!reader_) reader_ = std::make_unique<CacheReader>(params.directory);
    return std::make_shared<Frame>(reader_->read(number));
}

}  // namespace purl
