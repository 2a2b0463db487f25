// A command that walks the DAG and reads cameras, lights and NURBS surfaces, as an exporter does: exampleSurvey returns
// one line for each, with instances counted each.
#include <maya/MArgList.h>
#include <maya/MColor.h>
#include <maya/MDagPath.h>
#include <maya/MFloatVector.h>
#include <maya/MFn.h>
#include <maya/MFnCamera.h>
#include <maya/MFnNurbsSurface.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnSpotLight.h>
#include <maya/MItDag.h>
#include <maya/MObject.h>
#include <maya/MPoint.h>
#include <maya/MPxCommand.h>
#include <maya/MStringArray.h>
#include <maya/MVector.h>

namespace {

constexpr double kDegrees = 57.29577951308232;

MString text(double x, double y, double z) {
    MString list;
    list += x;
    list += " ";
    list += y;
    list += " ";
    list += z;
    return list;
}

MString cameraLine(const MDagPath& path) {
    const MFnCamera camera(path);
    const MPoint eye = camera.eyePoint(MSpace::kWorld);
    const MVector view = camera.viewDirection(MSpace::kWorld);
    MString line = camera.isOrtho() ? " orthographic, width " : " perspective, fov ";
    double horizontal = camera.orthoWidth(), vertical = 0;
    if (!camera.isOrtho() && camera.getPortFieldOfView(200, 100, horizontal, vertical)) horizontal *= kDegrees;
    line += horizontal;
    return line + ", at " + text(eye.x, eye.y, eye.z) + ", looks along " + text(view.x, view.y, view.z);
}

MString lightLine(const MDagPath& path) {
    const MFnLight light(path);
    const MColor color = light.color();
    const MFloatVector along = light.lightDirection(static_cast<int>(path.instanceNumber()), MSpace::kWorld);
    MString line = " light ";
    line += static_cast<double>(light.intensity());
    line += " x ";
    line += text(static_cast<double>(color.r), static_cast<double>(color.g), static_cast<double>(color.b));
    line += ", along " + text(static_cast<double>(along.x), static_cast<double>(along.y), static_cast<double>(along.z));
    if (!path.hasFn(MFn::kSpotLight)) return line;
    line += ", cone ";
    line += MFnSpotLight(path).coneAngle() * kDegrees;
    return line;
}

MString surfaceLine(const MDagPath& path) {
    const MFnNurbsSurface surface(path);
    MString line = " surface of ";
    line += surface.numSpansInU();
    line += " x ";
    line += surface.numSpansInV();
    double startU = 0, endU = 0, startV = 0, endV = 0;
    surface.getKnotDomain(startU, endU, startV, endV);
    const double u = (startU + endU) / 2, v = (startV + endV) / 2;
    MPoint middle;
    surface.getPointAtParam(u, v, middle, MSpace::kWorld);
    const MVector normal = surface.normal(u, v, MSpace::kWorld);
    return line + " spans, middle " + text(middle.x, middle.y, middle.z) + ", normal " +
           text(normal.x, normal.y, normal.z);
}

class Survey : public MPxCommand {
  public:
    static void* creator() { return new Survey; }
    MStatus doIt(const MArgList&) override {
        MStringArray lines;
        for (MItDag each(MItDag::kDepthFirst, MFn::kShape); !each.isDone(); each.next()) {
            MDagPath path;
            if (!each.getPath(path)) return MS::kFailure;
            if (path.hasFn(MFn::kCamera)) lines.append(path.partialPathName() + cameraLine(path));
            if (path.hasFn(MFn::kLight)) lines.append(path.partialPathName() + lightLine(path));
            if (path.hasFn(MFn::kNurbsSurface)) lines.append(path.partialPathName() + surfaceLine(path));
        }
        setResult(lines);
        return MS::kSuccess;
    }
};

}  // namespace

MStatus initializePlugin(MObject object) {
    return MFnPlugin(object, "Example", "1.0").registerCommand("exampleSurvey", Survey::creator);
}
MStatus uninitializePlugin(MObject object) { return MFnPlugin(object).deregisterCommand("exampleSurvey"); }
