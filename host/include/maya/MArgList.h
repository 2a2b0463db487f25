// MArgList: the arguments of a command call.
#pragma once
#include <maya/MString.h>

#include <vector>

namespace Autodesk::Maya::OpenMayaHost {

class MArgList {
  public:
    MArgList() = default;
    unsigned int length(MStatus* status = nullptr) const;
    bool asBool(unsigned int index, MStatus* status = nullptr) const;
    int asInt(unsigned int index, MStatus* status = nullptr) const;
    double asDouble(unsigned int index, MStatus* status = nullptr) const;
    MString asString(unsigned int index, MStatus* status = nullptr) const;
    MStatus get(unsigned int index, bool& v) const;
    MStatus get(unsigned int index, int& v) const;
    MStatus get(unsigned int index, double& v) const;
    MStatus get(unsigned int index, MString& v) const;
    unsigned int flagIndex(const char* shortFlag, const char* longFlag = nullptr) const;  // kInvalidArgIndex: absent
    MStatus addArg(bool v);
    MStatus addArg(int v);
    MStatus addArg(double v);
    MStatus addArg(const MString& v);
    MStatus addArg(const char* v) { return addArg(MString(v)); }

    enum { kInvalidArgIndex = 0x7fffffff };

  private:
    std::vector<MString> words_;
};

}  // namespace Autodesk::Maya::OpenMayaHost
