// The panel's model in Maya: reads the scene through Maya's API and edits it by MEL commands, so that edits are
// undoable. Main thread only. Built with PURL_MAYA_PANEL; tested on the host, not yet run in Maya.
#pragma once
#include <maya/MObject.h>

#include "nodes/doctor.h"
#include "panel/model.h"

namespace purl {

class MayaPanelModel : public PanelModel {
  public:
    PanelState state() const override;

    void set(const std::string& node, const std::string& attribute, const std::string& value) override;
    void simulateTo(int frame) override;
    void writeCache(const std::string& folder) override;
    void cancel() override;
    void fix(const PanelProblem& problem) override;
    void openCache(const std::string& folder) override;

    // Call periodically: records the statistics of the current frame.
    void watch();

  private:
    void readScene();
    void listProblems(const MObject& solver);
    void recordSample(const MObject& solver, int now);
    void listFrames(const MObject& solver);

    PanelState shown_;
    std::vector<Problem> problems_;
    double balance_ = 0;       // water balance of the first frame; see balanceOf
    std::string listedCache_;  // the cache with the listed branches
};

}  // namespace purl
