// purlCacheSim: simulates a range of frames into a cache folder and inserts a purlCache after the solver to play it
// back.
//     purlCacheSim -directory cache/pour [-startFrame 1] [-endFrame 120] [-format mcx,ply] [-oneFile]
//                  [-checkpoints 24] [-attach off] [-surfaces off] [-solver purlSolver1] [any node of that solver]
//     Caches the last node of the chain after the solver, including surfaces and foam. With -surfaces off, surfaces are
//     rebuilt from the cached particles and can still be changed.
//     purlCacheSim -edit -enable off              simulates again instead of playing the cache; -delete removes it
//     purlCacheSim -query -directory              also -startFrame -endFrame -format -enable
// purlExport: writes the frames with all surfaces to files for other programs; attaches nothing.
//     purlExport -directory out/pour -format abc [-startFrame 1] [-endFrame 120] [-oneFile]
#pragma once
#include "plugin/command.h"

namespace purl {

class CacheCommand : public PurlCommand {
  public:
    static constexpr const char* kName = "purlCacheSim";
    static void* creator() { return new CacheCommand; }
    static CommandAbout about();

  private:
    const char* name() const override { return kName; }
    void run(const MArgDatabase& arguments) override;
    void query(const MArgDatabase& arguments, const MObject& solver);
    void edit(const MArgDatabase& arguments, const MObject& solver);
    void attach(const MObject& solver, const MString& directory);
    void detach(const MObject& solver);
};

class ExportCommand : public PurlCommand {
  public:
    static constexpr const char* kName = "purlExport";
    static void* creator() { return new ExportCommand; }
    static CommandAbout about();

  private:
    const char* name() const override { return kName; }
    void run(const MArgDatabase& arguments) override;
};

}  // namespace purl
