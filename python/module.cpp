// The extension module purl._purl, with one bind function per file. Users import purl/__init__.py.
#include "nodes/nodes.h"
#include "python/cache.h"
#include "python/commands.h"
#include "python/frame.h"
#include "python/scene.h"
#include "python/sim.h"
#include "python/simulator.h"

namespace nb = nanobind;

namespace purl::python {
namespace {

nb::dict attributeDict(const AttributeReference& row) {
    nb::dict dict;
    dict["name"] = row.name;
    dict["short"] = row.shortName;
    dict["use"] = row.use;
    dict["type"] = row.type;
    dict["unit"] = row.unit;
    dict["default"] = row.defaultValue;
    dict["min"] = row.min;
    dict["max"] = row.max;
    dict["choices"] = row.choices;
    dict["sentence"] = row.sentence;
    return dict;
}

nb::list describeNodes() {
    nb::list nodes;
    for (const NodeReference& node : nodeReferences()) {
        nb::list attributes;
        for (const AttributeReference& row : node.attributes) attributes.append(attributeDict(row));
        nb::dict dict;
        dict["name"] = node.name;
        dict["id"] = node.id;
        dict["sentence"] = node.sentence;
        dict["attributes"] = attributes;
        nodes.append(dict);
    }
    return nodes;
}

}  // namespace
}  // namespace purl::python

NB_MODULE(_purl, module) {
    using namespace purl::python;
    module.doc() = "Purl: water, cloth and knitwear for Maya, and for Python without it.";
    module.attr("__version__") = PURL_VERSION;
    nb::exception<purl::Error>(module, "Error", PyExc_ValueError).attr("__doc__") =
        "Invalid input, a failing disk, or a simulation that diverged, in one line: who, what, and what would help.";
    bindFrame(module);
    bindMeshes(module);
    bindScene(module);
    bindSimulator(module);
    bindSim(module);
    bindCache(module);
    bindCommands(module);
    module.def("describe", &describeNodes, nb::sig("def describe() -> list[dict[str, typing.Any]]"),
               "Every node with its attributes: name, type, unit, default, limits and description, as text.");
}
