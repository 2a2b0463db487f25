#include "app/volumeWatch.h"

#include <fmt/format.h>

#include <cmath>

namespace purl {

void VolumeWatch::add(int number, const Frame& frame) {
    for (const Mesh& mesh : frame.meshes) {
        const double ratio = mesh.volumeRatio;
        if (ratio <= 0 || (ratio >= kMinRatio && ratio <= kMaxRatio)) continue;
        Record& record = records_[mesh.name];
        if (record.frames++ == 0) record.first = number;
        record.last = number;
        if (std::abs(std::log(ratio)) <= std::abs(std::log(record.ratio))) continue;
        record.ratio = ratio;
        record.worst = number;
    }
}

std::vector<std::string> VolumeWatch::warnings() const {
    std::vector<std::string> lines;
    for (const auto& [name, record] : records_)
        lines.push_back(fmt::format(
            "{}: the surface encloses {:.2f} of the liquid's volume at frame {}, and is off by more than 10 % in {} "
            "frame{} from {} to {}; use a smaller particleSpacing or a kernelScale closer to 1.15",
            name, record.ratio, record.worst, record.frames, record.frames == 1 ? "" : "s", record.first, record.last));
    return lines;
}

}  // namespace purl
