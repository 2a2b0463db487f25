#include "app/view/create.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace purl {
namespace {

std::vector<std::string> listOf(const host::CommandResult& result) {
    if (const auto* list = std::get_if<std::vector<std::string>>(&result)) return *list;
    if (const auto* one = std::get_if<std::string>(&result)) return {*one};
    return {};
}

std::string numbers(double x, double y, double z) {
    char text[96];
    std::snprintf(text, sizeof text, "%.6g %.6g %.6g", x, y, z);
    return text;
}

// Of a node that these commands have made: undo removes it as a whole.
void place(host::Session& session, const std::string& transform, Vec3 at) {
    const double unit = session.graph().units.cmPerUnit;
    session.set(transform + ".translate=" + numbers(double(at.x) / unit, double(at.y) / unit, double(at.z) / unit));
}

std::string typeNamed(const std::string& kind) {
    return "purl" + std::string(1, static_cast<char>(std::toupper(kind[0]))) + kind.substr(1);
}

bool isPrimitive(const std::string& kind) {
    const std::vector<std::string> all = primitiveCommands();
    return std::find(all.begin(), all.end(), kind) != all.end();
}

bool isLocator(const host::Node& transform) {
    return transform.children.size() == 1 && transform.children[0]->type->name == "locator";
}

}  // namespace

// The polygon nodes that have a command and take no mesh.
std::vector<std::string> primitiveCommands() {
    std::vector<std::string> names;
    for (const std::string& name : host::typeNames()) {
        const host::Type& type = *host::findType(name);
        const bool takesMesh = type.find("inputPolymesh") || type.find("inputPoly");
        if (name.rfind("poly", 0) == 0 && host::Session::knowsCommand(name) && !takesMesh) names.push_back(name);
    }
    return names;
}

Player::Commands creation(const std::string& kind, const std::string& selected, Vec3 at, float size) {
    return [=](host::Session& session) {
        if (isPrimitive(kind)) {
            const std::string name = listOf(session.command(kind)).front();
            place(session, name, at);
            // Primitives are about two units across.
            const double half = double(size) / 2;
            session.set(name + ".scale=" + numbers(half, half, half));
            return name;
        }
        std::vector<std::string> words{"-type", kind};
        if (!selected.empty()) words.push_back(selected);
        const std::vector<std::string> names = listOf(session.command("purlCreate", words));
        std::string made = names.empty() ? std::string() : names.front();
        for (const std::string& name : names) {
            const host::NodePtr node = session.graph().find(name);
            if (!node) continue;
            if (node->type->name == typeNamed(kind)) made = name;
            if (node->type->isA("transform") && name != selected && isLocator(*node)) place(session, name, at);
        }
        return made;
    };
}

Player::Commands cameraCreation(const Camera& view, float aspect) {
    return [=](host::Session& session) {
        const std::vector<std::string> made = listOf(session.command("camera"));
        const std::string &name = made.at(0), &shape = made.at(1);
        place(session, name, view.position);
        const auto row = [](Vec3 axis) {
            return std::array<double, 3>{double(axis.x), double(axis.y), double(axis.z)};
        };
        host::Mat4d axes = host::kIdentity;
        const std::array<double, 3> rows[] = {row(view.axes.x), row(view.axes.y), row(view.axes.z)};
        for (size_t k = 0; k < 3; ++k) std::copy(rows[k].begin(), rows[k].end(), axes.begin() + long(4 * k));
        const host::Vec3d angles = host::decompose(axes, host::RotateOrder::xyz).rotate;
        const double unit = session.graph().units.radiansPerUnit;
        session.set(name + ".rotate=" + numbers(angles[0] / unit, angles[1] / unit, angles[2] / unit));
        // Apertures are in inches, focal lengths in mm.
        const double aperture = 25.4 * session.graph().plug(shape + ".horizontalFilmAperture").number();
        const double tangent = std::tan(0.5 * double(view.verticalFov)) * double(aspect);
        session.set(shape + ".focalLength=" + std::to_string(0.5 * aperture / tangent));
        return name;
    };
}

Player::Commands duplication(const SceneObject& object, const std::vector<PanelAttribute>& settings) {
    return [=](host::Session& session) {
        const std::string copy = listOf(session.command("duplicate", {object.transform})).front();
        host::Graph& graph = session.graph();
        if (object.body.empty()) return copy;
        const host::NodePtr body = graph.get(object.body);
        std::string kind = body->type->name.substr(4);
        kind[0] = static_cast<char>(std::tolower(kind[0]));
        std::vector<std::string> words{"-type", kind, copy};
        // An emitter feeds the same fluid.
        if (object.kind == PanelKind::emitter)
            for (const host::Plug& end : body->plug("outEmitter").destinations()) words.push_back(end.node->name);
        std::string made = copy;
        for (const std::string& name : listOf(session.command("purlCreate", words)))
            if (const host::NodePtr node = graph.find(name); node && node->type == body->type) made = name;
        for (const PanelAttribute& row : settings)
            if (row.driver.empty() && row.value != row.defaultValue && row.type != "string")
                session.set(made + "." + row.name + "=" + body->plug(row.name).asText());
        return made;
    };
}

Player::Commands keying(const std::string& transform, int frame) {
    return [=](host::Session& session) {
        const std::string time = std::to_string(frame);
        for (const char* attribute : kPlacements)
            session.command("setKeyframe", {"-time", time, "-attribute", attribute, transform});
        return std::string();
    };
}

Player::Commands keying(const std::string& transform, int frame, Placement placement,
                        const std::array<double, 3>& values) {
    return [=](host::Session& session) {
        const std::string time = std::to_string(frame);
        for (size_t k = 0; k < 3; ++k)
            session.command("setKeyframe", {"-time", time, "-value", std::to_string(values[k]), "-attribute",
                                            kPlacements[size_t(placement)] + std::string(1, "XYZ"[k]), transform});
        return std::string();
    };
}

}  // namespace purl
