// The transform, joint and locator nodes.
#include "host/builtin/builtin.h"
#include "host/builtin/declare.h"

namespace purl::host {
namespace {

AttrPtr shearAttr() {
    return numeric("shear", "sh", Kind::Double,
                   {number("shearXY", "shxy"), number("shearXZ", "shxz"), number("shearYZ", "shyz")});
}

TransformParts partsOf(Node& n) {
    TransformParts p;
    p.translate = n.plug("translate").vec3();
    p.rotate = n.plug("rotate").vec3();
    p.rotateOrder = static_cast<RotateOrder>(static_cast<int>(n.plug("rotateOrder").number()));
    p.scale = n.plug("scale").vec3();
    p.shear = n.plug("shear").vec3();
    p.rotatePivot = n.plug("rotatePivot").vec3();
    p.rotatePivotTranslate = n.plug("rotatePivotTranslate").vec3();
    p.scalePivot = n.plug("scalePivot").vec3();
    p.scalePivotTranslate = n.plug("scalePivotTranslate").vec3();
    p.rotateAxis = n.plug("rotateAxis").vec3();
    if (n.type->isA("joint")) {
        p.jointOrient = n.plug("jointOrient").vec3();
        p.inverseScale = n.plug("inverseScale").vec3();
        p.segmentScaleCompensate = n.plug("segmentScaleCompensate").flag();
    }
    return p;
}

}  // namespace

void addTransformTypes() {
    Type& transform = addType("transform", "dagNode");
    transform.apiType = MFn::kTransform;
    const std::vector<AttrPtr> inputs = {
        keyable(vector3("translate", "t", Kind::Distance)),
        keyable(vector3("rotate", "r", Kind::Angle)),
        enumeration("rotateOrder", "ro", {"xyz", "yzx", "zxy", "xzy", "yxz", "zyx"}),
        keyable(vector3("scale", "s", Kind::Double, 1, 1, 1)),
        shearAttr(),
        vector3("rotatePivot", "rp", Kind::Distance),
        vector3("rotatePivotTranslate", "rpt", Kind::Distance),
        vector3("scalePivot", "sp", Kind::Distance),
        vector3("scalePivotTranslate", "spt", Kind::Distance),
        vector3("rotateAxis", "ra", Kind::Angle),
    };
    for (const AttrPtr& a : inputs) transform.add(affectsWorldSpace(a));
    transform.add(affectsWorldSpace(boolean("inheritsTransform", "it", true)));
    transform.add(affectsWorldSpace(matrix("offsetParentMatrix", "opm")));
    const AttrPtr local = transform.find("matrix"), xform = transform.add(output(matrix("xformMatrix", "xm")));
    const AttrPtr inverseLocal = transform.find("inverseMatrix");
    transform.affects(inputs, {local, inverseLocal, xform});
    transform.compute = [=](const Plug& plug) {
        if (plug.attr != local && plug.attr != xform) return Result::Unknown;
        const MMatrix m = toMaya(compose(partsOf(*plug.node)));
        plug.node->plug(local).put(m);
        plug.node->plug(xform).put(m);
        return Result::Done;
    };

    Type& joint = addType("joint", "transform");
    joint.apiType = MFn::kJoint;
    const std::vector<AttrPtr> jointInputs = {vector3("jointOrient", "jo", Kind::Angle),
                                              vector3("inverseScale", "is", Kind::Double, 1, 1, 1),
                                              boolean("segmentScaleCompensate", "ssc", true)};
    for (const AttrPtr& a : jointInputs) joint.add(affectsWorldSpace(a));
    joint.add(number("radius", "radi", 1));
    joint.affects(jointInputs, {local, inverseLocal, xform});

    Type& shape = addType("shape", "dagNode");
    shape.shape = true;
    shape.apiType = MFn::kShape;

    Type& locator = addType("locator", "shape");
    locator.apiType = MFn::kLocator;
    const AttrPtr position = locator.add(vector3("localPosition", "lp", Kind::Distance));
    locator.add(vector3("localScale", "los", Kind::Double, 1, 1, 1));
    const AttrPtr world = locator.add(worldSpace(output(vector3("worldPosition", "wp", Kind::Distance))));
    locator.affects({position}, {world});
    locator.compute = [=](const Plug& plug) {
        if (!plug.attr->isOrIsBelow(world.get()) || plug.indices.empty()) return Result::Unknown;
        Node& node = *plug.node;
        const int i = plug.indices[0];
        const Vec3d p =
            transformPoint(node.plug(position).vec3(), fromMaya(node.plug("worldMatrix").element(i).matrix()));
        node.plug(world).element(i).put(p[0], p[1], p[2]);
        return Result::Done;
    };
}

}  // namespace purl::host
