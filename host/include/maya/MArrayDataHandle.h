// MArrayDataHandle: iterates over the elements of an array in a data block, by ascending index.
#pragma once
#include <maya/MArrayDataBuilder.h>
#include <maya/MDataHandle.h>

namespace Autodesk::Maya::OpenMayaHost {

class MArrayDataHandle {
  public:
    MArrayDataHandle() = default;
    MArrayDataHandle(const MDataHandle& handle, MStatus* status = nullptr);

    MDataHandle inputValue(MStatus* status = nullptr);
    MDataHandle outputValue(MStatus* status = nullptr);
    MArrayDataHandle inputArrayValue(MStatus* status = nullptr);
    MArrayDataHandle outputArrayValue(MStatus* status = nullptr);
    MStatus next();  // kFailure at the end
    unsigned int elementCount(MStatus* status = nullptr);
    unsigned int elementIndex(MStatus* status = nullptr);  // logical index
    MStatus jumpToElement(unsigned int logicalIndex);
    MStatus jumpToArrayElement(unsigned int position);
    MArrayDataBuilder builder(MStatus* status = nullptr);
    MStatus set(const MArrayDataBuilder& builder);  // removes elements that are not in the builder
    MStatus setClean();
    MStatus setAllClean();

  private:
    friend struct purl::host::Api;
    MDataHandle array_;
    unsigned int position_ = 0;
};

}  // namespace Autodesk::Maya::OpenMayaHost
