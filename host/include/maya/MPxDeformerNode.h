// MPxDeformerNode: the base class of deformers, which move the points of each geometry connected to them.
#pragma once
#include <maya/MItGeometry.h>
#include <maya/MPxNode.h>

namespace Autodesk::Maya::OpenMayaHost {

class MPxDeformerNode : public MPxNode {
  public:
    Type type() const override;
    // Copies input[i].inputGeometry, calls deform with it and outputs it as outputGeometry[i].
    MStatus compute(const MPlug& plug, MDataBlock& block) override;
    // `localToWorld` is the matrix of the geometry, if it comes from worldMesh.
    virtual MStatus deform(MDataBlock& block, MItGeometry& points, const MMatrix& localToWorld,
                           unsigned int multiIndex);
    // The painted weight of a point: 1 unless set.
    float weightValue(MDataBlock& block, unsigned int multiIndex, unsigned int pointIndex);

    static MObject input, inputGeom, groupId, outputGeom, envelope, weightList, weights;
};

}  // namespace Autodesk::Maya::OpenMayaHost
