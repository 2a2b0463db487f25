// MRampAttribute: makes ramps: arrays of a position, a value or a colour, and how it goes on from there.
#pragma once
#include <maya/MObject.h>
#include <maya/MStatus.h>
#include <maya/MString.h>

namespace Autodesk::Maya::OpenMayaHost {

class MRampAttribute {
  public:
    // What an element's interp is.
    enum MInterpolation { kNone, kLinear, kSmooth, kSpline };

    // Children name_Position, name_FloatValue or name_Color, and name_Interp.
    static MObject createCurveRamp(const MString& fullName, const MString& briefName, MStatus* status = nullptr);
    static MObject createColorRamp(const MString& fullName, const MString& briefName, MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
