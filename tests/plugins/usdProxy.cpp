// A stand-in for maya-usd's proxy shape: its attributes that other nodes connect to, without drawing.
#include <maya/MFnData.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MObject.h>
#include <maya/MPxLocatorNode.h>
#include <maya/MTypeId.h>

namespace {

class ProxyShape : public MPxLocatorNode {
  public:
    static void* creator() { return new ProxyShape; }
    static MStatus initialize() {
        MFnTypedAttribute text;
        for (const char* name : {"filePath", "primPath"})
            if (!addAttribute(text.create(name, name, MFnData::kString))) return MS::kFailure;
        MFnUnitAttribute unit;
        return addAttribute(unit.create("time", "tm", MFnUnitAttribute::kTime, 0.0));
    }
};

const MTypeId kId(0x7f120);

}  // namespace

MStatus initializePlugin(MObject object) {
    MFnPlugin plugin(object, "Example", "1.0");
    return plugin.registerNode("mayaUsdProxyShape", kId, ProxyShape::creator, ProxyShape::initialize,
                               MPxNode::kLocatorNode);
}

MStatus uninitializePlugin(MObject object) {
    MFnPlugin plugin(object);
    return plugin.deregisterNode(kId);
}
