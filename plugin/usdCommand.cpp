#include "plugin/usdCommand.h"

#include <maya/MArgDatabase.h>
#include <maya/MGlobal.h>
#include <maya/MObject.h>
#include <maya/MString.h>
#include <maya/MStringArray.h>
#include <maya/MSyntax.h>

#include <filesystem>

#include "plugin/looks.h"
#include "solver/cache/usdStage.h"
#include "solver/core/error.h"
#include "solver/core/path.h"

namespace purl {

CommandAbout UsdStageCommand::about() {
    return {kName,
            "Writes a USD layer that shows a cache, with materials for water and fabrics, and creates a "
            "mayaUsdProxyShape that follows it in time. The cache needs .usda files. Returns the shape and the layer.",
            {{"dir", "directory", MSyntax::kString, "Folder of the cache. [that of the solver's purlCache]"},
             {"f", "file", MSyntax::kString, "USD layer to write (.usda). [stage.usda in the cache's folder]"},
             {"lo", "layerOnly", MSyntax::kNoArg, "Only writes the layer, which needs no maya-usd."},
             {"n", "name", MSyntax::kString, "Name of the shape's transform. [purlStage1]"},
             kSolverFlag}};
}

// The type belongs to maya-usd, which is loaded if it is not.
MObject UsdStageCommand::createProxy(const MString& name) {
    const char* const type = "mayaUsdProxyShape";
    const MObject parent = createTransform(name);
    const MString shape = nameOf(parent) + "Shape";
    try {
        return createShape(type, shape, parent);
    } catch (const Error&) {
        if (!MGlobal::executeCommand("loadPlugin -quiet \"mayaUsdPlugin\""))
            throw Error(std::string(type) +
                        " is unknown; load mayaUsdPlugin, or write the layer alone with -layerOnly");
        return createShape(type, shape, parent);
    }
}

void UsdStageCommand::run(const MArgDatabase& arguments) {
    const auto text = [&](const char* flag, const MString& otherwise) {
        MString value = otherwise;
        if (arguments.isFlagSet(flag)) arguments.getFlagArgument(flag, 0, value);
        return value;
    };
    MString directory = text("-directory", "");
    if (directory.length() == 0) {
        const MObject cache = cacheBehind(requireSolver(arguments));
        if (cache.isNull()) throw Error("no cache: give its folder with -directory, or write one with purlCacheSim");
        directory = plugOf(cache, "directory").asString();
    }
    const CacheReader cache(directory.asUTF8());
    const std::filesystem::path layer =
        text("-file", toText(toPath(directory.asUTF8()) / "stage.usda").c_str()).asUTF8();
    if (layer.extension() != ".usda") throw Error(toText(layer) + ": the layer is text; its name ends in .usda");
    const std::string looks = toText(layer.stem()) + ".looks.usda";
    const std::string stage = encodeUsdStage(cache, toText(layer), "./" + looks);
    writeFile(toText(layer.parent_path() / looks), std::string(kLooks));
    writeFile(toText(layer), stage);
    if (arguments.isFlagSet("-layerOnly")) return setResult(MString(toText(layer).c_str()));

    const MObject proxy = createProxy(text("-name", "purlStage1"));
    set(plugOf(proxy, "filePath"), MString(toText(std::filesystem::absolute(layer)).c_str()));
    set(plugOf(proxy, "primPath"), MString("/World"));
    connect(plugOf(timeNode(), "outTime"), plugOf(proxy, "time"));
    MStringArray result;
    result.append(nameOf(proxy));
    result.append(MString(toText(layer).c_str()));
    setResult(result);
}

}  // namespace purl
