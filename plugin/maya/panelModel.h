// The panel's model inside Maya: reads the scene through Maya's API, and changes it by the commands an artist could
// type, so that all of it can be undone. On Maya's main thread only. Built into the plugin with PURL_MAYA_PANEL; tests
// run it on the host, no Maya has yet.
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

    // Call it regularly: takes down the numbers of the frame that Maya shows.
    void watch();

  private:
    void listProblems(const MObject& solver);
    void takeSample(const MObject& solver, int now);
    void listFrames(const MObject& solver);

    PanelState shown_;
    std::vector<Problem> problems_;
    double balance_ = 0;  // of the first frame; see balanceOf
    std::string listed_;  // the cache whose branches are shown
};

}  // namespace purl
