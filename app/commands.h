// The commands of `purl`: each has its options as plain values and a function that runs it and returns the exit code.
#pragma once
#include <string>
#include <vector>

namespace purl {

constexpr int kDone = 0, kWrongInput = 2, kCancelled = 130;

struct SimOptions {
    std::string scene;
    std::string out;      // empty: out/<scene name>
    std::string frames;   // empty: the scene's playback range
    std::string formats;  // empty: those of the scene's purlCache, or kDefaultFormats
    std::string device;   // empty: what the solver says
    std::string solver;   // needed where the scene has several
    std::string stats;    // a JSON file with times and numbers of every frame
    std::vector<std::string> assignments;
    std::string branch;    // a name: goes on from the cache at frame `from` with the assignments, into a branch of it
    int from = 0;          // the branch's first frame
    int checkpoints = 24;  // every so many frames a whole state is kept; 0: the last only
    int threads = -1;      // below zero: what the solver says
    bool oneFile = false;
    bool resume = false;
    bool yes = false;             // simulates without a question what is beyond the machine
    double progressSeconds = 10;  // between lines of progress within a frame, where stderr is no terminal
    bool quiet = false;
};
int simulate(const SimOptions& options);

struct RenderOptions {
    std::string source;  // a cache folder or a .ma scene
    std::string out;     // folder of the pictures; empty: <cache>/frames, or out/<scene name>/frames
    std::string frames;
    std::string size = "960x540";
    std::string camera;          // empty: the scene's renderable camera, or one that fits
    std::string sky;             // a panorama, .hdr or .exr; empty: a studio
    std::string studio;          // grey, warm or plain; empty: what the scene's purlView says
    std::string format = "png";  // png, exr, or both with a comma; json: the views in numbers
    std::string movie;
    std::string solver;
    std::string stats;                 // a JSON file with the times of every pass
    std::string sheet;                 // a PNG of all pictures, small
    std::string show;                  // what things are coloured by (tint.h); empty: their own colours
    std::string scale;                 // "0-2", what the colours go from and to; empty: what the first picture has
    std::string yarn;                  // tubes, fibres, oneStack or straight; empty: what the scene says
    std::vector<std::string> without;  // passes to leave out
    std::string sort;                  // of quads: cpu or gpu; empty: where it is quicker
    int cascades = 4;                  // shadow maps
    int samples = 1;                   // moments that a picture is the mean of
    double shutter = 0.5;              // frames that it is open for, with more than one sample
    bool points = false;               // particles even where there are meshes
    bool rays = false;                 // liquids by rays through their particles
    bool wire = false;                 // edges of meshes
    bool quiet = false;
};
int renderPictures(const RenderOptions& options);

struct FoamOptions {
    std::string cache, out;
    std::string body;  // empty: every liquid
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
    std::string out;  // with `fix`: the scene with all that can be put right put right
    std::string solver;
    bool fix = false;
};
int examineScene(const DoctorOptions& options);

struct MelOptions {
    std::string script;
    std::string scene;               // opened first; empty: a new one
    std::vector<std::string> paths;  // where scripts and procedures are looked for
    bool windows = false;            // stand-ins for Maya's windows, told at the end
};
int runMel(const MelOptions& options);

struct ConvertOptions {
    std::string cache, out;  // out: a file, by its extension, or a folder: a cache
    std::string formats;     // of a cache; empty: those of the first
    std::string frames;      // of the new one; empty: all there are
    double speed = 1;        // 0.5: slow motion
    double fps = 0;          // of the new one; 0: as it was
    bool oneFile = false, quiet = false;
};
int convert(const ConvertOptions& options);

struct ViewOptions;  // app/view/view.h
int view(const ViewOptions& options);

int printInfo(const std::string& source);
// `rerun`: also simulates up to this frame and compares; below zero: not.
int verify(const std::string& cache, int rerun);
int describeNodes(bool json);

}  // namespace purl
