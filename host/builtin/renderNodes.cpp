// Nodes for rendering: cameras, lights, shaders, sets and render settings. They only store attributes.
#include "host/builtin/builtin.h"
#include "host/builtin/declare.h"

namespace purl::host {
namespace {

Type& declare(const char* name, const char* base, const std::vector<AttrPtr>& attributes) {
    Type& type = addType(name, base);
    for (const AttrPtr& a : attributes) type.add(a);
    return type;
}

constexpr double kDegree = 0.017453292519943295;

void addCamera() {
    Type& camera = declare("camera", "shape",
                           {number("focalLength", "fl", 35),  // mm
                            numeric("cameraAperture", "cap", Kind::Double,
                                    {number("horizontalFilmAperture", "hfa", 1.41732),
                                     number("verticalFilmAperture", "vfa", 0.94488)}),  // inches
                            number("lensSqueezeRatio", "lsr", 1),
                            enumeration("filmFit", "ff", {"Fill", "Horizontal", "Vertical", "Overscan"}, 1),
                            numeric("filmOffset", "fio", Kind::Double,
                                    {number("horizontalFilmOffset", "hfo"), number("verticalFilmOffset", "vfo")}),
                            distance("nearClipPlane", "ncp", 0.1),
                            distance("farClipPlane", "fcp", 10000),
                            distance("centerOfInterest", "coi", 5),
                            boolean("orthographic", "o"),
                            distance("orthographicWidth", "ow", 10),
                            number("cameraScale", "cs", 1),
                            boolean("depthOfField", "dof"),
                            number("fStop", "fs", 5.6),
                            distance("focusDistance", "fd", 5),
                            angle("shutterAngle", "sa", 144 * kDegree),
                            boolean("renderable", "rnd", true),
                            vector3("tumblePivot", "tp", Kind::Distance),
                            text("imageName", "imn"),
                            text("depthName", "den"),
                            text("maskName", "man"),
                            text("homeCommand", "hc"),
                            boolean("displayResolution", "dr"),
                            boolean("displayFilmGate", "dfg"),
                            number("overscan", "ovr", 1),
                            color("backgroundColor", "col", 0, 0, 0)});
    camera.apiType = MFn::kCamera;
}

// The hierarchy is Maya's. Lights that are not extended shine from one point or in one direction.
void addLights() {
    const auto light = [](const char* name, const char* base, MFn::Type fn, const std::vector<AttrPtr>& attributes) {
        declare(name, base, attributes).apiType = fn;
    };
    light(
        "light", "shape", MFn::kLight,
        {color("color", "cl", 1, 1, 1), number("intensity", "in", 1, Kind::Float), boolean("useRayTraceShadows", "urs"),
         color("shadowColor", "sc", 0, 0, 0), number("shadowRays", "shr", 1, Kind::Short),
         number("rayDepthLimit", "rdl", 1, Kind::Short), number("centerOfIllumination", "col", 5)});
    light("renderLight", "light", MFn::kLight, {});
    light("ambientLight", "renderLight", MFn::kAmbientLight,
          {number("ambientShade", "as", 0.45, Kind::Float), boolean("castSoftShadows", "cw"),
           number("shadowRadius", "sr", 0, Kind::Float)});
    light("nonAmbientLightShapeNode", "renderLight", MFn::kNonAmbientLight,
          {enumeration("decayRate", "de", {"No Decay", "Linear", "Quadratic", "Cubic"}),
           boolean("emitDiffuse", "edi", true), boolean("emitSpecular", "esp", true)});
    light("areaLight", "nonAmbientLightShapeNode", MFn::kAreaLight, {});
    light("nonExtendedLightShapeNode", "nonAmbientLightShapeNode", MFn::kNonExtendedLight,
          {boolean("castSoftShadows", "cw"), number("lightRadius", "lr", 0, Kind::Float),
           boolean("useDepthMapShadows", "dms"), text("dmapName", "ufn")});
    light("directionalLight", "nonExtendedLightShapeNode", MFn::kDirectionalLight,
          {number("lightAngle", "lang", 0, Kind::Float), boolean("useLightPosition", "up")});
    light("pointLight", "nonExtendedLightShapeNode", MFn::kPointLight, {});
    light("spotLight", "nonExtendedLightShapeNode", MFn::kSpotLight,
          {angle("coneAngle", "ca", 40 * kDegree), angle("penumbraAngle", "pa"), number("dropoff", "dro")});
}

void addShaders() {
    declare("lambert", "dependNode",
            {color("color", "c", 0.5, 0.5, 0.5), color("transparency", "it", 0, 0, 0),
             color("ambientColor", "ambc", 0, 0, 0), color("incandescence", "ic", 0, 0, 0),
             number("diffuse", "dc", 0.8, Kind::Float), number("translucence", "tc", 0, Kind::Float),
             vector3("normalCamera", "n", Kind::Float), color("outColor", "oc", 0, 0, 0),
             color("outTransparency", "ot", 0, 0, 0)});
    declare("reflect", "lambert",
            {color("specularColor", "sc", 0.5, 0.5, 0.5), number("reflectivity", "rfl", 0.5, Kind::Float),
             color("reflectedColor", "rc", 0, 0, 0)});
    declare("blinn", "reflect",
            {number("eccentricity", "ec", 0.3, Kind::Float), number("specularRollOff", "sro", 0.7, Kind::Float)});
    declare("phong", "reflect", {number("cosinePower", "cp", 20, Kind::Float)});
    declare("phongE", "reflect",
            {number("roughness", "rn", 0.7, Kind::Float), number("highlightSize", "hs", 0.5, Kind::Float)});
    declare("surfaceShader", "dependNode",
            {color("outColor", "oc", 0, 0, 0), color("outTransparency", "ot", 0, 0, 0),
             color("outGlowColor", "ogc", 0, 0, 0)});
    declare(
        "standardSurface", "dependNode",
        {number("base", "b", 1, Kind::Float), color("baseColor", "bc", 0.8, 0.8, 0.8),
         number("diffuseRoughness", "dr", 0, Kind::Float), number("metalness", "m", 0, Kind::Float),
         number("specular", "s", 1, Kind::Float), color("specularColor", "sc", 1, 1, 1),
         number("specularRoughness", "sr", 0.2, Kind::Float), number("specularIOR", "sior", 1.5, Kind::Float),
         number("transmission", "t", 0, Kind::Float), color("transmissionColor", "tc", 1, 1, 1),
         number("subsurface", "ss", 0, Kind::Float), number("coat", "ct", 0, Kind::Float),
         number("emission", "e", 0, Kind::Float), color("emissionColor", "ec", 1, 1, 1), color("opacity", "o", 1, 1, 1),
         boolean("thinWalled", "tw"), vector3("normalCamera", "n", Kind::Float), color("outColor", "oc", 0, 0, 0)});
}

void addSets() {
    Type& set = declare("objectSet", "dependNode",
                        {array(message("dagSetMembers", "dsm")), array(message("dnSetMembers", "dnsm")),
                         number("memberWireframeColor", "mwc", -1, Kind::Short), array(message("groupNodes", "gn")),
                         message("partition", "pa"), text("annotation", "an"), boolean("renderableOnlySet", "ro")});
    set.apiType = MFn::kSet;
    declare("shadingEngine", "objectSet",
            {color("surfaceShader", "ss", 0, 0, 0), color("volumeShader", "vs", 0, 0, 0),
             color("displacementShader", "ds", 0, 0, 0)});
}

void addSettings() {
    declare("renderGlobals", "dependNode",
            {number("startFrame", "fs", 0, Kind::Time), number("endFrame", "ef", 0, Kind::Time),
             number("byFrameStep", "bfs", 1), boolean("animation", "an"), integer("imageFormat", "outf", 7),
             text("imageFilePrefix", "ifp"), text("preMel", "prm"), text("postMel", "pom"),
             text("currentRenderer", "ren")});
    declare("resolution", "dependNode",
            {range(integer("width", "w", 640), 1), range(integer("height", "h", 480), 1),
             number("pixelAspect", "pa", 1, Kind::Float), number("deviceAspectRatio", "dar", 1.333, Kind::Float),
             boolean("lockDeviceAspectRatio", "ldar"), number("dotsPerInch", "dpi", 72, Kind::Float)});
    // MEL or Python text that Maya would run. Stored, never executed.
    declare("script", "dependNode",
            {text("before", "b"), text("after", "a"), integer("scriptType", "st"), integer("sourceType", "stp"),
             boolean("ignoreReferenceEdits", "ire")});
}

// Lists and settings of every Maya scene that nothing here reads: they only preserve what files store in them.
const struct {
    const char *name, *type, *list, *shortName;  // list: name of the list attribute
} kKeepers[] = {
    {"renderPartition", "partition", "sets", "st"},
    {"characterPartition", "partition", "sets", "st"},
    {"defaultShaderList1", "defaultShaderList", "shaders", "s"},
    {"defaultTextureList1", "defaultTextureList", "textures", "tx"},
    {"defaultRenderUtilityList1", "defaultRenderUtilityList", "utilities", "u"},
    {"defaultRenderingList1", "defaultRenderingList", "rendering", "r"},
    {"postProcessList1", "postProcessList", "postProcesses", "p"},
    {"lightList1", "lightList", "lights", "l"},
    {"renderGlobalsList1", "renderGlobalsList", "", ""},
    {"hardwareRenderGlobals", "hardwareRenderGlobals", "", ""},
    {"hardwareRenderingGlobals", "hardwareRenderingGlobals", "", ""},
    {"defaultHardwareRenderGlobals", "hwRenderGlobals", "", ""},
    {"defaultColorMgtGlobals", "colorManagementGlobals", "", ""},
    {"ikSystem", "ikSystem", "", ""},
};

void addKeepers() {
    for (const auto& keeper : kKeepers) {
        if (findType(keeper.type)) continue;
        Type& type = addType(keeper.type);
        type.placeholder = true;
        type.apiType = MFn::kUnknown;
        if (*keeper.list) type.add(array(message(keeper.list, keeper.shortName)))->indexMatters = false;
    }
}

}  // namespace

void addRenderTypes() {
    addCamera();
    addLights();
    addShaders();
    addSets();
    addSettings();
    addKeepers();
}

void addDefaultNodes(Graph& graph) {
    const auto missing = [&](const char* name) { return graph.findAll(name).empty(); };
    const struct {
        const char* name;
        Vec3d translate, degrees;
        bool orthographic;
    } cameras[] = {{"persp", {28, 21, 28}, {-27.938352729602379, 44.999999999999972, 0}, false},
                   {"top", {0, 1000.1, 0}, {-90, 0, 0}, true},
                   {"front", {0, 0, 1000.1}, {0, 0, 0}, true},
                   {"side", {1000.1, 0, 0}, {0, 90, 0}, true}};
    for (const auto& c : cameras) {
        if (!missing(c.name)) continue;
        const NodePtr transform = graph.create("transform", c.name);
        const NodePtr shape = graph.create("camera", std::string(c.name) + "Shape", transform);
        transform->plug("visibility").set(0.0);
        transform->plug("translate").set(c.translate[0], c.translate[1], c.translate[2]);
        transform->plug("rotate").set(c.degrees[0] * kDegree, c.degrees[1] * kDegree, c.degrees[2] * kDegree);
        shape->plug("orthographic").set(c.orthographic);
        shape->plug("orthographicWidth").set(30);
        shape->plug("centerOfInterest").set(c.orthographic ? 1000.1 : 44.82186966202994);
        shape->plug("renderable").set(!c.orthographic);
    }
    if (missing("lambert1")) graph.create("lambert", "lambert1");
    for (const char* name : {"initialShadingGroup", "initialParticleSE"})
        if (missing(name)) {
            const NodePtr group = graph.create("shadingEngine", name);
            graph.connect(graph.get("lambert1")->plug("outColor"), group->plug("surfaceShader"));
        }
    if (missing("standardSurface1")) graph.create("standardSurface", "standardSurface1");
    if (missing("defaultRenderGlobals")) graph.create("renderGlobals", "defaultRenderGlobals");
    if (missing("defaultResolution")) graph.create("resolution", "defaultResolution");
    for (const char* name : {"defaultLightSet", "defaultObjectSet"})
        if (missing(name)) graph.create("objectSet", name);
    for (const auto& keeper : kKeepers)
        if (missing(keeper.name)) graph.create(keeper.type, keeper.name);
}

}  // namespace purl::host
