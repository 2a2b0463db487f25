// MArrayDataBuilder: builds an array element by element, for MArrayDataHandle::set.
#pragma once
#include <maya/MDataHandle.h>

namespace Autodesk::Maya::OpenMayaHost {

class MArrayDataBuilder {
  public:
    MArrayDataBuilder(MDataBlock* block, const MObject& attribute, unsigned int count, MStatus* status = nullptr);
    MArrayDataBuilder(const MArrayDataBuilder& o);
    MArrayDataBuilder& operator=(const MArrayDataBuilder& o);

    MDataHandle addElement(unsigned int index, MStatus* status = nullptr);  // returns an existing element
    MDataHandle addLast(MStatus* status = nullptr);
    MArrayDataHandle addElementArray(unsigned int index, MStatus* status = nullptr);
    MStatus growArray(unsigned int count);
    MStatus removeElement(unsigned int index);
    unsigned int elementCount(MStatus* status = nullptr) const;

  private:
    friend struct purl::host::Api;
    friend class MArrayDataHandle;
    MArrayDataBuilder() = default;
    MObject node_;
    std::shared_ptr<purl::host::Value> array_;
};

}  // namespace Autodesk::Maya::OpenMayaHost
