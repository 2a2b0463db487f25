// MPlug: one attribute of one node; accesses its value and connections.
#pragma once
#include <maya/MAngle.h>
#include <maya/MDGContext.h>
#include <maya/MDataHandle.h>
#include <maya/MDistance.h>
#include <maya/MObject.h>
#include <maya/MString.h>
#include <maya/MTime.h>

#include <vector>

namespace Autodesk::Maya::OpenMayaHost {

#if MAYA_API_VERSION >= 20180000
    #define OPENMAYA_HOST_READS MStatus* status = nullptr
#else
    #define OPENMAYA_HOST_READS MDGContext &context = MDGContext::fsNormal, MStatus *status = nullptr
#endif

class MPlug {
  public:
    MPlug() = default;
    MPlug(const MObject& node, const MObject& attribute);

    MObject attribute(MStatus* status = nullptr) const;
    MObject node(MStatus* status = nullptr) const;
    MString name(MStatus* status = nullptr) const;
    MString partialName(bool includeNodeName = false, bool includeNonMandatoryIndices = false,
                        bool includeInstancedIndices = false, bool useAlias = false, bool useFullAttributePath = false,
                        bool useLongNames = false, MStatus* status = nullptr) const;
    MString info(MStatus* status = nullptr) const;
    bool isNull(MStatus* status = nullptr) const;
    bool operator==(const MPlug& o) const;
    bool operator==(const MObject& attribute) const;  // ignores indices
    bool operator!=(const MPlug& o) const { return !(*this == o); }
    bool operator!=(const MObject& attribute) const { return !(*this == attribute); }

    bool isArray(MStatus* status = nullptr) const;
    bool isElement(MStatus* status = nullptr) const;
    bool isCompound(MStatus* status = nullptr) const;
    bool isChild(MStatus* status = nullptr) const;
    bool isConnected(MStatus* status = nullptr) const;
    bool isDestination(MStatus* status = nullptr) const;
    bool isSource(MStatus* status = nullptr) const;
    bool isLocked(MStatus* status = nullptr) const;
    MStatus setLocked(bool locked);
    bool isKeyable(MStatus* status = nullptr) const;
    bool isDynamic(MStatus* status = nullptr) const;

    unsigned int numElements(MStatus* status = nullptr) const;
    unsigned int evaluateNumElements(MStatus* status = nullptr);
    MStatus setNumElements(unsigned int count);
    unsigned int numConnectedElements(MStatus* status = nullptr) const;
    unsigned int numChildren(MStatus* status = nullptr) const;
    unsigned int logicalIndex(MStatus* status = nullptr) const;
    unsigned int getExistingArrayAttributeIndices(MIntArray& indices, MStatus* status = nullptr) const;
    MPlug child(unsigned int index, MStatus* status = nullptr) const;
    MPlug child(const MObject& attribute, MStatus* status = nullptr) const;
    MPlug parent(MStatus* status = nullptr) const;
    MPlug array(MStatus* status = nullptr) const;
    MPlug elementByLogicalIndex(unsigned int index, MStatus* status = nullptr) const;
    MPlug elementByPhysicalIndex(unsigned int index, MStatus* status = nullptr) const;
    MPlug connectionByPhysicalIndex(unsigned int index, MStatus* status = nullptr) const;
    MStatus selectAncestorLogicalIndex(unsigned int index, const MObject& attribute = MObject::kNullObj);

    bool connectedTo(MPlugArray& plugs, bool asDestination, bool asSource, MStatus* status = nullptr) const;
#if MAYA_API_VERSION >= 201650
    MPlug source(MStatus* status = nullptr) const;
    bool destinations(MPlugArray& plugs, MStatus* status = nullptr) const;
#endif

    // Reading evaluates dirty plugs.
    bool asBool(OPENMAYA_HOST_READS) const;
    char asChar(OPENMAYA_HOST_READS) const;
    short asShort(OPENMAYA_HOST_READS) const;
    int asInt(OPENMAYA_HOST_READS) const;
    float asFloat(OPENMAYA_HOST_READS) const;
    double asDouble(OPENMAYA_HOST_READS) const;  // cm or radians; kFailure for a time plug, use asMTime
    MString asString(OPENMAYA_HOST_READS) const;
    MTime asMTime(OPENMAYA_HOST_READS) const;
    MDistance asMDistance(OPENMAYA_HOST_READS) const;
    MAngle asMAngle(OPENMAYA_HOST_READS) const;
    MObject asMObject(OPENMAYA_HOST_READS) const;
    MDataHandle asMDataHandle(OPENMAYA_HOST_READS) const;
    // The same for any API version: up to 2017 the others take a context before the status.
    MStatus getValue(bool& value) const;
    MStatus getValue(char& value) const;
    MStatus getValue(short& value) const;
    MStatus getValue(int& value) const;
    MStatus getValue(float& value) const;
    MStatus getValue(double& value) const;
    MStatus getValue(MString& value) const;
    MStatus getValue(MTime& value) const;
    MStatus getValue(MDistance& value) const;
    MStatus getValue(MAngle& value) const;
    MStatus getValue(MObject& value) const;
    // A handle with a value of its own, to be filled and given to setValue.
    MDataHandle constructHandle(MDataBlock& block) const;
    void destructHandle(MDataHandle& handle) const;

    // Setting dirties dependent plugs. Reports an error and returns kFailure if the value is out of range or the plug
    // is locked or connected.
    MStatus setBool(bool value);
    MStatus setChar(char value);
    MStatus setShort(short value);
    MStatus setInt(int value);
    MStatus setFloat(float value);
    MStatus setDouble(double value);
    MStatus setString(const MString& value);
    MStatus setMTime(const MTime& value);
    MStatus setMDistance(const MDistance& value);
    MStatus setMAngle(const MAngle& value);
    MStatus setMObject(const MObject& value);
    MStatus setMDataHandle(const MDataHandle& value);
    MStatus setValue(bool value) { return setBool(value); }
    MStatus setValue(char value) { return setChar(value); }
    MStatus setValue(short value) { return setShort(value); }
    MStatus setValue(int value) { return setInt(value); }
    MStatus setValue(float value) { return setFloat(value); }
    MStatus setValue(double value) { return setDouble(value); }
    MStatus setValue(const MString& value) { return setString(value); }
    MStatus setValue(const char* value);
    MStatus setValue(const MTime& value) { return setMTime(value); }
    MStatus setValue(const MDistance& value) { return setMDistance(value); }
    MStatus setValue(const MAngle& value) { return setMAngle(value); }
    MStatus setValue(const MObject& value) { return setMObject(value); }
    MStatus setValue(const MDataHandle& value) { return setMDataHandle(value); }

  private:
    friend struct purl::host::Api;
    MObject node_, attribute_;
    std::vector<int> indices_;
};

#undef OPENMAYA_HOST_READS

std::ostream& operator<<(std::ostream& out, const MPlug& plug);

}  // namespace Autodesk::Maya::OpenMayaHost
