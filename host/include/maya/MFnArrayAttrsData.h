// MFnArrayAttrsData: named arrays as data. Returned arrays alias the data.
#pragma once
#include <maya/MDoubleArray.h>
#include <maya/MFnData.h>
#include <maya/MIntArray.h>
#include <maya/MStringArray.h>
#include <maya/MVectorArray.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnArrayAttrsData : public MFnData {
  public:
    MFnArrayAttrsData() = default;
    MFnArrayAttrsData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kDynArrayAttrsData; }

    enum Type { kInvalid, kVectorArray, kDoubleArray, kIntArray, kStringArray, kLast };
    MObject create(MStatus* status = nullptr);
    MStatus clear();
    unsigned int count() const;
    MStringArray list(MStatus* status = nullptr) const;
    bool checkArrayExist(const MString& name, Type& type, MStatus* status = nullptr);
    // Creates missing arrays.
    MVectorArray vectorArray(const MString& name, MStatus* status = nullptr);
    MDoubleArray doubleArray(const MString& name, MStatus* status = nullptr);
    MIntArray intArray(const MString& name, MStatus* status = nullptr);
    MStringArray stringArray(const MString& name, MStatus* status = nullptr);
    MVectorArray getVectorData(const MString& name, MStatus* status = nullptr);
    MDoubleArray getDoubleData(const MString& name, MStatus* status = nullptr);
    MIntArray getIntData(const MString& name, MStatus* status = nullptr);
    MStringArray getStringData(const MString& name, MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
