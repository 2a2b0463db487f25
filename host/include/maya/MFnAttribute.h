// MFnAttribute: names and flags of any attribute.
#pragma once
#include <maya/MFnBase.h>
#include <maya/MString.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnAttribute : public MFnBase {
  public:
    MFnAttribute() = default;
    MFnAttribute(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kAttribute; }

    enum DisconnectBehavior { kDelete, kReset, kNothing };
    bool isReadable(MStatus* status = nullptr) const;
    bool isWritable(MStatus* status = nullptr) const;
    bool isConnectable(MStatus* status = nullptr) const;
    bool isStorable(MStatus* status = nullptr) const;
    bool isCached(MStatus* status = nullptr) const;
    bool isArray(MStatus* status = nullptr) const;
    bool isKeyable(MStatus* status = nullptr) const;
    bool isChannelBoxFlagSet(MStatus* status = nullptr) const;
    bool isHidden(MStatus* status = nullptr) const;
    bool isDynamic(MStatus* status = nullptr) const;
    bool isWorldSpace(MStatus* status = nullptr) const;
    bool isAffectsWorldSpace(MStatus* status = nullptr) const;
    bool isUsedAsColor(MStatus* status = nullptr) const;
    bool isUsedAsFilename(MStatus* status = nullptr) const;
    bool indexMatters(MStatus* status = nullptr) const;
    bool usesArrayDataBuilder(MStatus* status = nullptr) const;
    bool internal(MStatus* status = nullptr) const;
    DisconnectBehavior disconnectBehavior(MStatus* status = nullptr) const;
    MObject parent(MStatus* status = nullptr) const;
    MString name(MStatus* status = nullptr) const;
    MString shortName(MStatus* status = nullptr) const;
    MString niceNameOverride(MStatus* status = nullptr) const;
    bool hasCategory(const MString& category, MStatus* status = nullptr) const;

    MStatus setReadable(bool on);
    MStatus setWritable(bool on);
    MStatus setConnectable(bool on);
    MStatus setStorable(bool on);
    MStatus setCached(bool on);
    MStatus setArray(bool on);
    MStatus setKeyable(bool on);
    MStatus setChannelBox(bool on);
    MStatus setHidden(bool on);
    MStatus setWorldSpace(bool on);
    MStatus setAffectsWorldSpace(bool on);
    MStatus setUsedAsColor(bool on);
    MStatus setUsedAsFilename(bool on);
    MStatus setIndexMatters(bool on);
    MStatus setUsesArrayDataBuilder(bool on);
    MStatus setInternal(bool on);
    MStatus setDisconnectBehavior(DisconnectBehavior behavior);
    MStatus setNiceNameOverride(const MString& name);
    MStatus addToCategory(const MString& category);
};

}  // namespace Autodesk::Maya::OpenMayaHost
