// The panel's data and requests as plain values. The panel is used both in Maya and in `purl view` and depends on
// neither; each implements PanelModel.
#pragma once
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "solver/core/displayName.h"

namespace purl {

// A setting of a node, from its `describe`.
struct PanelAttribute {
    std::string name, section, unit, sentence;
    std::string type;                  // float, distance, int, bool, enum, float3, distance3, color or string
    std::string value, defaultValue;   // as typed, in scene units; `defaultValue`: the default
    std::string driver;                // the plug that drives it; driven settings are read-only
    std::vector<std::string> choices;  // enum values
    std::vector<int> choiceIndices;    // of the choices in Maya
    bool startsClosed = false;         // its section is closed at first
    bool initialOnly = false;          // read at the start frame only: a change restarts the simulation
    double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
    double softMin = min, softMax = max;  // slider range
};

enum class PanelKind { solver, fluid, emitter, cloth, knit, softBody, collider, field, output };
constexpr int kPanelKinds = 9;

struct PanelNode {
    std::string name, type;  // "water", "purlFluid"
    PanelKind kind = PanelKind::output;
    std::string owner;  // parent in the tree: an emitter's fluid, a body's solver; empty: none
    std::string sentence;
    std::vector<PanelAttribute> attributes;

    const PanelAttribute* find(const std::string& attribute) const {
        for (const PanelAttribute& row : attributes)
            if (row.name == attribute) return &row;
        return nullptr;
    }
};

struct PanelPhase {
    std::string name;
    double milliseconds = 0;
};

// Statistics of a frame, for the plots.
struct PanelSample {
    int frame = 0;
    double milliseconds = 0;
    double particles = 0;
    double densityError = 0;  // %, mean compression above rest density
    double volumeRatio = 0;   // %, volume enclosed by the liquids' surfaces relative to that of their particles
    double waterMass = 0;     // kg, in particles and fabrics
    double massError = 0;     // %, water unaccounted for, relative to all water ever present
    double maxStrain = 0;     // %, of cloths
    double wetness = 0;       // %, mean saturation of fabrics
    double maxSpeed = 0;      // m/s
};

enum class PanelSeverity { note, warning, error };
struct PanelMessage {
    PanelSeverity severity = PanelSeverity::note;
    std::string text;
};

struct PanelProblem {
    PanelSeverity severity = PanelSeverity::warning;
    std::string node;  // affected node; may be empty
    std::string text;  // what is wrong and why it matters
    std::string fix;   // description of the fix; empty: no automatic fix
};

// A cache on disk; its branches follow it in the list.
struct PanelCache {
    std::string name, folder;
    int depth = 0;  // 0: a root
    int firstFrame = 0, lastFrame = 0;
    std::string changes;  // attributes changed in this branch
};

enum class PanelActivity { idle, simulating, caching };
// Availability of a frame: missing, computed with settings that have changed since, or up to date.
enum class PanelFrame : char { missing, stale, upToDate };

struct PanelState {
    std::string title;
    std::string scenePath;  // file of the scene; empty: never saved
    bool editable = true;   // false while a cache is open
    bool changed = false;   // unsaved changes
    int firstFrame = 1, lastFrame = 1;
    double fps = 24;
    std::vector<PanelFrame> frames;  // one per frame, from firstFrame
    PanelActivity activity = PanelActivity::idle;
    double progress = 0;  // 0 to 1
    std::string progressText;
    double memory = 0;                   // MB used by the process
    std::vector<PanelPhase> phases;      // of the last simulated frame, in step order
    std::vector<PanelSample> samples;    // by frame
    std::vector<PanelMessage> messages;  // newest last
    std::vector<PanelProblem> problems;
    std::vector<PanelCache> caches;
    std::string openCache;  // folder of the open cache; empty: the simulation
    // Changed by edits only.
    std::shared_ptr<const std::vector<PanelNode>> nodes = std::make_shared<std::vector<PanelNode>>();
    long edits = 0;  // incremented when `nodes` changes
};

// All calls return immediately; results appear in a later state.
class PanelModel {
  public:
    virtual ~PanelModel() = default;

    virtual PanelState state() const = 0;

    virtual void set(const std::string& node, const std::string& attribute, const std::string& value) = 0;
    // Simulates all missing frames up to this one.
    virtual void simulateTo(int frame) = 0;
    // Writes all frames to this folder; empty: the scene's cache folder.
    virtual void writeCache(const std::string& folder) = 0;
    virtual void cancel() = 0;
    // Fixes one of the state's problems, identified by its text, since the list may have changed.
    virtual void fix(const PanelProblem& problem) = 0;
    virtual void openCache(const std::string& folder) = 0;
};

}  // namespace purl
