// purlInitialState: where the simulation begins from: the state at the current time, kept in a file, or nothing again.
//     purlInitialState -set rest.purl [-solver purlSolver1];   purlInitialState -clear;   purlInitialState -query
// purlBranch: the cache goes on otherwise from a frame: with the attributes as they are now, beside the frames it has.
//     purlBranch -name honey -fromFrame 48 [-endFrame 120]
//     purlBranch -query -list                      all of the cache's tree: honey, honey/thicker
//     purlBranch -edit -name honey/thicker         plays that one; -root: the cache that all of them left
#pragma once
#include "plugin/command.h"

namespace purl {

class InitialStateCommand : public PurlCommand {
  public:
    static constexpr const char* kName = "purlInitialState";
    static void* creator() { return new InitialStateCommand; }
    static MSyntax newSyntax();

  private:
    const char* name() const override { return kName; }
    void run(const MArgDatabase& arguments) override;
};

class BranchCommand : public PurlCommand {
  public:
    static constexpr const char* kName = "purlBranch";
    static void* creator() { return new BranchCommand; }
    static MSyntax newSyntax();

  private:
    const char* name() const override { return kName; }
    void run(const MArgDatabase& arguments) override;
};

}  // namespace purl
