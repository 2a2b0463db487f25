// purlInfo: contents and cost of a solver at the current time.
//     purlInfo [-solver purlSolver1]              a few lines of text
//     purlInfo -query -bodies | -particles | -hash | -phases | -milliseconds | -massError | -maxStretch | -solvers
#pragma once
#include "plugin/command.h"

namespace purl {

class InfoCommand : public PurlCommand {
  public:
    static constexpr const char* kName = "purlInfo";
    static void* creator() { return new InfoCommand; }
    static CommandAbout about();

  private:
    const char* name() const override { return kName; }
    void run(const MArgDatabase& arguments) override;
};

}  // namespace purl
