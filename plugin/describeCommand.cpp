#include "plugin/describeCommand.h"

#include <maya/MArgDatabase.h>
#include <maya/MGlobal.h>
#include <maya/MString.h>
#include <maya/MStringArray.h>

#define MNoVersionString  // the version symbols belong to plugin.cpp
#include "nodes/nodes.h"

namespace purl {

MSyntax DescribeCommand::newSyntax() {
    MSyntax syntax;
    syntax.addFlag("-j", "-json");
    syntax.addFlag("-nt", "-nodeType", MSyntax::kString);
    syntax.addFlag("-nts", "-nodeTypes");
    syntax.addFlag("-rws", "-rows");
    syntax.addFlag("-ins", "-inputs");
    return syntax;
}

MStatus DescribeCommand::doIt(const MArgList& arguments) {
    MStatus status;
    const MArgDatabase parsed(syntax(), arguments, &status);
    if (!status) return status;
    std::vector<NodeReference> nodes = nodeReferences();
    if (parsed.isFlagSet("-nt")) {
        MString wanted;
        parsed.getFlagArgument("-nt", 0, wanted);
        std::vector<NodeReference> chosen;
        for (const NodeReference& node : nodes)
            if (wanted == node.name.c_str()) chosen.push_back(node);
        if (chosen.empty()) {
            MGlobal::displayError(MString(kName) + ": there is no node type \"" + wanted + "\" in Purl");
            return MS::kInvalidParameter;
        }
        nodes = chosen;
    }
    MStringArray list;
    if (parsed.isFlagSet("-nts")) {
        for (const NodeReference& node : nodes) list.append(node.name.c_str());
    } else if (parsed.isFlagSet("-rws") || parsed.isFlagSet("-ins")) {
        const bool settings = parsed.isFlagSet("-rws");
        for (const NodeReference& node : nodes)
            for (const AttributeReference& row : node.attributes) {
                const bool isSetting = row.use == "setting";
                if (isSetting != settings) continue;
                const std::string section = row.section.empty() ? node.name.substr(4) : row.section;
                list.append((settings ? section + "|" + row.name + "|" + row.sentence : row.name).c_str());
            }
    }
    if (parsed.isFlagSet("-nts") || parsed.isFlagSet("-rws") || parsed.isFlagSet("-ins")) {
        setResult(list);
        return MS::kSuccess;
    }
    const std::string text = parsed.isFlagSet("-j") ? toJson(nodes) : toMarkdown(nodes);
    setResult(MString(text.c_str()));
    return MS::kSuccess;
}

}  // namespace purl
