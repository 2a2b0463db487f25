#include "nodes/pins.h"

#include <maya/MDoubleArray.h>
#include <maya/MFnDoubleArrayData.h>

#include <algorithm>
#include <sstream>

#include "solver/core/error.h"

namespace purl {

std::vector<float> mapOf(MDataHandle handle) {
    std::vector<float> map;
    const MObject data = handle.data();
    if (data.isNull()) return map;
    MStatus status;
    MFnDoubleArrayData from(data, &status);
    if (!status) return map;
    const MDoubleArray values = from.array();
    for (unsigned i = 0; i < values.length(); ++i) map.push_back(static_cast<float>(values[i]));
    return map;
}

void pinListed(const std::string& list, std::vector<float>& pins, size_t count) {
    std::istringstream words(list);
    for (std::string word; words >> word;) {
        const size_t open = word.find('[');
        std::string range = open == std::string::npos ? word : word.substr(open + 1);
        if (!range.empty() && range.back() == ']') range.pop_back();
        std::istringstream numbers(range);
        long first = -1, last = -1;
        char colon = 0;
        numbers >> first;
        last = first;
        if (numbers >> colon) numbers >> last;
        if (first < 0 || last < first || (colon && colon != ':') || !numbers.eof())
            throw Error("pinnedVertices: \"" + word + "\" is no vertex and no range; write 7 or 3:7");
        if (last >= static_cast<long>(count))
            throw Error("pinnedVertices: \"" + word + "\" goes beyond the mesh, which has " + std::to_string(count) +
                        " vertices");
        pins.resize(count);
        std::fill(pins.begin() + first, pins.begin() + last + 1, 1.0f);
    }
}

}  // namespace purl
