#include "nodes/plugs.h"

#include <maya/MFnAttribute.h>
#include <maya/MFnData.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnMatrixAttribute.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MString.h>

#include "nodes/data.h"
#include "nodes/foamNode.h"

namespace purl {
namespace {

template <class Attribute>
void describeUse(Attribute& make, const PlugAbout& about) {
    const bool out = about.use == PlugUse::out;
    make.setWritable(!out);
    // Stored are values that a user can set or paint; the others come from connections.
    make.setStorable(
        !out && (about.type == PlugType::time || about.type == PlugType::string || about.type == PlugType::doubles));
    make.setReadable(out);
    make.setHidden(about.type == PlugType::state || about.type == PlugType::foam);  // internal to the node
}

template <class Attribute>
MStatus finish(Attribute& make, const MObject& attribute, const PlugAbout& about) {
    describeUse(make, about);
    if (about.use == PlugUse::inArray) {
        make.setArray(true);
        make.setIndexMatters(false);
        make.setDisconnectBehavior(MFnAttribute::kDelete);
    }
    return MPxNode::addAttribute(attribute);
}

MStatus addTyped(MObject& attribute, const PlugAbout& about, MFnData::Type type) {
    MFnTypedAttribute make;
    attribute = make.create(about.name, about.shortName, type);
    return finish(make, attribute, about);
}

MStatus addTyped(MObject& attribute, const PlugAbout& about, const MTypeId& id) {
    MFnTypedAttribute make;
    attribute = make.create(about.name, about.shortName, id);
    return finish(make, attribute, about);
}

// A compound of three unit attributes: nameX, nameY and nameZ.
MStatus addThree(MObject& attribute, const PlugAbout& about, MFnUnitAttribute::Type type) {
    MObject child[3];
    for (int i = 0; i < 3; ++i) {
        const std::string name = about.name + std::string(1, "XYZ"[i]),
                          shortName = about.shortName + std::string(1, "xyz"[i]);
        MFnUnitAttribute make;
        child[i] = make.create(name.c_str(), shortName.c_str(), type);
        describeUse(make, about);
    }
    MFnNumericAttribute make;
    attribute = make.create(about.name, about.shortName, child[0], child[1], child[2]);
    return finish(make, attribute, about);
}

}  // namespace

const char* toString(PlugType type) {
    switch (type) {
        case PlugType::mesh: return "mesh";
        case PlugType::curve: return "nurbsCurve";
        case PlugType::matrix: return "matrix";
        case PlugType::translation: return "distance3";
        case PlugType::rotation: return "angle3";
        case PlugType::time: return "time";
        case PlugType::string: return "string";
        case PlugType::body: return BodyTraits::kName;
        case PlugType::emitter: return EmitterTraits::kName;
        case PlugType::frame: return FrameTraits::kName;
        case PlugType::state: return StateTraits::kName;
        case PlugType::foam: return FoamTraits::kName;
        case PlugType::vectors: return "vectorArray";
        case PlugType::doubles: return "doubleArray";
        case PlugType::ints: return "Int32Array";
        case PlugType::particles: return "arrayAttrs";
        case PlugType::count: return "long";
    }
    return "";
}

std::string textOf(const MPxNode& node, const char* attribute) {
    return MFnDependencyNode(node.thisMObject()).findPlug(attribute, true).asString().asUTF8();
}

void markAsFile(const MObject& attribute) {
    if (!attribute.isNull()) MFnAttribute(attribute).setUsedAsFilename(true);
}

MStringArray archived(const std::vector<std::string>& files) {
    MStringArray all;
    for (const std::string& file : files) all.append(file.c_str());
    return all;
}

MStatus addPlug(MObject& attribute, const PlugAbout& about) {
    switch (about.type) {
        case PlugType::mesh: return addTyped(attribute, about, MFnData::kMesh);
        case PlugType::curve: return addTyped(attribute, about, MFnData::kNurbsCurve);
        case PlugType::string: return addTyped(attribute, about, MFnData::kString);
        case PlugType::vectors: return addTyped(attribute, about, MFnData::kVectorArray);
        case PlugType::doubles: return addTyped(attribute, about, MFnData::kDoubleArray);
        case PlugType::ints: return addTyped(attribute, about, MFnData::kIntArray);
        case PlugType::particles: return addTyped(attribute, about, MFnData::kDynArrayAttrs);
        case PlugType::body: return addTyped(attribute, about, BodyData::dataId());
        case PlugType::emitter: return addTyped(attribute, about, EmitterData::dataId());
        case PlugType::frame: return addTyped(attribute, about, FrameData::dataId());
        case PlugType::state: return addTyped(attribute, about, StateData::dataId());
        case PlugType::foam: return addTyped(attribute, about, FoamData::dataId());
        case PlugType::matrix: {
            MFnMatrixAttribute make;
            attribute = make.create(about.name, about.shortName);
            return finish(make, attribute, about);
        }
        case PlugType::translation: return addThree(attribute, about, MFnUnitAttribute::kDistance);
        case PlugType::rotation: return addThree(attribute, about, MFnUnitAttribute::kAngle);
        case PlugType::time: {
            MFnUnitAttribute make;
            attribute = make.create(about.name, about.shortName, MFnUnitAttribute::kTime);
            return finish(make, attribute, about);
        }
        case PlugType::count: {
            MFnNumericAttribute make;
            attribute = make.create(about.name, about.shortName, MFnNumericData::kInt, 0);
            return finish(make, attribute, about);
        }
    }
    return MS::kInvalidParameter;
}

}  // namespace purl
