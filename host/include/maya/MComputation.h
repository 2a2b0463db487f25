// MComputation: a long computation that the user may interrupt.
#pragma once
#include <maya/MString.h>

namespace Autodesk::Maya::OpenMayaHost {

class MComputation {
  public:
    MComputation() = default;
    ~MComputation();
    void beginComputation(bool showProgressBar = false, bool isInterruptable = true, bool useWaitCursor = false);
    bool isInterruptRequested();
    void endComputation();
    void setProgressRange(int min, int max);
    int progressMin() const { return min_; }
    int progressMax() const { return max_; }
    void setProgress(int progress);
    int progress() const { return progress_; }
    void setProgressStatus(const MString& text);

  private:
    bool running_ = false, interruptable_ = false;
    int min_ = 0, max_ = 100, progress_ = 0;
};

}  // namespace Autodesk::Maya::OpenMayaHost
