#include "solver/cache/cache.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "solver/cache/attributes.h"
#include "solver/cache/format.h"
#include "solver/cache/points.h"
#include "solver/cache/retime.h"
#include "solver/core/error.h"
#include "solver/core/hash.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

const char* const kManifest = "manifest.json";

std::string inFolder(const std::string& directory, const std::string& name) {
    return (fs::path(directory) / name).string();
}

// A body's or mesh's name as a file may bear it: Maya's "|" and ":" are not welcome everywhere.
std::string fileStem(const std::string& item) {
    std::string stem = item.empty() ? "unnamed" : item;
    for (char& c : stem)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'))
            c = '_';
    return stem;
}

// Before the first particle there is only the count; with it come all the other channels.
bool hasParticleChannels(const NCacheDescription& description) { return description.channels.size() > 1; }

bool isNCache(const std::string& format) { return format == "mcx" || format == "mcc"; }
NCacheBits bitsOf(const std::string& format) { return format == "mcx" ? NCacheBits::mcx : NCacheBits::mcc; }

// Kinds of mesh that have an inside, and so a field of distances.
bool isClosed(const Mesh& mesh) { return mesh.kind == MeshKind::liquid || mesh.kind == MeshKind::solid; }

// Removes a file that may be gone already.
void removeFile(const std::string& path) {
    std::error_code error;
    fs::remove(path, error);
    if (error) throw Error(path + ": cannot remove: " + error.message());
}

std::vector<std::string> namesIn(const std::string& directory) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
        names.push_back(entry->path().filename().string());
    if (error) throw Error(directory + ": cannot read: " + error.message());
    std::sort(names.begin(), names.end());
    return names;
}

// Whether a manifest's formats, "usda" or "usda:curves", are of this one.
bool isAsked(const Format& format, const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name.substr(0, name.find(':')) == format.name; });
}

bool isPart(const std::string& name) { return name.size() > 5 && name.compare(name.size() - 5, 5, ".part") == 0; }

// Whether a file name is one that the format gives the item at some frame: "water.0012.ply", "waterFrame12.mcx".
bool isFrameFile(const std::string& name, const std::string& item, const Format& format, double fps) {
    const std::string stem = fileStem(item), extension = format.extension;
    if (name.size() <= stem.size() + extension.size() || name.compare(0, stem.size(), stem) != 0) return false;
    std::string digits;
    for (size_t i = stem.size(); i < name.size() - extension.size(); ++i)
        if ((name[i] >= '0' && name[i] <= '9') || name[i] == '-') digits += name[i];
    if (digits.empty() || digits.size() > 9) return false;
    return name == format.fileName(stem, {std::atoi(digits.c_str()), fps});
}

// Points of a body and a mesh of the same name may both go to one format.
std::string stemOf(const FileRecord& file, const Format& format) {
    return fileStem(file.item) + (file.content == Content::points && format.meshes ? "Points" : "");
}
std::string frameFileName(const FileRecord& file, const Format& format, FileTime time) {
    return format.fileName(stemOf(file, format), time);
}
// Of the file that holds all frames.
std::string reelName(const FileRecord& file, const Format& format) { return stemOf(file, format) + format.extension; }
bool isOneOf(const FileRecord& reel, const FileRecord& file) {
    return reel.format == file.format && reel.content == file.content && reel.item == file.item;
}

std::string toRange(const Manifest& manifest) {
    return manifest.frames.empty() ? "it is empty"
                                   : "it has " + std::to_string(manifest.frames.front().number) + " to " +
                                         std::to_string(manifest.frames.back().number);
}

}  // namespace

// ---- writing ----------------------------------------------------------------------------------------------------

CacheWriter::CacheWriter(std::string directory, CacheSettings settings, Begun)
    : directory_(std::move(directory)), settings_(std::move(settings)) {
    if (!(settings_.fps > 0)) throw Error(directory_ + ": frames per second must be above 0");
    int nCaches = 0;
    for (const Choice& choice : choicesOf(settings_.formats)) nCaches += isNCache(choice.format->name);
    if (nCaches > 1) throw Error(directory_ + ": mcx and mcc share one description file; choose one of them");

    std::error_code error;
    fs::create_directories(directory_, error);
    if (error) throw Error(directory_ + ": cannot make this folder: " + error.message());
    if (!fs::is_directory(directory_, error))
        throw Error(directory_ + ": cannot make this folder: a file has its name");

    manifest_.toolVersion = settings_.toolVersion;
    manifest_.scenePath = settings_.scenePath;
    manifest_.fps = settings_.fps;
    manifest_.startFrame = settings_.startFrame;
    manifest_.formats = settings_.formats;
    manifest_.sceneHash = settings_.sceneHash;
    manifest_.parametersHash = settings_.parametersHash;
    manifest_.assignments = settings_.assignments;
    manifest_.parameters = settings_.parameters;
    manifest_.branch = settings_.branch;
    manifest_.parent = settings_.parent;
    manifest_.branchFrame = settings_.branchFrame;
}

CacheWriter::CacheWriter(std::string directory, CacheSettings settings)
    : CacheWriter(std::move(directory), std::move(settings), Begun{}) {
    const std::string path = inFolder(directory_, kManifest);
    if (fs::exists(path)) {
        const Manifest fresh = manifest_;
        try {
            manifest_ = decodeManifest(readFile(path), path);
        } catch (const Error&) {
            // Not ours or damaged: there is nothing it could tell us to remove.
        }
        drop(INT_MIN);
        manifest_ = fresh;
    }
    for (const std::string& name : namesIn(directory_))
        if (isPart(name)) removeFile(inFolder(directory_, name));
    writeManifest();
}

CacheWriter CacheWriter::resume(std::string directory, CacheSettings settings, int lastFrame) {
    const std::string path = inFolder(directory, kManifest);
    if (!fs::exists(path)) return CacheWriter(std::move(directory), std::move(settings));

    CacheWriter writer(std::move(directory), std::move(settings), Begun{});
    const Manifest found = decodeManifest(readFile(path), path);
    const auto demand = [&](bool same, const char* what) {
        if (!same) throw Error(path + ": was made with another " + what + "; run without --resume to begin anew");
    };
    demand(found.fps == writer.settings_.fps, "frame rate");
    demand(found.startFrame == writer.settings_.startFrame, "start frame");
    demand(found.formats == writer.settings_.formats, "choice of formats");
    demand(found.parametersHash == writer.settings_.parametersHash, "set of parameters");
    const std::string toolVersion = writer.manifest_.toolVersion, scenePath = writer.manifest_.scenePath;
    writer.manifest_ = found;
    writer.manifest_.toolVersion = toolVersion;
    writer.manifest_.scenePath = scenePath;
    writer.unpack();
    writer.drop(lastFrame);
    return writer;
}

void CacheWriter::writeManifest() const { writeFile(inFolder(directory_, kManifest), encodeManifest(manifest_)); }

void CacheWriter::writeDescription(const std::string& body) const {
    writeFile(inFolder(directory_, fileStem(body) + ".xml"), encodeNCacheDescription(descriptions_.at(body)));
}

// The description of a body's nCache, begun where there is none.
NCacheDescription& CacheWriter::described(const std::string& body, const std::string& format) {
    const auto [entry, begun] = descriptions_.try_emplace(body);
    if (begun) {
        entry->second.bits = bitsOf(format);
        entry->second.ticksPerFrame = ticksPerFrame(settings_.fps);
        entry->second.extra = {settings_.scenePath, settings_.toolVersion};
    }
    return entry->second;
}

// Takes up a file that is to be listed; all channels are known once there are particles.
void CacheWriter::describe(const FileRecord& file, const NCacheSample& channels) {
    NCacheDescription& description = described(file.item, file.format);
    if (hasParticleChannels(description) && channels.ticks >= description.startTicks)
        description.extendTo(channels.ticks);
    else
        description.include(channels);
}

void CacheWriter::write(int frameNumber, const Frame& frame) { commit(stage(frameNumber, frame, settings_.device)); }

void CacheWriter::writeBehind(WriteBehind& behind, int frameNumber, std::shared_ptr<const Frame> frame) {
    writeBehind(behind, frameNumber, [frame = std::move(frame)] { return frame; });
}

void CacheWriter::writeBehind(WriteBehind& behind, int frameNumber,
                              std::function<std::shared_ptr<const Frame>()> makeFrame) {
    const auto staged = std::make_shared<StagedFrame>();
    // One thread a frame, as others are at work on other frames: on one file they would only wait for each other.
    behind.add([this, staged, frameNumber,
                makeFrame = std::move(makeFrame)] { *staged = stage(frameNumber, *makeFrame(), Device::cpu(1)); },
               [this, staged] { commit(std::move(*staged)); });
}

StagedFrame CacheWriter::stage(int frameNumber, const Frame& frame, const Device& device) const {
    StagedFrame staged;
    FrameRecord& record = staged.record;
    record.number = frameNumber;
    record.time = frame.time;
    record.particles = static_cast<int64_t>(frame.points.count());
    record.stateHash = frame.stateHash;
    record.stats = frame.stats;
    record.rigids = frame.rigids;

    const FileTime time{frameNumber, settings_.fps};
    std::set<std::string> taken;
    const auto put = [&](const Format& format, Content content, const std::string& item, const Frame& part) {
        FileRecord file{"", format.name, content, item, {}};
        file.name = frameFileName(file, format, time);
        const std::string path = inFolder(directory_, file.name);
        if (!taken.insert(file.name).second)
            throw Error(path + ": two bodies, meshes or knits would share this file; rename \"" + item + "\"");
        // A name of its own: the same frame may be staged twice before either is committed.
        staged.files.push_back(std::make_unique<WholeFile>(path, path + "." + std::to_string((*staged_)++) + ".part"));
        file.receipt = staged.files.back()->append(format.encode(part, time, device), device);
        record.files.push_back(std::move(file));
    };
    for (const Choice& choice : choicesOf(settings_.formats)) {
        const Format& format = *choice.format;
        for (int i = 0; choice.points && i < static_cast<int>(frame.bodies.size()); ++i) {
            const std::string& body = frame.bodies[static_cast<size_t>(i)].name;
            // A frame that is one body's points alone need not be taken apart.
            const bool whole = frame.bodies.size() == 1 && frame.meshes.empty() && frame.curves.empty();
            const Frame taken = whole ? Frame() : onlyBody(frame, i);
            const Frame& part = whole ? frame : taken;
            put(format, Content::points, body, part);
            if (isNCache(format.name))
                staged.channels.push_back(nCacheChannels(part, frameNumber * ticksPerFrame(settings_.fps)));
        }
        for (int i = 0; choice.meshes && i < static_cast<int>(frame.meshes.size()); ++i)
            if (!format.closedOnly || isClosed(frame.meshes[static_cast<size_t>(i)]))
                put(format, Content::mesh, frame.meshes[static_cast<size_t>(i)].name, onlyMesh(frame, i));
        for (int i = 0; choice.curves && i < static_cast<int>(frame.curves.size()); ++i)
            put(format, Content::curves, frame.curves[static_cast<size_t>(i)].name, onlyCurves(frame, i));
    }

    staged.metersPerUnit = frame.metersPerUnit;
    staged.bodies = frame.bodies;
    for (const Mesh& mesh : frame.meshes) staged.meshes.push_back({mesh.name, mesh.color, mesh.opacity, mesh.kind});
    const auto list = [&](Content content, const std::vector<Attribute>& attributes) {
        for (const Attribute& attribute : attributes)
            staged.attributes.push_back({content, attribute.name, typeName(attribute), nameOf(attribute.meaning)});
    };
    list(Content::points, attributesOf(frame.points));
    for (const Mesh& mesh : frame.meshes) list(Content::mesh, attributesOf(mesh));
    for (const Curves& curves : frame.curves) list(Content::curves, attributesOf(curves));
    return staged;
}

void CacheWriter::commit(StagedFrame staged) {
    const int frameNumber = staged.record.number;
    const auto numbered = [&](const FrameRecord& record) { return record.number == frameNumber; };
    if (manifest_.find(frameNumber)) {
        // Written again: it is not listed while its files change.
        manifest_.frames.erase(std::find_if(manifest_.frames.begin(), manifest_.frames.end(), numbered));
        writeManifest();
    }
    for (const std::unique_ptr<WholeFile>& file : staged.files) file->finish();
    auto channels = staged.channels.begin();
    for (const FileRecord& file : staged.record.files)
        if (isNCache(file.format)) describe(file, *channels++);
    for (const auto& [body, description] : descriptions_) writeDescription(body);

    manifest_.metersPerUnit = staged.metersPerUnit;
    manifest_.bodies = std::move(staged.bodies);
    for (const MeshInfo& mesh : staged.meshes) {
        const auto known = std::find_if(manifest_.meshes.begin(), manifest_.meshes.end(),
                                        [&](const MeshInfo& info) { return info.name == mesh.name; });
        if (known == manifest_.meshes.end())
            manifest_.meshes.push_back(mesh);
        else
            known->color = mesh.color;
    }
    for (const AttributeRecord& attribute : staged.attributes)
        if (std::find(manifest_.attributes.begin(), manifest_.attributes.end(), attribute) ==
            manifest_.attributes.end())
            manifest_.attributes.push_back(attribute);
    const auto place = std::find_if(manifest_.frames.begin(), manifest_.frames.end(),
                                    [&](const FrameRecord& other) { return other.number > frameNumber; });
    manifest_.frames.insert(place, std::move(staged.record));
    writeManifest();
}

// Removes the frames after `afterFrame` from the list, then from the disk, with all that no list names.
void CacheWriter::drop(int afterFrame) {
    std::set<std::string> gone;
    auto& frames = manifest_.frames;
    const auto first =
        std::find_if(frames.begin(), frames.end(), [&](const FrameRecord& f) { return f.number > afterFrame; });
    for (auto frame = first; frame != frames.end(); ++frame)
        for (const FileRecord& file : frame->files) gone.insert(file.name);
    frames.erase(first, frames.end());
    if (frames.empty()) {
        for (const FileRecord& file : manifest_.files) gone.insert(file.name);
        manifest_.files.clear();
        for (const BodyInfo& body : manifest_.bodies) gone.insert(fileStem(body.name) + ".xml");
    }
    writeManifest();

    std::set<std::string> listed;
    for (const FrameRecord& frame : frames)
        for (const FileRecord& file : frame.files) listed.insert(file.name);
    for (const FileRecord& file : manifest_.files) listed.insert(file.name);
    std::vector<std::string> items;
    for (const BodyInfo& body : manifest_.bodies)
        items.insert(items.end(), {body.name, fileStem(body.name) + "Points"});
    for (const MeshInfo& mesh : manifest_.meshes) items.push_back(mesh.name);
    for (const FrameRecord& frame : frames)
        for (const FileRecord& file : frame.files)
            if (file.content == Content::curves) items.push_back(file.item);
    for (const std::string& name : namesIn(directory_)) {
        if (listed.count(name)) continue;
        bool ours = isPart(name) || gone.count(name);
        for (const std::string& item : items)
            for (const Format& format : formats())
                ours = ours || (isAsked(format, manifest_.formats) && isFrameFile(name, item, format, manifest_.fps));
        if (ours) removeFile(inFolder(directory_, name));
    }

    // The descriptions, from the frames that are left. All channels are known once there are particles.
    descriptions_.clear();
    for (const FrameRecord& frame : frames)
        for (const FileRecord& file : frame.files) {
            if (!isNCache(file.format)) continue;
            NCacheDescription& description = described(file.item, file.format);
            if (hasParticleChannels(description)) {
                description.extendTo(frame.number * description.ticksPerFrame);
                continue;
            }
            const std::string path = inFolder(directory_, file.name);
            for (NCacheSample& sample : decodeNCache(readFile(path), path)) {
                for (NCacheChannel& channel : sample.channels)
                    channel.interpretation = channel.name.substr(channel.name.rfind('_') + 1);
                description.include(sample);
            }
        }
    for (const auto& [body, description] : descriptions_) writeDescription(body);
}

// Killed anywhere in here, the folder holds either the frames' files or the packed ones, and the list says which.
void CacheWriter::finish() {
    if (!settings_.oneFile) return;
    std::vector<std::string> packed;
    Manifest after = manifest_;
    // What a frame's file is one of: all of the same format, content and item go to one reel.
    std::vector<FileRecord> reels;
    for (const FrameRecord& frame : manifest_.frames)
        for (const FileRecord& file : frame.files)
            if (formatNamed(file.format).begin &&
                std::none_of(reels.begin(), reels.end(), [&](const FileRecord& r) { return isOneOf(r, file); }))
                reels.push_back(file);
    for (FileRecord& reel : reels) {
        const Format& format = formatNamed(reel.format);
        reel.name = reelName(reel, format);
        const std::unique_ptr<Reel> whole = format.begin(inFolder(directory_, reel.name), manifest_.fps);
        for (FrameRecord& frame : after.frames) {
            const auto file = std::find_if(frame.files.begin(), frame.files.end(),
                                           [&](const FileRecord& f) { return isOneOf(reel, f); });
            if (file == frame.files.end()) continue;
            const std::string path = inFolder(directory_, file->name);
            Frame part = format.decode(readFile(path), path);
            part.metersPerUnit = manifest_.metersPerUnit;
            whole->add(part, frame.number);
            packed.push_back(file->name);
            frame.files.erase(file);
        }
        whole->finish();
        reel.receipt = receiptOfFile(inFolder(directory_, reel.name));
        after.files.erase(std::remove_if(after.files.begin(), after.files.end(),
                                         [&](const FileRecord& f) { return f.name == reel.name; }),
                          after.files.end());
        after.files.push_back(reel);
    }
    if (packed.empty()) return;
    manifest_ = std::move(after);
    writeManifest();
    for (auto& [body, description] : descriptions_) {
        description.layout = NCacheLayout::oneFile;
        writeDescription(body);
    }
    for (const std::string& name : packed) removeFile(inFolder(directory_, name));
}

// The reverse of packing, so that a finished cache can be resumed.
void CacheWriter::unpack() {
    if (manifest_.files.empty()) return;
    const std::vector<FileRecord> packed = std::move(manifest_.files);
    manifest_.files.clear();
    for (auto file = packed.rbegin(); file != packed.rend(); ++file) {
        const std::string path = inFolder(directory_, file->name);
        const Format& format = formatNamed(file->format);
        for (FrameRecord& frame : manifest_.frames) {
            const FileTime time{frame.number, manifest_.fps};
            Frame part;
            try {
                part = format.readAt(path, time);
            } catch (const Error&) { continue; }  // what had not begun yet, or was gone
            part.metersPerUnit = manifest_.metersPerUnit;
            part.time = frame.time;
            FileRecord single = *file;
            single.name = frameFileName(single, format, time);
            single.receipt = writeFile(inFolder(directory_, single.name), format.encode(part, time, settings_.device),
                                       settings_.device);
            frame.files.insert(frame.files.begin(), single);
        }
    }
    writeManifest();
    for (const FileRecord& file : packed) removeFile(inFolder(directory_, file.name));
}

// ---- reading ----------------------------------------------------------------------------------------------------

CacheReader::CacheReader(std::string directory) : CacheReader(std::move(directory), 0) {}

CacheReader::CacheReader(std::string directory, int generation) : directory_(std::move(directory)) {
    constexpr int kMostGenerations = 32;  // a manifest that names itself as its parent would go on for ever
    const std::string path = inFolder(directory_, kManifest);
    manifest_ = decodeManifest(readFile(path), path);
    if (manifest_.parent.empty()) return;
    if (generation == kMostGenerations) throw Error(path + ": its branches go round in circles");
    parent_.reset(new CacheReader(inFolder(directory_, manifest_.parent), generation + 1));
}

std::vector<int> CacheReader::frames() const {
    std::vector<int> numbers;
    if (parent_)
        for (const int number : parent_->frames())
            if (number < manifest_.branchFrame) numbers.push_back(number);
    for (const FrameRecord& frame : manifest_.frames) numbers.push_back(frame.number);
    return numbers;
}

Frame CacheReader::at(double frame) const {
    if (!(std::abs(frame) < 1e9)) throw Error(directory_ + ": has no such frame");
    const auto first = static_cast<int>(std::floor(frame));
    const double share = frame - first;
    constexpr double kSlack = 1e-6;  // of a frame: times come as sums of fractions
    if (share < kSlack) return read(first);
    if (share > 1 - kSlack) return read(first + 1);
    return between(read(first), read(first + 1), share);
}

Frame CacheReader::read(int frameNumber) const {
    if (parent_ && frameNumber < manifest_.branchFrame) return parent_->read(frameNumber);
    const FrameRecord* record = manifest_.find(frameNumber);
    if (!record) throw Error(directory_ + ": has no frame " + std::to_string(frameNumber) + "; " + toRange(manifest_));

    // Each body, mesh and knit once, from the first of the formats that holds it.
    std::set<std::pair<Content, std::string>> done;
    Frame parts;
    const auto take = [&](const FileRecord& file, const Frame& part) {
        if (file.content == Content::curves) {
            parts.curves.insert(parts.curves.end(), part.curves.begin(), part.curves.end());
        } else if (file.content == Content::mesh) {
            parts.meshes.push_back(part.meshes.empty() ? Mesh{} : part.meshes[0]);  // some formats know no empty one
            parts.meshes.back().name = file.item;
            for (const MeshInfo& info : manifest_.meshes)
                if (info.name == file.item) {
                    parts.meshes.back().color = info.color;
                    parts.meshes.back().opacity = info.opacity;
                    parts.meshes.back().kind = info.kind;
                }
        } else {
            appendPoints(parts, part);
            if (parts.bodies.back().name.empty()) parts.bodies.back().name = file.item;  // some keep no names
        }
    };
    for (const FileRecord& file : record->files) {
        if (!formatNamed(file.format).decode || !done.insert({file.content, file.item}).second) continue;
        const std::string path = inFolder(directory_, file.name), bytes = readFile(path);
        if (receiptOf(bytes) != file.receipt)
            throw Error(path + ": is " + std::to_string(bytes.size()) + " bytes, not the " +
                        std::to_string(file.receipt.bytes) +
                        " that were written, or was changed; simulate this frame again");
        take(file, formatNamed(file.format).decode(bytes, path));
    }
    for (const FileRecord& file : manifest_.files) {
        if (!done.insert({file.content, file.item}).second) continue;
        const std::string path = inFolder(directory_, file.name);
        take(file, formatNamed(file.format).readAt(path, {frameNumber, manifest_.fps}));
    }

    Frame frame;
    frame.time = record->time;
    frame.metersPerUnit = manifest_.metersPerUnit;
    frame.stateHash = record->stateHash;
    frame.stats = record->stats;
    frame.rigids = record->rigids;
    frame.meshes = std::move(parts.meshes);
    frame.curves = std::move(parts.curves);
    frame.points = std::move(parts.points);
    // The files know bodies by name; the manifest knows all about them.
    frame.bodies = manifest_.bodies;
    std::vector<int> numbers;
    for (const BodyInfo& body : parts.bodies) {
        if (findBody(frame, body.name) < 0) frame.bodies.push_back(body);
        numbers.push_back(findBody(frame, body.name));
    }
    for (int& body : frame.points.bodies) body = numbers[static_cast<size_t>(body)];
    sortById(frame.points);
    const bool hasPoints =
        std::any_of(done.begin(), done.end(), [](const auto& item) { return item.first == Content::points; });
    if (hasPoints && static_cast<int64_t>(frame.points.count()) != record->particles)
        throw Error(directory_ + ": frame " + std::to_string(frameNumber) + " has " +
                    std::to_string(frame.points.count()) + " particles in its files and " +
                    std::to_string(record->particles) + " in the manifest");
    return frame;
}

std::string branchFolder(const std::string& directory, const std::string& branch) {
    if (branch.empty() || fileStem(branch) != branch)
        throw Error("branch \"" + branch + "\": letters, digits, - and _ only");
    return (fs::path(directory) / "branches" / branch).string();
}

std::vector<std::string> branchesOf(const std::string& directory) {
    std::vector<std::string> names;
    const fs::path branches = fs::path(directory) / "branches";
    if (!fs::is_directory(branches)) return names;
    for (const std::string& name : namesIn(branches.string()))
        if (fs::exists(branches / name / kManifest)) names.push_back(name);
    return names;
}

std::vector<std::string> verifyCache(const std::string& directory) {
    std::vector<std::string> problems;
    Manifest manifest;
    std::vector<std::string> present;
    try {
        manifest = CacheReader(directory).manifest();
        present = namesIn(directory);
    } catch (const Error& error) { return {error.what()}; }
    const auto checkFile = [&](const FileRecord& file) {
        const std::string path = inFolder(directory, file.name);
        if (!std::binary_search(present.begin(), present.end(), file.name)) {
            problems.push_back(path + ": is missing");
            return;
        }
        try {
            const Receipt receipt = receiptOfFile(path);
            if (receipt.bytes != file.receipt.bytes)
                problems.push_back(path + ": has " + std::to_string(receipt.bytes) + " bytes, was written with " +
                                   std::to_string(file.receipt.bytes));
            else if (receipt.hash != file.receipt.hash)
                problems.push_back(path + ": was changed: its hash is " + toHex(receipt.hash) + ", was " +
                                   toHex(file.receipt.hash));
        } catch (const Error& error) { problems.push_back(error.what()); }
    };
    std::set<std::string> described;
    const auto describeFile = [&](const FileRecord& file) {
        if (isNCache(file.format)) described.insert(file.item);
    };
    for (size_t i = 0; i < manifest.frames.size(); ++i) {
        for (int gap = i ? manifest.frames[i - 1].number + 1 : manifest.frames[i].number;
             gap < manifest.frames[i].number; ++gap)
            problems.push_back(directory + ": frame " + std::to_string(gap) + " is missing");
        for (const FileRecord& file : manifest.frames[i].files) checkFile(file), describeFile(file);
    }
    for (const FileRecord& file : manifest.files) checkFile(file), describeFile(file);

    // The description follows the data; it must be whole and reach over all frames.
    for (const std::string& body : described) {
        const std::string path = inFolder(directory, fileStem(body) + ".xml");
        try {
            const NCacheDescription description = decodeNCacheDescription(readFile(path), path);
            if (description.endTicks < manifest.frames.back().number * description.ticksPerFrame)
                problems.push_back(path + ": ends before the last frame");
        } catch (const Error& error) { problems.push_back(error.what()); }
    }
    for (const std::string& name : present)
        if (isPart(name)) problems.push_back(inFolder(directory, name) + ": left over from a run that was cut off");
    return problems;
}

}  // namespace purl
