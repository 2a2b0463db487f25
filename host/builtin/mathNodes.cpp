// Arithmetic utility nodes used in rigs.
#include <cmath>

#include "host/builtin/builtin.h"
#include "host/builtin/declare.h"
#include "solver/core/math.h"

namespace purl::host {
namespace {

// Declares inputs and outputs, where every input affects every output; `compute` sets all outputs.
void addSimple(const char* name, const std::vector<AttrPtr>& inputs, const std::vector<AttrPtr>& outputs,
               std::function<void(Node&)> work) {
    Type& type = addType(name);
    for (const AttrPtr& a : inputs) type.add(a);
    for (const AttrPtr& a : outputs) type.add(output(a));
    type.affects(inputs, outputs);
    std::vector<const Attr*> roots;
    for (const AttrPtr& a : outputs) roots.push_back(a.get());
    type.compute = [roots, work = std::move(work)](const Plug& plug) {
        for (const Attr* root : roots)
            if (plug.attr->isOrIsBelow(root)) {
                work(*plug.node);
                return Result::Done;
            }
        return Result::Unknown;
    };
}

double binary(int operation, double a, double b) {
    switch (operation) {
        case 1: return a * b;
        case 2: return b != 0 ? a / b : 0;
        case 3: return purl::pow(a, b);
        default: return a;
    }
}

RotateOrder rotateOrder(Node& n, const char* name) {
    return static_cast<RotateOrder>(static_cast<int>(n.plug(name).number()));
}

AttrPtr rotateOrderAttr(const std::string& name, const std::string& shortName) {
    return enumeration(name, shortName, {"xyz", "yzx", "zxy", "xzy", "yxz", "zyx"});
}

std::vector<double> elementsOf(Node& n, const char* name) {
    std::vector<double> values;
    const Plug array = n.plug(name);
    for (const int i : array.elements()) values.push_back(array.element(i).number());
    return values;
}

// operation: 0 none (the first alone), 1 sum, 2 difference, 3 average
double accumulate(int operation, const std::vector<double>& values) {
    if (values.empty()) return 0;
    double sum = values[0];
    if (operation == 0) return sum;
    for (std::size_t i = 1; i < values.size(); ++i) sum += operation == 2 ? -values[i] : values[i];
    return operation == 3 ? sum / static_cast<double>(values.size()) : sum;
}

}  // namespace

void addMathTypes() {
    addSimple("multiplyDivide",
              {vector3("input1", "i1", Kind::Float), vector3("input2", "i2", Kind::Float, 1, 1, 1),
               enumeration("operation", "op", {"No operation", "Multiply", "Divide", "Power"}, 1)},
              {vector3("output", "o", Kind::Float)}, [](Node& n) {
                  const auto a = n.plug("input1").vec3(), b = n.plug("input2").vec3();
                  const int op = static_cast<int>(n.plug("operation").number());
                  n.plug("output").put(binary(op, a[0], b[0]), binary(op, a[1], b[1]), binary(op, a[2], b[2]));
              });

    addSimple("plusMinusAverage",
              {enumeration("operation", "op", {"No operation", "Sum", "Subtract", "Average"}, 1),
               array(number("input1D", "i1", 0, Kind::Float)),
               array(numeric("input2D", "i2", Kind::Float,
                             {number("input2Dx", "i2x", 0, Kind::Float), number("input2Dy", "i2y", 0, Kind::Float)})),
               array(numeric("input3D", "i3", Kind::Float,
                             {number("input3Dx", "i3x", 0, Kind::Float), number("input3Dy", "i3y", 0, Kind::Float),
                              number("input3Dz", "i3z", 0, Kind::Float)}))},
              {number("output1D", "o1", 0, Kind::Float),
               numeric("output2D", "o2", Kind::Float,
                       {number("output2Dx", "o2x", 0, Kind::Float), number("output2Dy", "o2y", 0, Kind::Float)}),
               numeric("output3D", "o3", Kind::Float,
                       {number("output3Dx", "o3x", 0, Kind::Float), number("output3Dy", "o3y", 0, Kind::Float),
                        number("output3Dz", "o3z", 0, Kind::Float)})},
              [](Node& n) {
                  const int op = static_cast<int>(n.plug("operation").number());
                  n.plug("output1D").put(accumulate(op, elementsOf(n, "input1D")));
                  const auto each = [&](const char* in, const char* out, int size) {
                      const Plug array = n.plug(in);
                      for (int k = 0; k < size; ++k) {
                          std::vector<double> values;
                          for (const int i : array.elements()) values.push_back(array.element(i).child(k).number());
                          n.plug(out).child(k).put(accumulate(op, values));
                      }
                      n.plug(out).setClean();
                  };
                  each("input2D", "output2D", 2);
                  each("input3D", "output3D", 3);
              });

    addSimple("addDoubleLinear", {distance("input1", "i1"), distance("input2", "i2")}, {distance("output", "o")},
              [](Node& n) { n.plug("output").put(n.plug("input1").number() + n.plug("input2").number()); });
    addSimple("multDoubleLinear", {distance("input1", "i1"), distance("input2", "i2")}, {distance("output", "o")},
              [](Node& n) { n.plug("output").put(n.plug("input1").number() * n.plug("input2").number()); });

    addSimple("reverse", {vector3("input", "i", Kind::Float)}, {vector3("output", "o", Kind::Float)}, [](Node& n) {
        const auto v = n.plug("input").vec3();
        n.plug("output").put(1 - v[0], 1 - v[1], 1 - v[2]);
    });

    addSimple("composeMatrix",
              {vector3("inputTranslate", "it", Kind::Distance), vector3("inputRotate", "ir", Kind::Angle),
               vector3("inputScale", "is", Kind::Double, 1, 1, 1), vector3("inputShear", "ish", Kind::Double),
               rotateOrderAttr("inputRotateOrder", "iro"), boolean("useEulerRotation", "uer", true),
               numeric("inputQuat", "iq", Kind::Double,
                       {number("inputQuatX", "iqx"), number("inputQuatY", "iqy"), number("inputQuatZ", "iqz"),
                        number("inputQuatW", "iqw", 1)})},
              {matrix("outputMatrix", "omat")}, [](Node& n) {
                  TransformParts p;
                  p.translate = n.plug("inputTranslate").vec3();
                  p.scale = n.plug("inputScale").vec3();
                  p.shear = n.plug("inputShear").vec3();
                  if (n.plug("useEulerRotation").flag()) {
                      p.rotate = n.plug("inputRotate").vec3();
                      p.rotateOrder = rotateOrder(n, "inputRotateOrder");
                  } else {
                      const Plug q = n.plug("inputQuat");
                      p.rotate = eulerFromQuaternion(
                          {q.child(0).number(), q.child(1).number(), q.child(2).number(), q.child(3).number()});
                  }
                  n.plug("outputMatrix").put(toMaya(compose(p)));
              });

    addSimple("decomposeMatrix", {matrix("inputMatrix", "imat"), rotateOrderAttr("inputRotateOrder", "ro")},
              {vector3("outputTranslate", "ot", Kind::Distance), vector3("outputRotate", "or", Kind::Angle),
               vector3("outputScale", "os", Kind::Double, 1, 1, 1), vector3("outputShear", "osh", Kind::Double),
               numeric("outputQuat", "oq", Kind::Double,
                       {number("outputQuatX", "oqx"), number("outputQuatY", "oqy"), number("outputQuatZ", "oqz"),
                        number("outputQuatW", "oqw", 1)})},
              [](Node& n) {
                  const Decomposed d =
                      decompose(fromMaya(n.plug("inputMatrix").matrix()), rotateOrder(n, "inputRotateOrder"));
                  const auto put = [&](const char* name, const Vec3d& v) { n.plug(name).put(v[0], v[1], v[2]); };
                  put("outputTranslate", d.translate);
                  put("outputRotate", d.rotate);
                  put("outputScale", d.scale);
                  put("outputShear", d.shear);
                  for (int k = 0; k < 4; ++k) n.plug("outputQuat").child(k).put(d.quaternion[k]);
                  n.plug("outputQuat").setClean();
              });

    addSimple("multMatrix", {array(matrix("matrixIn", "i"))}, {matrix("matrixSum", "o")}, [](Node& n) {
        Mat4d product = kIdentity;
        const Plug in = n.plug("matrixIn");
        for (const int i : in.elements()) product = multiply(product, fromMaya(in.element(i).matrix()));
        n.plug("matrixSum").put(toMaya(product));
    });
    addSimple("inverseMatrix", {matrix("inputMatrix", "imat")}, {matrix("outputMatrix", "omat")},
              [](Node& n) { n.plug("outputMatrix").put(toMaya(inverse(fromMaya(n.plug("inputMatrix").matrix())))); });
}

}  // namespace purl::host
