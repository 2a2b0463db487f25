#include "nodes/clothNode.h"

#include <maya/MDoubleArray.h>
#include <maya/MFnDoubleArrayData.h>

#include <algorithm>
#include <sstream>

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"

namespace purl {
namespace {

// A painted map, or empty where there is none.
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

// "3", "3:7" or "vtx[3:7]", as Maya lists components.
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

}  // namespace

MStatus ClothNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outBody_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        Cloth cloth;
        cloth.name = name().asUTF8();
        const ClothNodeParams own = nodeParams_.read(block);
        cloth.params = params_.read(block);
        if (own.preset != ClothPresetChoice::custom)
            cloth.params = withClothPreset(choicesOf(own.preset)[static_cast<size_t>(own.preset)], cloth.params);
        MDataHandle mesh = block.inputValue(inMesh_);
        worldFaces(mesh, cloth.points, cloth.faces);
        if (cloth.faces.empty()) throw Error("mesh has no faces; connect one to inMesh");
        cloth.pins = mapOf(block.inputValue(pins_));
        cloth.stiffnessMap = mapOf(block.inputValue(stiffnessMap_));
        cloth.massMap = mapOf(block.inputValue(massMap_));
        pinListed(own.pinnedVertices, cloth.pins, cloth.points.size());
        auto body = std::make_shared<Scene>();
        body->cloths.push_back(std::move(cloth));
        BodyData::set(block.outputValue(outBody_), body);
        block.setClean(plug);
    });
}

}  // namespace purl
