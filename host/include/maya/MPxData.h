// MPxData: the base class of plugin data.
#pragma once
#include <maya/MStatus.h>
#include <maya/MString.h>
#include <maya/MTypeId.h>

#include <istream>
#include <memory>
#include <ostream>

namespace purl::host {
class Object;
}

namespace Autodesk::Maya::OpenMayaHost {

class MPxData {
  public:
    enum Type { kData, kLast };
    MPxData() = default;
    virtual ~MPxData();
    MPxData(const MPxData&) = delete;
    MPxData& operator=(const MPxData&) = delete;

    virtual MStatus readASCII(const MArgList& args, unsigned int& lastParsedElement);
    virtual MStatus readBinary(std::istream& in, unsigned int length);
    virtual MStatus writeASCII(std::ostream& out);
    virtual MStatus writeBinary(std::ostream& out);
    virtual void copy(const MPxData& other) = 0;
    virtual MTypeId typeId() const = 0;
    virtual MString name() const = 0;
    virtual Type type() const;

  private:
    friend struct purl::host::Api;
    std::weak_ptr<purl::host::Object> owner_;  // the data object that deletes this
};

}  // namespace Autodesk::Maya::OpenMayaHost
