// MDataHandle: one value in a data block, read or written in place.
#pragma once
#include <maya/MAngle.h>
#include <maya/MDistance.h>
#include <maya/MFnData.h>
#include <maya/MFnNumericData.h>
#include <maya/MObject.h>
#include <maya/MTime.h>
#include <maya/MTypeId.h>

namespace purl::host {
struct Value;
}

namespace Autodesk::Maya::OpenMayaHost {

class MDataHandle {
  public:
    MDataHandle() = default;

    MFnData::Type type() const;
    bool isNumeric() const;
    MFnNumericData::Type numericType() const;
    MTypeId typeId() const;
    MDataHandle child(const MPlug& plug);
    MDataHandle child(const MObject& attribute);
    void setClean();
    MStatus copy(const MDataHandle& source);
#if MAYA_API_VERSION >= 20200000
    MObject attribute() const;
#endif

    // References are valid during one compute. Requesting a type other than the attribute's reports an error and
    // returns zero.
    bool& asBool() const;
    char& asChar() const;
    unsigned char& asUChar() const;
    short& asShort() const;  // also enums
    int& asInt() const;
    MInt64& asInt64() const;
    float& asFloat() const;
    double& asDouble() const;  // also distances (cm) and angles (radians)
    short2& asShort2() const;
    short3& asShort3() const;
    int2& asInt2() const;
    int3& asInt3() const;
    float2& asFloat2() const;
    float3& asFloat3() const;
    double2& asDouble2() const;
    double3& asDouble3() const;
    double4& asDouble4() const;
    MVector& asVector() const;
    MFloatVector& asFloatVector() const;
    MMatrix& asMatrix() const;
    MString& asString() const;
    MTime asTime() const;
    MDistance asDistance() const;
    MAngle asAngle() const;
    MObject asMesh() const;             // in object space
    MObject asMeshTransformed() const;  // with the world matrix of worldMesh applied
    MObject asNurbsCurve() const;
    MObject asNurbsCurveTransformed() const;
    MObject asNurbsSurface() const;
    MObject asNurbsSurfaceTransformed() const;
    const MMatrix& geometryTransformMatrix() const;
    MPxData* asPluginData() const;
    MObject data();

    void setBool(bool v);
    void setChar(char v);
    void setShort(short v);
    void setInt(int v);
    void setInt64(MInt64 v);
    void setFloat(float v);
    void setDouble(double v);
    void set2Short(short v0, short v1);
    void set3Short(short v0, short v1, short v2);
    void set2Int(int v0, int v1);
    void set3Int(int v0, int v1, int v2);
    void set2Float(float v0, float v1);
    void set3Float(float v0, float v1, float v2);
    void set2Double(double v0, double v1);
    void set3Double(double v0, double v1, double v2);
    void set4Double(double v0, double v1, double v2, double v3);
    void setString(const MString& v);
    void setMMatrix(const MMatrix& v);
    void setMVector(const MVector& v);
    void setMFloatVector(const MFloatVector& v);
    void setMTime(const MTime& v);
    void setMDistance(const MDistance& v);
    void setMAngle(const MAngle& v);
    MStatus setMPxData(MPxData* v);
    MStatus setMObject(const MObject& v);

    void set(bool v) { setBool(v); }
    void set(char v) { setChar(v); }
    void set(short v) { setShort(v); }
    void set(int v) { setInt(v); }
    void set(float v) { setFloat(v); }
    void set(double v) { setDouble(v); }
    void set(short v0, short v1) { set2Short(v0, v1); }
    void set(short v0, short v1, short v2) { set3Short(v0, v1, v2); }
    void set(int v0, int v1) { set2Int(v0, v1); }
    void set(int v0, int v1, int v2) { set3Int(v0, v1, v2); }
    void set(float v0, float v1) { set2Float(v0, v1); }
    void set(float v0, float v1, float v2) { set3Float(v0, v1, v2); }
    void set(double v0, double v1) { set2Double(v0, v1); }
    void set(double v0, double v1, double v2) { set3Double(v0, v1, v2); }
    void set(const MString& v) { setString(v); }
    void set(const MMatrix& v) { setMMatrix(v); }
    void set(const MVector& v) { setMVector(v); }
    void set(const MFloatVector& v) { setMFloatVector(v); }
    void set(const MTime& v) { setMTime(v); }
    void set(const MDistance& v) { setMDistance(v); }
    void set(const MAngle& v) { setMAngle(v); }
    MStatus set(MPxData* v) { return setMPxData(v); }
    MStatus set(const MObject& v) { return setMObject(v); }

  private:
    friend struct purl::host::Api;
    std::shared_ptr<void> owner_;  // keeps the node or the builder alive
    purl::host::Value* value_ = nullptr;
    bool writable_ = false;
};

}  // namespace Autodesk::Maya::OpenMayaHost
