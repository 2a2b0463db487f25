// purlInitialState: sets the simulation's initial state to the current one, kept in a file, or clears it.
//     purlInitialState -set rest.purl [-solver purlSolver1];   purlInitialState -clear;   purlInitialState -query
// purlBranch: continues the cache from a frame with the current attribute values, beside the existing frames.
//     purlBranch -name honey -fromFrame 48 [-endFrame 120]
//     purlBranch -query -list                      the whole branch tree: honey, honey/thicker
//     purlBranch -edit -name honey/thicker         plays that branch; -root: the root cache
#pragma once
#include "plugin/command.h"

namespace purl {

class InitialStateCommand : public PurlCommand {
  public:
    static constexpr const char* kName = "purlInitialState";
    static void* creator() { return new InitialStateCommand; }
    static CommandAbout about();

  private:
    const char* name() const override { return kName; }
    void run(const MArgDatabase& arguments) override;
};

class BranchCommand : public PurlCommand {
  public:
    static constexpr const char* kName = "purlBranch";
    static void* creator() { return new BranchCommand; }
    static CommandAbout about();

  private:
    const char* name() const override { return kName; }
    void run(const MArgDatabase& arguments) override;
};

}  // namespace purl
