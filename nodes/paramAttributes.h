// Creates Maya attributes from a `describe`, and reads them back into the parameter struct. Lengths (unit "m") become
// distance attributes and are read in Maya's centimetres; the solver node converts them to metres.
#pragma once
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MDistance.h>
#include <maya/MFnEnumAttribute.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MPxNode.h>
#include <maya/MString.h>

#include <charconv>
#include <string>
#include <type_traits>
#include <vector>

#include "nodes/formerValues.h"
#include "nodes/ramp.h"
#include "solver/core/describe.h"
#include "solver/core/displayName.h"

namespace purl {

constexpr double kCentimetersPerMeter = 100;

// The shortest decimal number that reads back as `value`: 0.02, as a user typed it, not 0.0199999996.
inline double asTyped(float value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value);
    double typed = double(value);
    std::from_chars(text, end.ptr, typed);
    return typed;
}

inline bool isLength(const About& about) { return std::string(about.unit) == "m"; }

// Creates the attribute of one described field. The overloads are the supported field types.
class AttributeMaker {
  public:
    MObject make(float value, const About& about) const {
        if (isLength(about)) return makeDistance(about.name, about.shortName, value, about);
        MFnNumericAttribute numeric;
        const MObject attribute = numeric.create(about.name, about.shortName, MFnNumericData::kFloat, value);
        limit(numeric, about, 1);
        return finish(numeric, attribute, about);
    }
    MObject make(int value, const About& about) const {
        MFnNumericAttribute numeric;
        const MObject attribute = numeric.create(about.name, about.shortName, MFnNumericData::kInt, value);
        limit(numeric, about, 1);
        return finish(numeric, attribute, about);
    }
    MObject make(bool value, const About& about) const {
        MFnNumericAttribute numeric;
        return finish(numeric, numeric.create(about.name, about.shortName, MFnNumericData::kBoolean, value ? 1 : 0),
                      about);
    }
    MObject make(Vec3 value, const About& about) const {
        MFnNumericAttribute numeric;
        if (std::string(about.unit) == "rgb") {
            const MObject color = numeric.createColor(about.name, about.shortName);
            numeric.setDefault(value.x, value.y, value.z);
            return finish(numeric, color, about);
        }
        MObject child[3];
        for (int i = 0; i < 3; ++i) {
            const std::string axis(1, "XYZ"[i]), shortAxis(1, "xyz"[i]);
            const std::string name = about.name + axis, shortName = about.shortName + shortAxis;
            About part = about;
            part.name = name.c_str();
            part.shortName = shortName.c_str();
            child[i] = make(value[i], part);
        }
        return finish(numeric, numeric.create(about.name, about.shortName, child[0], child[1], child[2]), about);
    }
    MObject make(const std::string&, const About& about) const {
        MFnTypedAttribute typed;
        const MObject attribute = typed.create(about.name, about.shortName, MFnData::kString);
        typed.setStorable(true);
        return attribute;
    }
    template <class T>
    MObject make(const Ramp<T>& ramp, const About& about) const {
        return makeRamp(about.name, about.shortName, ramp);
    }
    template <class E>
    std::enable_if_t<std::is_enum_v<E>, MObject> make(E value, const About& about) const {
        MFnEnumAttribute choice;
        const MObject attribute = choice.create(about.name, about.shortName, static_cast<short>(value));
        short index = 0;
        for (const char* name : choicesOf(value)) {
            if (*name) choice.addField(name, index);
            ++index;
        }
        for (const ReferenceVariant& variant : referenceVariants())
            if (isFormerValue(variant, about.name))
                choice.addField(variant.name, static_cast<short>(variant.formerIndex));
        return finish(choice, attribute, about);
    }

  private:
    MObject makeDistance(const char* name, const char* shortName, float meters, const About& about) const {
        MFnUnitAttribute unit;
        const MObject attribute = unit.create(
            name, shortName, MDistance(asTyped(static_cast<float>(kCentimetersPerMeter * asTyped(meters)))));
        limit(unit, about, kCentimetersPerMeter);
        return finish(unit, attribute, about);
    }
    template <class Attribute>
    void limit(Attribute& attribute, const About& about, double scale) const {
        if (std::isfinite(about.min)) attribute.setMin(about.min * scale);
        if (std::isfinite(about.max)) attribute.setMax(about.max * scale);
        if (std::isfinite(about.softMin)) attribute.setSoftMin(about.softMin * scale);
        if (std::isfinite(about.softMax)) attribute.setSoftMax(about.softMax * scale);
    }
    // Initial-only parameters are shown in the channel box but cannot be keyed; reference variants are not shown there.
    template <class Attribute>
    MObject finish(Attribute& attribute, const MObject& object, const About& about) const {
        attribute.setStorable(true);
        attribute.setKeyable(!about.isInitialOnly && !about.isReference());
        if (about.isInitialOnly) attribute.setChannelBox(true);
        if (acronymLength(about.name) > 0)
            attribute.setNiceNameOverride(displayName(about.name, Capitals::all).c_str());
        return object;
    }
};

// Reads the attribute of one field; lengths in centimetres.
class AttributeReader {
  public:
    AttributeReader(MDataBlock& block, const MObject& attribute) : block_(block), attribute_(attribute) {}

    void read(float& value, const About& about) const {
        value = isLength(about) ? static_cast<float>(handle().asDistance().asCentimeters()) : handle().asFloat();
    }
    void read(int& value, const About&) const { value = handle().asInt(); }
    void read(bool& value, const About&) const { value = handle().asBool(); }
    void read(Vec3& value, const About& about) const {
        MDataHandle whole = handle();
        if (isLength(about)) {
            const double3& v = whole.asDouble3();
            value = {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
        } else {
            const float3& v = whole.asFloat3();
            value = {v[0], v[1], v[2]};
        }
    }
    void read(std::string& value, const About&) const { value = handle().asString().asUTF8(); }
    template <class E>
    std::enable_if_t<std::is_enum_v<E>> read(E& value, const About&) const {
        value = static_cast<E>(handle().asShort());
    }

    template <class T>
    void read(Ramp<T>& value, const About&) const {
        readRamp(block_, attribute_, value);
    }

  private:
    MDataHandle handle() const { return block_.inputValue(attribute_); }

    MDataBlock& block_;
    const MObject& attribute_;
};

template <class P>
class ParamAttributes {
  public:
    // Creates and adds the attributes. Called once, in the node's initialize.
    MStatus create() {
        P defaults;
        MStatus status;
        attributes_.clear();  // the plugin may be unloaded and loaded again
        describe(
            [&](auto& field, const About& about) {
                attributes_.push_back(AttributeMaker().make(field, about));
                if (status) status = MPxNode::addAttribute(attributes_.back());
            },
            defaults);
        return status;
    }
    // Called in compute. `former` is needed if one of the attributes accepts former values.
    P read(MDataBlock& block, FormerValues* former = nullptr) const {
        P params;
        size_t next = 0;
        std::vector<const ReferenceVariant*> variants;
        describe(
            [&](auto& field, const About& about) {
                const auto standard = field;
                AttributeReader(block, attributes_[next++]).read(field, about);
                if constexpr (std::is_enum_v<std::decay_t<decltype(field)>>)
                    if (const ReferenceVariant* variant = formerVariant(about.name, static_cast<int>(field))) {
                        field = standard;
                        variants.push_back(variant);
                    }
            },
            params);
        for (const ReferenceVariant* variant : variants) {
            selectVariant(params, *variant, false);  // the variant's own attribute has priority
            if (former) former->note(*variant);
        }
        return params;
    }
    // The attribute of this name, which is one of the struct's.
    const MObject& attribute(const char* name) const {
        const MObject* found = nullptr;
        size_t next = 0;
        P defaults;
        describe(
            [&](auto&, const About& about) {
                const MObject& each = attributes_[next++];
                if (std::string(about.name) == name) found = &each;
            },
            defaults);
        return found ? *found : MObject::kNullObj;
    }
    // Makes `output` depend on every attribute.
    MStatus affect(const MObject& output) const {
        for (const MObject& attribute : attributes_) {
            const MStatus status = MPxNode::attributeAffects(attribute, output);
            if (!status) return status;
        }
        return MS::kSuccess;
    }

  private:
    std::vector<MObject> attributes_;  // in the order of describe
};

}  // namespace purl
