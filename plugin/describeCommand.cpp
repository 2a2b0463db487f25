#include "plugin/describeCommand.h"

#include <maya/MString.h>
#include <maya/MStringArray.h>

#include <algorithm>

#define MNoVersionString  // the version symbols belong to plugin.cpp
#include "nodes/nodes.h"
#include "plugin/commandReference.h"
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

CommandAbout DescribeCommand::about() {
    return {
        kName,
        "Describes Purl's nodes, attributes and commands as text: Markdown of all nodes without flags.",
        {{"j", "json", MSyntax::kNoArg, "As JSON instead of Markdown."},
         {"nt", "nodeType", MSyntax::kString, "This node only."},
         {"nts", "nodeTypes", MSyntax::kNoArg, "The names of all nodes."},
         {"rws", "rows", MSyntax::kNoArg,
          "The settings in the order of the attribute editor: section, attribute, sentence and type, with bars between "
          "them."},
         {"ins", "inputs", MSyntax::kNoArg, "The attributes that are connected, not set."},
         {"pnt", "paintable", MSyntax::kNoArg, "Those of them that can be painted."},
         {"tx", "text", MSyntax::kString, "A text of the user interface, by its key, in the artist's language."},
         {"cmd", "command", MSyntax::kString, "The help text of one of Purl's commands."},
         {"cms", "commands", MSyntax::kNoArg, "Markdown of all of Purl's commands."}},
        false};
}

void DescribeCommand::run(const MArgDatabase& arguments) {
    if (arguments.isFlagSet("-text")) {
        MString key;
        arguments.getFlagArgument("-text", 0, key);
        return setResult(uiString(key.asUTF8()));
    }
    if (arguments.isFlagSet("-command")) {
        MString wanted;
        arguments.getFlagArgument("-command", 0, wanted);
        for (const CommandEntry& entry : purlCommands())
            if (wanted == entry.name) return setResult(MString(helpOf(entry.about()).c_str()));
        throw Error(std::string("there is no command \"") + wanted.asUTF8() + "\" in Purl");
    }
    if (arguments.isFlagSet("-commands")) {
        std::vector<CommandAbout> all;
        for (const CommandEntry& entry : purlCommands()) all.push_back(entry.about());
        return setResult(MString(commandsAsMarkdown(all).c_str()));
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
