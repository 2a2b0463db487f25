// The polygon primitives as nodes: dimensions in, mesh out.
#include "host/builtin/builtin.h"
#include "host/builtin/declare.h"

namespace purl::host {
namespace {

UvScale uvScale(const Plug& createUVs, int keepAspect) {
    const int value = static_cast<int>(createUVs.number());
    return value == 0 ? UvScale::none : value == keepAspect ? UvScale::keepAspect : UvScale::fill;
}

AttrPtr subdivisions(const std::string& name, const std::string& shortName, int value, int least = 1) {
    return range(integer(name, shortName, value), least);
}

// One primitive: its specific attributes, and the function that creates the mesh.
struct Primitive {
    const char* name;
    std::vector<AttrPtr> attributes;  // dimensions and subdivisions
    int createUVs;                    // default value
    int keepAspect;                   // the createUVs value that keeps the aspect ratio
    std::function<PolyMesh(Node&, UvScale)> make;
    const char* height;  // attribute that heightBaseline scales, or null
};

void addPrimitive(const Primitive& primitive) {
    Type& type = addType(primitive.name);
    std::vector<AttrPtr> inputs = primitive.attributes;
    inputs.push_back(vector3("axis", "ax", Kind::Double, 0, 1, 0));
    inputs.push_back(number("heightBaseline", "hbl", 0));
    inputs.push_back(integer("createUVs", "cuv", primitive.createUVs));
    inputs.push_back(integer("texture", "tx", primitive.createUVs));
    for (const AttrPtr& a : inputs) type.add(a);
    const AttrPtr out = type.add(output(typed("output", "out", DataType::Mesh)));
    type.affects(inputs, {out});
    type.compute = [primitive, out](const Plug& plug) {
        if (plug.attr != out) return Result::Unknown;
        Node& node = *plug.node;
        PolyMesh mesh = primitive.make(node, uvScale(node.plug("createUVs"), primitive.keepAspect));
        // heightBaseline −1: the base is at the origin; 0: centred; 1: the top is at the origin.
        const double half = primitive.height ? node.plug(primitive.height).number() / 2 : 0;
        placeOnAxis(mesh, node.plug("axis").vec3(), -node.plug("heightBaseline").number() * half);
        plug.put(meshDataFrom(mesh));
        return Result::Done;
    };
}

double real(Node& node, const char* name) { return node.plug(name).number(); }
int whole(Node& node, const char* name) { return static_cast<int>(node.plug(name).number()); }

}  // namespace

void addPolyTypes() {
    addPrimitive({"polyPlane",
                  {range(distance("width", "w", 1), 0), range(distance("height", "h", 1), 0),
                   subdivisions("subdivisionsWidth", "sw", 10), subdivisions("subdivisionsHeight", "sh", 10)},
                  1,
                  2,
                  [](Node& n, UvScale uvs) {
                      return polyPlane(real(n, "w"), real(n, "h"), whole(n, "sw"), whole(n, "sh"), uvs);
                  },
                  nullptr});
    addPrimitive({"polyCube",
                  {range(distance("width", "w", 1), 0), range(distance("height", "h", 1), 0),
                   range(distance("depth", "d", 1), 0), subdivisions("subdivisionsWidth", "sw", 1),
                   subdivisions("subdivisionsHeight", "sh", 1), subdivisions("subdivisionsDepth", "sd", 1)},
                  3,
                  4,
                  [](Node& n, UvScale uvs) {
                      return polyCube(real(n, "w"), real(n, "h"), real(n, "d"), whole(n, "sw"), whole(n, "sh"),
                                      whole(n, "sd"), uvs);
                  },
                  "height"});
    addPrimitive({"polySphere",
                  {range(distance("radius", "r", 1), 0), subdivisions("subdivisionsAxis", "sa", 20, 3),
                   subdivisions("subdivisionsHeight", "sh", 20, 2)},
                  2,
                  3,
                  [](Node& n, UvScale uvs) { return polySphere(real(n, "r"), whole(n, "sa"), whole(n, "sh"), uvs); },
                  nullptr});
    addPrimitive({"polyCylinder",
                  {range(distance("radius", "r", 1), 0), range(distance("height", "h", 2), 0),
                   subdivisions("subdivisionsAxis", "sa", 20, 3), subdivisions("subdivisionsHeight", "sh", 1),
                   subdivisions("subdivisionsCaps", "sc", 0, 0)},
                  2,
                  3,
                  [](Node& n, UvScale uvs) {
                      return polyCylinder(real(n, "r"), real(n, "h"), whole(n, "sa"), whole(n, "sh"), whole(n, "sc"),
                                          uvs);
                  },
                  "height"});
    addPrimitive({"polyCone",
                  {range(distance("radius", "r", 1), 0), range(distance("height", "h", 2), 0),
                   subdivisions("subdivisionsAxis", "sa", 20, 3), subdivisions("subdivisionsHeight", "sh", 1),
                   subdivisions("subdivisionsCap", "sc", 0, 0)},
                  2,
                  3,
                  [](Node& n, UvScale uvs) {
                      return polyCone(real(n, "r"), real(n, "h"), whole(n, "sa"), whole(n, "sh"), whole(n, "sc"), uvs);
                  },
                  "height"});
    addPrimitive(
        {"polyTorus",
         {range(distance("radius", "r", 1), 0), range(distance("sectionRadius", "sr", 0.5), 0), angle("twist", "tw"),
          subdivisions("subdivisionsAxis", "sa", 20, 3), subdivisions("subdivisionsHeight", "sh", 20, 3)},
         1,
         2,
         [](Node& n, UvScale uvs) {
             return polyTorus(real(n, "r"), real(n, "sr"), real(n, "tw"), whole(n, "sa"), whole(n, "sh"), uvs);
         },
         nullptr});
}

}  // namespace purl::host
