#include "plugin/describeCommand.h"

#include <maya/MString.h>
#include <maya/MStringArray.h>

#include <algorithm>

#define MNoVersionString  // the version symbols belong to plugin.cpp
#include "nodes/nodes.h"
#include "plugin/strings.h"
#include "solver/core/error.h"
#include "solver/reference/registry.h"

namespace purl {

// "|xpbd=0|implicitEuler=1 …" for an enum that also accepts former values, which menus leave out; otherwise empty.
static std::string menuOf(const AttributeReference& row) {
    const auto& variants = referenceVariants();
    if (std::none_of(variants.begin(), variants.end(),
                     [&](const ReferenceVariant& variant) { return isFormerValue(variant, row.name); }))
        return "";
    std::string menu;
    for (size_t i = 0; i < row.choices.size(); ++i)
        menu += "|" + row.choices[i] + "=" + std::to_string(row.choiceIndices[i]);
    return menu;
}

MSyntax DescribeCommand::newSyntax() {
    MSyntax syntax;
    syntax.addFlag("-j", "-json");
    syntax.addFlag("-nt", "-nodeType", MSyntax::kString);
    syntax.addFlag("-nts", "-nodeTypes");
    syntax.addFlag("-rws", "-rows");
    syntax.addFlag("-ins", "-inputs");
    syntax.addFlag("-pnt", "-paintable");
    syntax.addFlag("-tx", "-text", MSyntax::kString);
    return syntax;
}

void DescribeCommand::run(const MArgDatabase& arguments) {
    if (arguments.isFlagSet("-text")) {
        MString key;
        arguments.getFlagArgument("-text", 0, key);
        return setResult(uiString(key.asUTF8()));
    }
    std::vector<NodeReference> nodes = nodeReferences();
    if (arguments.isFlagSet("-nodeType")) {
        MString wanted;
        arguments.getFlagArgument("-nodeType", 0, wanted);
        std::vector<NodeReference> chosen;
        for (const NodeReference& node : nodes)
            if (wanted == node.name.c_str()) chosen.push_back(node);
        if (chosen.empty()) throw Error(std::string("there is no node type \"") + wanted.asUTF8() + "\" in Purl");
        nodes = chosen;
    }
    MStringArray list;
    if (arguments.isFlagSet("-nodeTypes")) {
        for (const NodeReference& node : nodes) list.append(node.name.c_str());
        return setResult(list);
    }
    if (arguments.isFlagSet("-paintable")) {
        for (const NodeReference& node : nodes)
            for (const AttributeReference& row : node.attributes)
                if (row.use == "in" && row.type == toString(PlugType::doubles)) list.append(row.name.c_str());
        return setResult(list);
    }
    const bool settings = arguments.isFlagSet("-rows");
    if (settings || arguments.isFlagSet("-inputs")) {
        for (const NodeReference& node : nodes)
            for (const AttributeReference& row : node.attributes) {
                if ((row.use == "setting") != settings) continue;
                const MString attribute(row.name.c_str());
                list.append(settings ? uiHeading(row.section) + "|" + attribute + "|" +
                                           uiSentence(node.name, row.name, row.sentence) + "|" + row.type.c_str() +
                                           menuOf(row).c_str()
                                     : attribute);
            }
        return setResult(list);
    }
    setResult(MString((arguments.isFlagSet("-json") ? toJson(nodes) : toMarkdown(nodes)).c_str()));
}

}  // namespace purl
