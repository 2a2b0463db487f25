// MSyntax: which flags, arguments and objects a command takes.
#pragma once
#include <maya/MStatus.h>

#include <string>
#include <vector>

namespace Autodesk::Maya::OpenMayaHost {

class MSyntax {
  public:
    enum MArgType {
        kInvalidArgType,
        kNoArg,
        kBoolean,
        kLong,
        kDouble,
        kString,
        kUnsigned,
        kDistance,
        kAngle,
        kTime,
        kSelectionItem,
        kLastArgType
    };
    enum MObjectFormat { kInvalidObjectFormat, kNone, kStringObjects, kSelectionList };

    MStatus addFlag(const char* shortName, const char* longName, MArgType a1 = kNoArg, MArgType a2 = kNoArg,
                    MArgType a3 = kNoArg, MArgType a4 = kNoArg, MArgType a5 = kNoArg, MArgType a6 = kNoArg);
    MStatus makeFlagMultiUse(const char* flag);
    MStatus makeFlagQueryWithFullArgs(const char* flag, bool argumentsOptional);
    MStatus addArg(MArgType type);
    void enableQuery(bool on = true) { query_ = on; }
    void enableEdit(bool on = true) { edit_ = on; }
    bool canQuery() const { return query_; }
    bool canEdit() const { return edit_; }
    MStatus setObjectType(MObjectFormat format, unsigned int minimum = 0);
    MStatus setObjectType(MObjectFormat format, unsigned int minimum, unsigned int maximum);
    void useSelectionAsDefault(bool on = true) { selection_ = on; }

  private:
    friend struct purl::host::Api;
    friend class MArgParser;
    friend class MArgDatabase;
    struct Flag {
        std::string shortName, longName;
        std::vector<MArgType> args;
        bool multiUse = false, fullQuery = false, queryArgsOptional = false;
    };
    const Flag* find(std::string name) const;  // with or without the dash
    std::vector<Flag> flags_;
    std::vector<MArgType> args_;
    bool query_ = false, edit_ = false, selection_ = false;
    MObjectFormat format_ = kNone;
    unsigned int minimum_ = 0, maximum_ = 0xffffffff;
};

}  // namespace Autodesk::Maya::OpenMayaHost
