// The commands of `purl`: for each its options as plain values, and a function that runs it and returns the exit code.
#pragma once
#include <climits>
#include <string>
#include <vector>

#include "app/runReport.h"
#include "app/target.h"

namespace purl {

// Exit codes. kTargetExists: a finished cache or file is in the way.
// kStopped: by SIGTERM or SIGUSR1, the requests of a scheduler; "temporary failure" of sysexits.h.
constexpr int kDone = 0, kWrongInput = 2, kTargetExists = 3, kStopped = 75, kCancelled = 130;
// Whether one of these signals came. A command then ends as if cancelled, and main() returns kStopped.
bool wasAskedToStop();

struct SimOptions {
    std::string scene;
    std::string out;       // empty: out/<scene name>
    std::string frames;    // FrameList; empty: the scene's playback range
    std::string formats;   // empty: the formats of the scene's purlCache, or kDefaultFormats
    std::string channels;  // of particles; empty: those of the scene's purlCache, or all
    std::string device;    // empty: the solver's device
    std::string solver;    // required if the scene has several
    std::string stats;     // JSON file for timings and statistics of every frame
    std::vector<std::string> assignments;
    std::string branch;    // name of a branch that continues the cache from frame `from` with the assignments
    int from = 0;          // the branch's first frame
    int checkpoints = 24;  // interval, in frames, of full state checkpoints; 0: the last frame only
    int threads = -1;      // negative: the solver's setting
    bool oneFile = false;
    bool resume = false;
    Overwrite overwrite;
    bool yes = false;        // do not ask before runs that exceed the machine's memory
    double memoryLimit = 0;  // GB; runs that need more are refused; 0: none
    FarmOptions farm;
    bool quiet = false;
};
int simulate(const SimOptions& options);

struct RenderOptions {
    std::string source;  // a cache folder or a .ma scene
    std::string out;     // image folder; empty: <cache>/frames, or out/<scene name>/frames
    std::string frames;
    std::string size = "960x540";
    std::string camera;          // empty: the scene's renderable camera, or one that frames the contents
    std::string sky;             // environment map, .hdr or .exr; empty: a studio
    std::string studio;          // grey, warm or plain; empty: the setting of the scene's purlView
    std::string format = "png";  // png, exr, or both with a comma; json: the views as data
    std::string movie;
    std::string solver;
    std::string stats;                 // JSON file for the timings of every pass
    std::string sheet;                 // contact sheet (PNG)
    std::string show;                  // quantity to colour by (tint.h); empty: own colours
    std::string scale;                 // value range of the colours, like 0-2; empty: from the first image
    std::string yarn;                  // tubes, fibres, oneStack or straight; empty: the scene's setting
    std::vector<std::string> without;  // passes to skip
    std::string sort;                  // fibre quads on the cpu or gpu; empty: automatic
    int cascades = 4;                  // shadow cascades
    int samples = 1;                   // sub-frames averaged for motion blur
    double shutter = 0.5;              // shutter time in frames, with more than one sample
    bool points = false;               // particles instead of meshes
    bool rays = false;                 // ray-march liquids
    bool wire = false;                 // mesh edges
    std::string scene;                 // empty: that of the cache
    FarmOptions farm;
    bool quiet = false;
};
int renderPictures(const RenderOptions& options);

struct FoamOptions {
    std::string cache, out;
    std::string body;  // empty: every liquid
    Overwrite overwrite;
    std::vector<std::string> assignments;
    int threads = 0;
    bool quiet = false;
};
int addFoam(const FoamOptions& options);

struct EditOptions {
    std::string scene, out;
    std::string solver;
    std::vector<std::string> assignments;
};
int editScene(const EditOptions& options);

struct DoctorOptions {
    std::string scene;
    std::string out;  // with `fix`: the repaired scene
    std::string solver;
    bool fix = false;
};
int examineScene(const DoctorOptions& options);

struct MelOptions {
    std::string script;
    std::string scene;               // opened first; empty: new scene
    std::vector<std::string> paths;  // search path of scripts and procedures
    bool windows = false;            // simulate Maya's UI commands and print the resulting windows
};
int runMel(const MelOptions& options);

struct ConvertOptions {
    std::string cache, out;  // cache: of Purl or another program; out: a file (by extension) or a cache folder
    std::string topology;    // file with the faces of geometry caches; empty: none
    std::string formats;     // of the new cache; empty: those of the source
    std::string channels;    // of its particles; empty: those of the source
    std::string frames;      // of the new cache; empty: all
    Overwrite overwrite;
    double speed = 1;  // 0.5: slow motion
    double fps = 0;    // of the new cache; 0: unchanged
    bool oneFile = false, quiet = false;
};
int convert(const ConvertOptions& options);

struct ViewOptions;  // app/view/view.h
int view(const ViewOptions& options);
int printViewKeys();

int printInfo(const std::string& source);

struct VerifyOptions {
    std::string cache;
    int rerun = -1;       // also re-simulates up to this frame and compares; negative: off
    bool repair = false;  // simulates damaged frames again
};
int verify(const VerifyOptions& options);

struct MeshOptions {
    std::string cache;
    std::string out;      // empty: <cache>/mesh
    std::string frames;   // FrameList; empty: all
    std::string formats;  // empty: those of the source, without the particles
    std::string scene;    // empty: the scene of the cache
    std::vector<std::string> assignments;
    Overwrite overwrite;
    int threads = 0;
    FarmOptions farm;
    bool quiet = false;
};
int makeMeshes(const MeshOptions& options);

struct StatusOptions {
    std::string folder;
    bool json = false;
};
int printStatus(const StatusOptions& options);

struct SheetOptions {
    std::string folder;   // of wedges whose images are rendered
    std::string out;      // PNG; empty: <folder>/sheet.png
    int frame = INT_MIN;  // INT_MIN: the last image of each wedge
    int columns = 0;      // 0: about a square
    int width = 480;      // of a wedge's image, in pixels
    bool movies = false;
    bool quiet = false;
};
int makeSheet(const SheetOptions& options);

struct FarmCommandOptions {
    std::string engine;  // slurm or openjd
    std::string scene;
    std::string out;                  // empty: out/<scene name>
    std::string frames;               // FrameList; empty: the scene's playback range
    std::vector<std::string> wedges;  // node.attribute=VALUE,VALUE
    std::string wedgeFile;            // table of wedges
    std::vector<std::string> assignments;
    std::string solver, formats, meshFormats, size;
    std::string program = "purl";  // on the workers
    bool mesh = false, render = false, movie = false;
    int chunk = 24;
    int cpus = 0;
    double memory = 0;  // GB
    bool submit = false, force = false;
};
int writeFarmJob(const FarmCommandOptions& options);

int describeNodes(bool json);
int describeCommands();  // the page docs/commands.md

}  // namespace purl
