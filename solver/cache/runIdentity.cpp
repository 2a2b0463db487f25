#include "solver/cache/runIdentity.h"

#include <algorithm>

#include "solver/core/hash.h"
#include "solver/core/path.h"
#include "solver/core/system.h"

namespace purl {
namespace {

// Key for comparing files. Includes the file name except for the scene, which may be renamed; in a sequence of files
// the name contains the frame number.
std::string keyOf(const InputFile& file) {
    if (file.use == "scene") return file.use;
    return file.use + " " + toText(toPath(file.path).filename());
}

const InputFile* find(const std::vector<InputFile>& files, const std::string& key) {
    const auto found = std::find_if(files.begin(), files.end(), [&](const InputFile& f) { return keyOf(f) == key; });
    return found == files.end() ? nullptr : &*found;
}

// The first element of `some` that `all` does not contain, or null.
const std::string* firstNotIn(const std::vector<std::string>& all, const std::vector<std::string>& some) {
    for (const std::string& each : some)
        if (std::find(all.begin(), all.end(), each) == all.end()) return &each;
    return nullptr;
}

}  // namespace

InputFile inputFileAt(std::string use, std::string path) {
    InputFile file{std::move(use), std::move(path), {}};
    if (const os::Kind kind = os::kindOf(file.path); kind != os::Kind::none && kind != os::Kind::folder)
        file.receipt = receiptOfFile(file.path, kMaxFileBytes);
    return file;
}

std::string toolVersion() { return "purl " PURL_VERSION; }

bool RunIdentity::operator==(const RunIdentity& other) const { return hashOf(*this) == hashOf(other); }

uint64_t hashOf(const RunIdentity& run) {
    Hash hash;
    hash.add(run.toolVersion);
    hash.add(run.solver);
    hash.add(run.inputs.size());
    for (const InputFile& file : run.inputs) {
        hash.add(keyOf(file));
        hash.add(file.receipt.bytes);
        hash.add(file.receipt.hash);
    }
    for (const std::string& assignment : run.assignments) hash.add(assignment);
    hash.add(run.origin);
    return hash.value();
}

uint64_t originOf(const RunIdentity& parent, int branchFrame) {
    Hash hash;
    hash.add(hashOf(parent));
    hash.add(branchFrame);
    return hash.value();
}

std::string differenceOf(const RunIdentity& then, const RunIdentity& now) {
    if (then == now) return "";
    if (then.inputs.empty()) return "it does not record its input files";
    if (then.toolVersion != now.toolVersion)
        return "it was made by " + then.toolVersion + ", this is " + now.toolVersion;
    for (const InputFile& file : now.inputs) {
        const InputFile* before = find(then.inputs, keyOf(file));
        if (!before) return file.path + " was not read then";
        if (before->receipt == file.receipt) continue;
        return file.path + (file.isMissing()      ? " existed then, but does not now"
                            : before->isMissing() ? " did not exist then"
                                                  : " has changed since");
    }
    for (const InputFile& file : then.inputs)
        if (!find(now.inputs, keyOf(file))) return file.path + " was read then";
    if (then.solver != now.solver) return then.solver + " was simulated then, not " + now.solver;
    if (const std::string* added = firstNotIn(then.assignments, now.assignments)) return *added + " was not set then";
    if (const std::string* lost = firstNotIn(now.assignments, then.assignments)) return *lost + " was set then";
    if (then.origin != now.origin) return "it branched from a different cache or at a different frame";
    return "values were set or files were read in a different order then";
}

}  // namespace purl
