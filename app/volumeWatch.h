// VolumeWatch: monitors whether liquid surfaces enclose the volume of their particles.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "solver/frame.h"

namespace purl {

class VolumeWatch {
  public:
    // Acceptable range of enclosed volume / particle volume; outside it a surface has lost or gained liquid.
    static constexpr double kMinRatio = 0.9, kMaxRatio = 1.1;

    void add(int number, const Frame& frame);
    // One line per liquid that left the range, with the frames and the worst ratio.
    std::vector<std::string> warnings() const;

  private:
    struct Record {
        int frames = 0, first = 0, last = 0, worst = 0;
        double ratio = 1;
    };
    std::map<std::string, Record> records_;
};

}  // namespace purl
