// Reads particles (Points), meshes (Mesh) and curves (BasisCurves) of USD's text form, placed by the transforms above
// them. References, payloads, sublayers, variants and instances are not followed.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/frame.h"

namespace purl {

class UsdReader {
  public:
    // Throws Error naming `path`, also for binary files.
    UsdReader(std::string text, std::string path);
    ~UsdReader();

    double fps() const;  // time codes per second
    std::string upAxis() const;
    // Time codes of the samples, ascending; one if nothing moves.
    std::vector<double> times() const;
    // Arrays hold their last sample; positions and transforms are interpolated linearly.
    Frame read(double time) const;
    // Lines about what the file has and is not read.
    std::vector<std::string> unread() const;

  private:
    struct Stage;
    std::unique_ptr<Stage> stage_;
};

}  // namespace purl
