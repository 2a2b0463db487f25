// What the panel shows and asks for, as plain values: it docks in Maya and stands in the window of `purl view` alike,
// and knows of neither. Whoever has a simulation to show is a PanelModel.
#pragma once
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "solver/core/spoken.h"

namespace purl {

// A setting of a node, as `describe` tells of it.
struct PanelAttribute {
    std::string name, section, unit, sentence;
    std::string type;                  // float, distance, int, bool, enum, float3, distance3, color or string
    std::string value, usual;          // as a person types them, in the scene's units; `usual`: the default
    std::string driver;                // the plug that drives it; then it is shown, not edited
    std::vector<std::string> choices;  // of an enum
    bool initialOnly = false;          // read at the start frame only: a new value restarts the simulation
    double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
    double softMin = min, softMax = max;  // a slider's range
};

enum class PanelKind { solver, fluid, emitter, cloth, knit, softBody, collider, field, output };
constexpr int kPanelKinds = 9;

struct PanelNode {
    std::string name, type;  // "water", "purlFluid"
    PanelKind kind = PanelKind::output;
    std::string owner;  // the node that it is shown under: an emitter's fluid, a body's solver; empty: none
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

// The numbers of a frame that plots show.
struct PanelSample {
    int frame = 0;
    double milliseconds = 0;
    double particles = 0;
    double densityError = 0;  // %, mean compression beyond rest
    double volumeRatio = 0;   // %, volume that the liquids' surfaces enclose, of that of their particles
    double waterMass = 0;     // kg, in particles and in fabrics
    double massError = 0;     // %, of the water that was ever there: what is neither there, nor gone, nor came
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
    std::string node;  // whom it concerns; may be empty
    std::string text;  // what is wrong, and why it matters
    std::string fix;   // what a click on it does; empty: nothing can be done from here
};

// A cache on disk, with those that branched off it below it.
struct PanelCache {
    std::string name, folder;
    int depth = 0;  // 0: a root
    int firstFrame = 0, lastFrame = 0;
    std::string changes;  // what was set in it
};

enum class PanelActivity { idle, simulating, caching };
// What is known of a frame: nothing, its picture of values that have changed since, or all.
enum class PanelFrame : char { missing, older, whole };

struct PanelState {
    std::string title;
    bool editable = true;  // a cache is looked at, not edited
    bool changed = false;  // since it was loaded or saved
    int firstFrame = 1, lastFrame = 1;
    double fps = 24;
    std::vector<PanelFrame> frames;  // from firstFrame on
    PanelActivity activity = PanelActivity::idle;
    double progress = 0;  // 0 to 1, of what is under way
    std::string progressText;
    double memory = 0;                   // MB, of the process
    std::vector<PanelPhase> phases;      // of the last frame simulated, in the order of the step
    std::vector<PanelSample> samples;    // by frame
    std::vector<PanelMessage> messages;  // the newest last
    std::vector<PanelProblem> problems;
    std::vector<PanelCache> caches;
    std::string openCache;  // the folder of the one that is looked at; empty: the simulation
    // These change with edits only.
    std::shared_ptr<const std::vector<PanelNode>> nodes = std::make_shared<std::vector<PanelNode>>();
    long edits = 0;  // how often `nodes` changed
};

// All calls return at once; what comes of them shows in a later state.
class PanelModel {
  public:
    virtual ~PanelModel() = default;

    virtual PanelState state() const = 0;

    virtual void set(const std::string& node, const std::string& attribute, const std::string& value) = 0;
    // Simulates every frame up to this one, as far as it is not there.
    virtual void simulateTo(int frame) = 0;
    // All frames, to disk, into this folder; empty: where the scene's own cache goes.
    virtual void writeCache(const std::string& folder) = 0;
    virtual void cancel() = 0;
    // Of the state's problems; the text says which, as the list may have changed since.
    virtual void fix(const PanelProblem& problem) = 0;
    virtual void openCache(const std::string& folder) = 0;
};

}  // namespace purl
