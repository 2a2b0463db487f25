// purlCacheSim: simulates a range of frames into a cache folder and puts a purlCache behind the solver that plays it.
//     purlCacheSim -directory cache/pour [-startFrame 1] [-endFrame 120] [-format mcx,ply] [-oneFile]
//                  [-checkpoints 24] [-attach off] [-surfaces off] [-solver purlSolver1] [anything of that solver]
//     With surfaces and foam, as the last of the nodes behind the solver has them: they play from disk, too. -surfaces
//     off: they are made anew of the cached particles, and may still be changed.
//     purlCacheSim -edit -enable off              simulates again, instead of playing the cache; -delete takes it away
//     purlCacheSim -query -directory              also -startFrame -endFrame -format -enable
// purlExport: the frames as they leave, with every surface, in files for other programs; nothing is attached.
//     purlExport -directory out/pour -format abc [-startFrame 1] [-endFrame 120] [-oneFile]
#pragma once
#include "plugin/command.h"

namespace purl {

class CacheCommand : public PurlCommand {
  public:
    static constexpr const char* kName = "purlCacheSim";
    static void* creator() { return new CacheCommand; }
    static MSyntax newSyntax();

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
    static MSyntax newSyntax();

  private:
    const char* name() const override { return kName; }
    void run(const MArgDatabase& arguments) override;
};

}  // namespace purl
