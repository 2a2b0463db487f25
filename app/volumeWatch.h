// Watches whether the surfaces of liquids enclose the volume of their particles.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "solver/frame.h"

namespace purl {

class VolumeWatch {
  public:
    // Outside of this range of enclosed volume over particles' volume a surface has lost, or invented, liquid.
    static constexpr double kLeast = 0.9, kMost = 1.1;

    void add(int number, const Frame& frame);
    // One line for each liquid that was out of the range, with the frames and the worst of them.
    std::vector<std::string> warnings() const;

  private:
    struct Record {
        int frames = 0, first = 0, last = 0, worst = 0;
        double ratio = 1;
    };
    std::map<std::string, Record> records_;
};

}  // namespace purl
