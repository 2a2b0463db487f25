// MDataBlock: the values of one node during compute.
#pragma once
#include <maya/MArrayDataHandle.h>
#include <maya/MDGContext.h>
#include <maya/MDataHandle.h>

namespace Autodesk::Maya::OpenMayaHost {

class MDataBlock {
  public:
    // inputValue evaluates dirty values; outputValue returns the storage without evaluation.
    MDataHandle inputValue(const MPlug& plug, MStatus* status = nullptr);
    MDataHandle inputValue(const MObject& attribute, MStatus* status = nullptr);
    MDataHandle outputValue(const MPlug& plug, MStatus* status = nullptr);
    MDataHandle outputValue(const MObject& attribute, MStatus* status = nullptr);
    MArrayDataHandle inputArrayValue(const MPlug& plug, MStatus* status = nullptr);
    MArrayDataHandle inputArrayValue(const MObject& attribute, MStatus* status = nullptr);
    MArrayDataHandle outputArrayValue(const MPlug& plug, MStatus* status = nullptr);
    MArrayDataHandle outputArrayValue(const MObject& attribute, MStatus* status = nullptr);
    MStatus setClean(const MPlug& plug);
    MStatus setClean(const MObject& attribute);
    bool isClean(const MPlug& plug, MStatus* status = nullptr);
    bool isClean(const MObject& attribute, MStatus* status = nullptr);
    MDGContext context(MStatus* status = nullptr) const;

  private:
    friend struct purl::host::Api;
    MDataBlock() = default;
    MObject node_;
};

}  // namespace Autodesk::Maya::OpenMayaHost
