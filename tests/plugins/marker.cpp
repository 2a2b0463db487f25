// A locator with a size of its own, bounded in object space.
#include <maya/MBoundingBox.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnPlugin.h>
#include <maya/MPlug.h>
#include <maya/MPoint.h>
#include <maya/MPxLocatorNode.h>
#include <maya/MTypeId.h>

class Marker : public MPxLocatorNode {
  public:
    static void* creator() { return new Marker; }
    static MStatus initialize() {
        MFnNumericAttribute number;
        size = number.create("size", "sz", MFnNumericData::kDouble, 1.0);
        number.setKeyable(true);
        number.setMin(0.0);
        return addAttribute(size);
    }
    bool isBounded() const override { return true; }
    MBoundingBox boundingBox() const override {
        const double half = MPlug(thisMObject(), size).asDouble() / 2;
        MBoundingBox box;
        box.expand(MPoint(-half, -half, -half));
        box.expand(MPoint(half, half, half));
        return box;
    }

  private:
    static MObject size;
};
MObject Marker::size;

MStatus initializePlugin(MObject object) {
    return MFnPlugin(object, "Example", "1.0")
        .registerNode("exampleMarker", MTypeId(0x7f101), Marker::creator, Marker::initialize, MPxNode::kLocatorNode);
}
MStatus uninitializePlugin(MObject object) { return MFnPlugin(object).deregisterNode(MTypeId(0x7f101)); }
