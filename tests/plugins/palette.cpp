// Data of its own: one node makes a palette, another mixes it into a colour.
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnPluginData.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MPxData.h>
#include <maya/MPxNode.h>
#include <maya/MString.h>
#include <maya/MTypeId.h>

#include <vector>

class PaletteData : public MPxData {
  public:
    static constexpr unsigned kId = 0x7f105;
    static void* creator() { return new PaletteData; }
    MTypeId typeId() const override { return MTypeId(kId); }
    MString name() const override { return "examplePalette"; }
    void copy(const MPxData& other) override { shades = static_cast<const PaletteData&>(other).shades; }
    std::vector<double> shades;
};

class Palette : public MPxNode {
  public:
    static void* creator() { return new Palette; }
    static MStatus initialize() {
        MFnNumericAttribute number;
        MFnTypedAttribute typed;
        count = number.create("count", "ct", MFnNumericData::kInt, 5);
        out = typed.create("palette", "pal", MTypeId(PaletteData::kId));
        typed.setWritable(false);
        addAttribute(count);
        addAttribute(out);
        return attributeAffects(count, out);
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != out) return MS::kUnknownParameter;
        MStatus status;
        MFnPluginData make;
        make.create(MTypeId(PaletteData::kId), &status);
        if (!status) return status;
        auto* data = static_cast<PaletteData*>(make.data(&status));
        for (int i = 0; i < block.inputValue(count).asInt(); ++i) data->shades.push_back(i);
        MDataHandle handle = block.outputValue(out);
        handle.setMPxData(data);
        return block.setClean(plug);
    }
    static MObject count, out;
};
MObject Palette::count, Palette::out;

class Mix : public MPxNode {
  public:
    static void* creator() { return new Mix; }
    static MStatus initialize() {
        MFnNumericAttribute number;
        MFnTypedAttribute typed;
        in = typed.create("palette", "pal", MTypeId(PaletteData::kId));
        typed.setStorable(false);
        mean = number.create("mean", "mn", MFnNumericData::kDouble);
        addAttribute(in);
        addAttribute(mean);
        return attributeAffects(in, mean);
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != mean) return MS::kUnknownParameter;
        double sum = 0, count = 0;
        if (const auto* data = static_cast<const PaletteData*>(block.inputValue(in).asPluginData()))
            for (const double shade : data->shades) sum += shade, ++count;
        block.outputValue(mean).setDouble(count > 0 ? sum / count : 0);
        return block.setClean(plug);
    }
    static MObject in, mean;
};
MObject Mix::in, Mix::mean;

MStatus initializePlugin(MObject object) {
    MFnPlugin plugin(object, "Example", "1.0");
    MStatus status = plugin.registerData("examplePalette", MTypeId(PaletteData::kId), PaletteData::creator);
    if (status)
        status = plugin.registerNode("examplePaletteMaker", MTypeId(0x7f106), Palette::creator, Palette::initialize);
    if (status) status = plugin.registerNode("examplePaletteMix", MTypeId(0x7f107), Mix::creator, Mix::initialize);
    return status;
}
MStatus uninitializePlugin(MObject object) {
    MFnPlugin plugin(object);
    plugin.deregisterNode(MTypeId(0x7f107));
    plugin.deregisterNode(MTypeId(0x7f106));
    return plugin.deregisterData(MTypeId(PaletteData::kId));
}
