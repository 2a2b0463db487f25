// MRampAttribute: creates ramp attributes: arrays of position, value or colour, and interpolation.
#pragma once
#include <maya/MObject.h>
#include <maya/MStatus.h>
#include <maya/MString.h>

namespace Autodesk::Maya::OpenMayaHost {

class MRampAttribute {
  public:
    // The interpolation of a ramp element.
    enum MInterpolation { kNone, kLinear, kSmooth, kSpline };

    // Children name_Position, name_FloatValue or name_Color, and name_Interp.
    static MObject createCurveRamp(const MString& fullName, const MString& briefName, MStatus* status = nullptr);
    static MObject createColorRamp(const MString& fullName, const MString& briefName, MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
