#include "nodes/pins.h"

#include <maya/MDoubleArray.h>
#include <maya/MFnDoubleArrayData.h>

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

std::vector<int> listed(const std::string& attribute, const std::string& list, size_t count) {
    std::vector<int> vertices;
    std::istringstream words(list);
    words.exceptions(std::ios::badbit);  // otherwise running out of memory would silently end the list
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
            throw Error(attribute + ": \"" + word + "\" is neither a vertex nor a range; write 7 or 3:7");
        if (last >= static_cast<long>(count))
            throw Error(attribute + ": \"" + word + "\" is out of range; the mesh has " + std::to_string(count) +
                        " vertices");
        for (long v = first; v <= last; ++v) vertices.push_back(static_cast<int>(v));
    }
    return vertices;
}

void pinListed(const std::string& list, std::vector<float>& pins, size_t count) {
    for (const int v : listed("pinnedVertices", list, count)) {
        pins.resize(count);
        pins[v] = 1;
    }
}

}  // namespace purl
