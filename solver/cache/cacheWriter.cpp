#include "solver/cache/cacheWriter.h"

#include <algorithm>
#include <climits>
#include <functional>

#include "solver/cache/attributes.h"
#include "solver/cache/fileNames.h"
#include "solver/cache/frameCheck.h"
#include "solver/cache/frameList.h"
#include "solver/cache/points.h"
#include "solver/cache/stateFolder.h"
#include "solver/core/error.h"
#include "solver/core/machine.h"
#include "solver/core/path.h"

namespace purl {
namespace {

// Without particles, a sample has only the channel "count"; with particles, all channels.
bool hasParticleChannels(const NCacheDescription& description) { return description.channels.size() > 1; }

NCacheBits bitsOf(const std::string& format) { return format == "mcx" ? NCacheBits::mcx : NCacheBits::mcc; }

// Meshes with an inside, for which a signed distance is defined.
bool isClosed(const Mesh& mesh) { return mesh.kind == MeshKind::liquid || mesh.kind == MeshKind::solid; }

bool isOneOf(const FileRecord& packed, const FileRecord& file) {
    return packed.format == file.format && packed.content == file.content && packed.item == file.item;
}

std::vector<FileRecord>::iterator findPart(FrameRecord& frame, const FileRecord& packed) {
    return std::find_if(frame.files.begin(), frame.files.end(),
                        [&](const FileRecord& file) { return isOneOf(packed, file); });
}

// Appends the items of `found` that `all` does not contain.
template <class T, class Known>
void addNew(std::vector<T>& all, const std::vector<T>& found, Known&& isSame) {
    for (const T& item : found)
        if (std::none_of(all.begin(), all.end(), [&](const T& known) { return isSame(known, item); }))
            all.push_back(item);
}

// The scene's path from the folder of the cache; empty if there is none, as between drives.
std::string relativeScene(const std::string& directory, const std::string& scenePath) {
    if (scenePath.empty()) return "";
    return toText(toPath(absolutePath(scenePath)).lexically_relative(toPath(absolutePath(directory))));
}

// A channel that readers need to tell particles apart.
bool isEssential(const std::string& channel) { return channel == "position" || channel == "id" || channel == "body"; }

Frame withChannels(Frame frame, const std::vector<std::string>& channels) {
    Points::channels(frame.points, [&](const char* name, auto& values, bool) {
        if (!isEssential(name) && std::find(channels.begin(), channels.end(), name) == channels.end()) values = {};
    });
    return frame;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
    return text;
}

// The frames that both lists ask for. A list without text is that of the frames themselves.
std::string bothLists(const Manifest& found, const std::string& added) {
    if (added.empty()) return "";
    FrameList all = FrameList::parse(added);
    if (!found.frameList.empty())
        all.add(FrameList::parse(found.frameList));
    else
        for (const FrameRecord& frame : found.frames) all.add(frame.number);
    return all.text();
}

}  // namespace

std::shared_ptr<FolderLock> lockCacheFolder(const std::string& directory) {
    makeFolders(directory);
    return std::make_shared<FolderLock>(directory);
}

std::string channelNames() {
    std::string names;
    const Points points;
    Points::channels(points, [&](const char* name, const auto&, bool) {
        if (!isEssential(name)) names += (names.empty() ? "" : ", ") + std::string(name);
    });
    return names;
}

std::vector<std::string> splitChannels(const std::string& text) {
    std::vector<std::string> names = splitFormats(text);
    for (const std::string& name : names) {
        bool known = isEssential(name);
        const Points points;
        Points::channels(points, [&](const char* channel, const auto&, bool) { known = known || name == channel; });
        if (!known) throw Error("unknown channel \"" + name + "\"; choose from: position, id, " + channelNames());
    }
    return names;
}

void checkSameRun(const Manifest& found, const CacheSettings& settings, const std::string& path) {
    const auto refuse = [&](const std::string& difference) {
        throw Error(path + ": belongs to a different run: " + difference + "; run without --resume to start again");
    };
    const std::string difference = differenceOf(found.run, settings.run);
    if (!difference.empty()) refuse(difference);
    if (found.fps != settings.fps) refuse("it has a different frame rate");
    if (found.formats != settings.formats) refuse("its formats are " + joined(found.formats));
    if (found.channels != settings.channels)
        refuse(found.channels.empty() ? "it has all channels" : "its channels are " + joined(found.channels));
}

CacheWriter::CacheWriter(std::string directory, CacheSettings settings, Begun)
    : directory_(std::move(directory)), settings_(std::move(settings)), list_(directory_) {
    if (!(settings_.fps > 0)) throw Error(directory_ + ": frames per second must be above 0");
    int nCaches = 0;
    for (const Choice& choice : choicesOf(settings_.formats)) nCaches += isNCache(choice.format->name);
    if (nCaches > 1) throw Error(directory_ + ": mcx and mcc share one description file; choose one of them");
    lockFolder();

    settings_.sceneRelative = relativeScene(directory_, settings_.scenePath);
    static_cast<CacheOrigin&>(manifest_) = settings_;
    manifest_.identity = hashOf(settings_.run);
    manifest_.formats = settings_.formats;
    manifest_.channels = settings_.channels;
}

CacheWriter::CacheWriter(std::string directory, CacheSettings settings)
    : CacheWriter(std::move(directory), std::move(settings), Begun{}) {
    begin();
}

CacheWriter::CacheWriter(CacheWriter&&) noexcept = default;

CacheWriter::~CacheWriter() {
    if (!lock_ || !list_.hasJournal() || !list_.isConsistent()) return;
    // For readers that read manifest.json only. If this fails, the frames are still listed in the journal.
    try {
        list_.fold(manifest_);
    } catch (const Error&) {}
}

void CacheWriter::lockFolder() {
    if (lock_) return;
    std::shared_ptr<FolderLock> lock = settings_.lock ? std::move(settings_.lock) : lockCacheFolder(directory_);
    if (list_.hash() && readManifest(directory_).hash != list_.hash())
        throw Error(directory_ + ": was written by another run after this one finished; start this run again");
    note_ = lock->note();
    lock_ = std::move(lock);
}

void CacheWriter::recoverList() {
    if (list_.isConsistent()) return;
    Manifest found = readManifest(directory_).manifest, all = manifest_;
    all.frames = std::move(found.frames);
    all.files = std::move(found.files);
    writeAll(std::move(all));
}

void CacheWriter::writeAll(Manifest all) {
    list_.write(all);
    manifest_ = std::move(all);
    manifest_.frames = {};
}

void CacheWriter::begin() {
    Manifest fresh = manifest_;
    if (hasManifest(directory_))
        drop(readManifestToReplace(directory_), INT_MIN);
    else
        dropStates(directory_, {});
    writeAll(std::move(fresh));
}

CacheWriter CacheWriter::resume(std::string directory, CacheSettings settings, int lastFrame) {
    CacheWriter writer(std::move(directory), std::move(settings), Begun{});
    const std::string path = inFolder(writer.directory_, kManifestName);
    Manifest found;
    if (hasManifest(writer.directory_)) found = readManifest(writer.directory_).manifest;
    if (found.frames.empty()) {
        // This also happens if a run was killed while it replaced another cache.
        writer.begin();
        return writer;
    }
    checkSameRun(found, writer.settings_, path);
    found.scenePath = writer.manifest_.scenePath;
    found.sceneRelative = writer.manifest_.sceneRelative;
    found.frameList = bothLists(found, writer.manifest_.frameList);
    writer.drop(std::move(found), lastFrame);
    return writer;
}

CacheWriter CacheWriter::join(std::string directory, CacheSettings settings) {
    return resume(std::move(directory), std::move(settings), INT_MAX);
}

CacheWriter CacheWriter::repair(std::string directory) {
    const Manifest found = readManifest(directory).manifest;
    CacheSettings settings{found};
    settings.formats = found.formats;
    settings.channels = found.channels;
    CacheWriter writer(std::move(directory), std::move(settings), Begun{});
    writer.writeAll(found);
    return writer;
}

std::vector<std::string> CacheWriter::restoreFiles(int frameNumber, const Frame& frame) {
    const FrameRecord record = list_.frame(frameNumber);
    if (record.stateHash != frame.stateHash)
        throw Error(directory_ + ": frame " + std::to_string(frameNumber) +
                    " gives a different result when simulated again; it was not replaced");
    const StagedFrame staged = stage(frameNumber, frame, settings_.device);
    std::vector<AtomicFile*> restored;
    std::vector<std::string> names;
    for (const FileRecord& file : record.files) {
        const std::string path = inFolder(directory_, file.name);
        try {
            checkFile(path, file.receipt);
            continue;
        } catch (const Error&) {}
        const auto again = std::find_if(staged.record.files.begin(), staged.record.files.end(),
                                        [&](const FileRecord& other) { return other.name == file.name; });
        if (again == staged.record.files.end() || !(again->receipt == file.receipt))
            throw Error(path + ": gets a different content when it is written again; it was not replaced");
        restored.push_back(staged.files[static_cast<size_t>(again - staged.record.files.begin())].get());
        names.push_back(file.name);
    }
    for (AtomicFile* file : restored) file->finish(FolderSync::later);
    syncFolder(directory_);
    return names;
}

void CacheWriter::tidy() {
    Manifest all = list_.all(manifest_);
    drop(std::move(all), INT_MAX);
}

void CacheWriter::write(int frameNumber, const Frame& frame) { commit(stage(frameNumber, frame, settings_.device)); }

void CacheWriter::writeBehind(WriteBehind& behind, int frameNumber, std::shared_ptr<const Frame> frame) {
    writeBehind(behind, frameNumber, [frame = std::move(frame)] { return frame; });
}

void CacheWriter::writeBehind(WriteBehind& behind, int frameNumber,
                              std::function<std::shared_ptr<const Frame>()> makeFrame) {
    const auto staged = std::make_shared<StagedFrame>();
    // One thread per frame: the frames are already processed in parallel.
    behind.add([this, staged, frameNumber,
                makeFrame = std::move(makeFrame)] { *staged = stage(frameNumber, *makeFrame(), Device::cpu(1)); },
               [this, staged] { commit(std::move(*staged)); });
}

StagedFrame CacheWriter::stage(int frameNumber, const Frame& given, const Device& device) const {
    checkFinite(given, frameNumber);
    const bool all = settings_.channels.empty();
    const Frame chosen = all ? Frame() : withChannels(given, settings_.channels);
    const Frame& frame = all ? given : chosen;
    StagedFrame staged;
    FrameRecord& record = staged.record;
    record.number = frameNumber;
    record.time = frame.time;
    record.particles = static_cast<int64_t>(frame.points.count());
    record.stateHash = frame.stateHash;
    record.machine = machineName();
    record.version = toolVersion();
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
        // A unique temporary name: the same frame may be staged twice before either is committed.
        staged.files.push_back(std::make_unique<AtomicFile>(path, path + "." + std::to_string((*staged_)++) + ".part"));
        file.receipt = staged.files.back()->append(format.encode(part, time, device), device);
        record.files.push_back(std::move(file));
    };
    for (const Choice& choice : choicesOf(settings_.formats)) {
        const Format& format = *choice.format;
        for (int i = 0; choice.points && i < static_cast<int>(frame.bodies.size()); ++i) {
            const std::string& body = frame.bodies[i].name;
            // Avoid the copy if the frame contains only the points of one body.
            const bool whole = frame.bodies.size() == 1 && frame.meshes.empty() && frame.curves.empty();
            const Frame taken = whole ? Frame() : onlyBody(frame, i);
            const Frame& part = whole ? frame : taken;
            put(format, Content::points, body, part);
            if (isNCache(format.name))
                staged.channels.push_back(nCacheChannels(part, frameNumber * ticksPerFrame(settings_.fps)));
        }
        for (int i = 0; choice.meshes && i < static_cast<int>(frame.meshes.size()); ++i)
            if (!format.closedOnly || isClosed(frame.meshes[i]))
                put(format, Content::mesh, frame.meshes[i].name, onlyMesh(frame, i));
        for (int i = 0; choice.curves && i < static_cast<int>(frame.curves.size()); ++i)
            put(format, Content::curves, frame.curves[i].name, onlyCurves(frame, i));
    }

    CacheItems& items = staged.items;
    items.metersPerUnit = frame.metersPerUnit;
    items.bodies = frame.bodies;
    for (const Mesh& mesh : frame.meshes) items.meshes.push_back({mesh.name, mesh.color, mesh.opacity, mesh.kind});
    for (const Curves& curves : frame.curves) items.knits.push_back(curves.name);
    const auto list = [&](Content content, const std::vector<Attribute>& attributes) {
        for (const Attribute& attribute : attributes)
            items.attributes.push_back({content, attribute.name, typeName(attribute), nameOf(attribute.meaning)});
    };
    list(Content::points, attributesOf(frame.points));
    for (const Mesh& mesh : frame.meshes) list(Content::mesh, attributesOf(mesh));
    for (const Curves& curves : frame.curves) list(Content::curves, attributesOf(curves));
    return staged;
}

void CacheWriter::takeItems(CacheItems items) {
    manifest_.metersPerUnit = items.metersPerUnit;
    manifest_.bodies = std::move(items.bodies);
    addNew(manifest_.meshes, items.meshes, [](const MeshInfo& a, const MeshInfo& b) { return a.name == b.name; });
    for (const MeshInfo& mesh : items.meshes)
        for (MeshInfo& known : manifest_.meshes)
            if (known.name == mesh.name) known.color = mesh.color;
    addNew(manifest_.attributes, items.attributes, std::equal_to<AttributeRecord>());
    addNew(manifest_.knits, items.knits, std::equal_to<std::string>());
}

void CacheWriter::commit(StagedFrame staged) {
    lockFolder();
    recoverList();
    const int number = staged.record.number;
    std::set<std::string> replaced;
    if (!manifest_.files.empty()) {
        Manifest all = list_.all(manifest_);
        const std::vector<std::string> packed = unpack(all);
        writeAll(std::move(all));
        for (const std::string& name : packed) removeFile(inFolder(directory_, name));
    }
    if (list_.has(number)) {
        // The frame is being replaced: remove its state if it no longer matches, and unlist it while its files change.
        const FrameRecord old = list_.frame(number);
        for (const FileRecord& file : old.files) replaced.insert(file.name);
        if (old.stateHash != staged.record.stateHash) dropState(directory_, number);
        list_.remove(manifest_, number);
    }
    // Files get their final names before the frame is listed. List the items first, so that if the run is killed in
    // between, the next one recognises the files as ours by their names.
    const bool named = CacheFileNames(manifest_).hasAllOf(staged.items);
    takeItems(std::move(staged.items));
    if (!named) list_.fold(manifest_);
    for (const std::unique_ptr<AtomicFile>& file : staged.files) file->finish(FolderSync::later);
    auto channels = staged.channels.begin();
    for (const FileRecord& file : staged.record.files) {
        replaced.erase(file.name);
        if (!isNCache(file.format)) continue;
        // Once there are particles, all channels are known.
        NCacheDescription& description = described(file);
        if (hasParticleChannels(description) && channels->ticks >= description.startTicks)
            description.extendTo(channels->ticks);
        else
            description.include(*channels);
        ++channels;
    }
    writeDescriptions();
    syncFolder(directory_);

    list_.list(manifest_, staged.record);
    for (const std::string& name : replaced) removeFile(inFolder(directory_, name));
}

void CacheWriter::finish() {
    if (!lock_) return;
    recoverList();
    if (settings_.oneFile) pack();
    if (list_.hasJournal()) list_.fold(manifest_);
    lock_.reset();
}

// ---- removing frames and the remains of killed runs --------------------------------------------------------------

// Removes the frames after `afterFrame` from the list, then deletes their files and all other unlisted files of ours.
void CacheWriter::drop(Manifest all, int afterFrame) {
    std::set<std::string> dropped;
    // The manifest may have been edited: delete only files with names that a writer would use.
    const auto take = [&](const FileRecord& file, auto&& nameOf) {
        for (const Format& format : formats())
            if (format.name == file.format && nameOf(format) == file.name) dropped.insert(file.name);
    };
    auto& frames = all.frames;
    const auto first = std::upper_bound(frames.begin(), frames.end(), afterFrame,
                                        [](int number, const FrameRecord& frame) { return number < frame.number; });
    for (auto frame = first; frame != frames.end(); ++frame)
        for (const FileRecord& file : frame->files)
            take(file, [&](const Format& format) { return frameFileName(file, format, {frame->number, all.fps}); });
    const bool some = first != frames.end();
    frames.erase(first, frames.end());
    dropStates(directory_, all);
    if (frames.empty()) {
        for (const FileRecord& file : all.files)
            take(file, [&](const Format& format) { return packedFileName(file, format); });
        all.files.clear();
    } else if (some && !all.files.empty()) {
        for (const std::string& name : unpack(all)) dropped.insert(name);
    }
    list_.write(all);
    removeUnlisted(all, dropped);
    rebuildDescriptions(all);
    writeDescriptions();
    manifest_ = std::move(all);
    manifest_.frames = {};
}

void CacheWriter::removeUnlisted(const Manifest& all, const std::set<std::string>& dropped) const {
    std::set<std::string> listed;
    const auto list = [&](const FileRecord& file) {
        listed.insert(file.name);
        if (isNCache(file.format)) listed.insert(descriptionName(file.item));
    };
    for (const FrameRecord& frame : all.frames)
        for (const FileRecord& file : frame.files) list(file);
    for (const FileRecord& file : all.files) list(file);
    const CacheFileNames ours(all);
    for (const std::string& name : namesIn(directory_))
        if (!listed.count(name) && (dropped.count(name) || ours.has(name))) removeFile(inFolder(directory_, name));
}

// ---- all frames in one file --------------------------------------------------------------------------------------

// Crash-safe: at any moment the list refers either to the files of single frames or to the packed files, all complete.
void CacheWriter::pack() {
    // Files of the same format, content and item are packed into one.
    std::vector<PackedFile> files;
    Manifest all = list_.all(manifest_);
    for (const FrameRecord& frame : all.frames)
        for (const FileRecord& file : frame.files)
            if (formatNamed(file.format).begin &&
                std::none_of(files.begin(), files.end(), [&](const FileRecord& f) { return isOneOf(f, file); }))
                files.push_back({file, {}});
    if (files.empty()) return;
    // If some frames are packed already, unpack them, otherwise the new packed file would replace them.
    std::vector<std::string> gone;
    if (!all.files.empty()) gone = unpack(all);
    for (PackedFile& packed : files) {
        const Format& format = formatNamed(packed.format);
        packed.name = packedFileName(packed, format);
        const std::string target = inFolder(directory_, packed.name);
        const std::unique_ptr<Reel> reel = format.begin(target, manifest_.fps);
        for (FrameRecord& frame : all.frames) {
            const auto file = findPart(frame, packed);
            if (file == frame.files.end()) {
                packed.lacks.push_back(frame.number);
                continue;
            }
            const std::string path = inFolder(directory_, file->name);
            Frame part = format.decode(readFile(path, file->receipt), path);
            part.metersPerUnit = manifest_.metersPerUnit;
            reel->add(part, frame.number);
            gone.push_back(file->name);
            frame.files.erase(file);
        }
        reel->finish();
        packed.receipt = receiptOfFile(target);
        all.files.push_back(packed);
        gone.erase(std::remove(gone.begin(), gone.end(), packed.name), gone.end());
    }
    writeAll(std::move(all));
    for (auto& [body, description] : descriptions_) description.layout = NCacheLayout::oneFile;
    writeDescriptions();
    for (const std::string& name : gone) removeFile(inFolder(directory_, name));
}

std::vector<std::string> CacheWriter::unpack(Manifest& all) {
    // Check all files before changing anything.
    for (const PackedFile& file : all.files) {
        const std::string path = inFolder(directory_, file.name);
        checkFile(path, file.receipt);
    }
    std::vector<std::string> packed;
    for (auto file = all.files.rbegin(); file != all.files.rend(); ++file) {
        const std::string path = inFolder(directory_, file->name);
        const Format& format = formatNamed(file->format);
        if (!format.readAt) throw Error(path + ": a " + file->format + " file cannot contain several frames");
        for (FrameRecord& frame : all.frames) {
            if (std::binary_search(file->lacks.begin(), file->lacks.end(), frame.number)) continue;
            if (findPart(frame, *file) != frame.files.end()) continue;
            const FileTime time{frame.number, all.fps};
            Frame part = format.readAt(path, time);
            part.metersPerUnit = all.metersPerUnit;
            part.time = frame.time;
            FileRecord single = *file;
            single.name = frameFileName(single, format, time);
            single.receipt = writeFile(inFolder(directory_, single.name), format.encode(part, time, settings_.device),
                                       settings_.device, FolderSync::later);
            frame.files.insert(frame.files.begin(), single);
        }
        packed.push_back(file->name);
    }
    syncFolder(directory_);
    all.files.clear();
    for (auto& [body, description] : descriptions_) description.layout = NCacheLayout::oneFilePerFrame;
    return packed;
}

// ---- nCache descriptions -----------------------------------------------------------------------------------------

// The description of a body's nCache; created if there is none yet.
NCacheDescription& CacheWriter::described(const FileRecord& file) {
    const auto [entry, begun] = descriptions_.try_emplace(file.item);
    if (begun) {
        entry->second.bits = bitsOf(file.format);
        entry->second.ticksPerFrame = ticksPerFrame(settings_.fps);
        entry->second.extra = {settings_.scenePath, settings_.run.toolVersion};
    }
    return entry->second;
}

void CacheWriter::writeDescriptions() const {
    for (const auto& [body, description] : descriptions_)
        writeFile(inFolder(directory_, descriptionName(body)), encodeWithHash(description), FolderSync::later);
}

// Rebuilds them from the listed frames. Once there are particles, all channels are known.
void CacheWriter::rebuildDescriptions(const Manifest& all) {
    descriptions_.clear();
    const auto include = [](NCacheDescription& description, NCacheSample sample) {
        for (NCacheChannel& channel : sample.channels)
            channel.interpretation = channel.name.substr(channel.name.rfind('_') + 1);
        description.include(sample);
    };
    for (const FrameRecord& frame : all.frames)
        for (const FileRecord& file : frame.files) {
            if (!isNCache(file.format)) continue;
            NCacheDescription& description = described(file);
            const std::string path = inFolder(directory_, file.name);
            if (hasParticleChannels(description))
                description.extendTo(frame.number * description.ticksPerFrame);
            else
                for (NCacheSample& sample : decodeNCache(readFile(path, file.receipt), path))
                    include(description, std::move(sample));
        }
    for (const PackedFile& file : all.files) {
        if (!isNCache(file.format)) continue;
        NCacheDescription& description = described(file);
        description.layout = NCacheLayout::oneFile;
        const std::string path = inFolder(directory_, file.name);
        checkFile(path, file.receipt);
        for (const FrameRecord& frame : all.frames) {
            const int ticks = frame.number * description.ticksPerFrame;
            if (std::binary_search(file.lacks.begin(), file.lacks.end(), frame.number)) continue;
            if (hasParticleChannels(description))
                description.extendTo(ticks);
            else
                include(description, readNCacheSample(path, ticks));
        }
    }
}

}  // namespace purl
