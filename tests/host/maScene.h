// Scenes loaded from text or files, and their messages.
#pragma once
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "host/ma/load.h"
#include "host/shapes/polyMesh.h"

namespace purl::host::test {

namespace fs = std::filesystem;

constexpr double kDegree = 0.017453292519943295;

// A loaded graph and its messages.
struct Scene {
    Graph graph;
    LoadReport report;
    std::vector<std::string> errors;

    explicit Scene(const std::string& body,
                   const std::string& header = "//Maya ASCII 2024 scene\nrequires maya \"2024\";\n") {
        listen();
        report = loadSceneText(graph, header + body, "scene.ma");
    }
    struct File {
        fs::path path;
    };
    explicit Scene(const File& file) {
        listen();
        report = loadScene(graph, file.path.string());
    }
    void listen() {
        graph.sink = [this](Severity severity, const std::string& text) {
            if (severity == Severity::Error) errors.push_back(text);
        };
    }
    double number(const char* plug) { return graph.plug(plug).number(); }
    // x y z of each vertex, with the matrix of worldMesh data applied
    std::vector<float> points(const char* plug) {
        auto mesh = graph.plug(plug).data<MeshData>();
        if (!mesh) return {};
        std::vector<float> all;
        for (std::size_t i = 0; i < mesh->points.size(); i += 3)
            for (unsigned k = 0; k < 3; ++k) {
                double x = mesh->matrix(3, k);
                for (unsigned j = 0; j < 3; ++j) x += mesh->points[i + j] * mesh->matrix(j, k);
                all.push_back(static_cast<float>(x));
            }
        return all;
    }
};

// What loading this text throws; empty if nothing.
inline std::string errorOf(const std::string& text) {
    Graph graph;
    try {
        loadSceneText(graph, text, "scene.ma");
    } catch (const Error& e) { return e.what(); }
    return "";
}

// A cube as Maya saves it.
inline const char* const kStoredCube = R"(
createNode transform -n "box";
createNode mesh -n "boxShape" -p "box";
	setAttr -k off ".v";
	setAttr ".uvst[0].uvsn" -type "string" "map1";
	setAttr -s 14 ".uvst[0].uvsp[0:13]" -type "float2" 0.375 0 0.625 0 0.375
		 0.25 0.625 0.25 0.375 0.5 0.625 0.5 0.375 0.75 0.625 0.75 0.375 1 0.625 1 0.875 0
		 0.875 0.25 0.125 0 0.125 0.25;
	setAttr ".cuvs" -type "string" "map1";
	setAttr -s 8 ".vt[0:7]"  -0.5 -0.5 0.5 0.5 -0.5 0.5 -0.5 0.5 0.5 0.5 0.5 0.5;
	setAttr ".vt[4:7]" -0.5 0.5 -0.5 0.5 0.5 -0.5 -0.5 -0.5 -0.5 0.5 -0.5 -0.5;
	setAttr -s 12 ".ed[0:11]"  0 1 0 2 3 0 4 5 0 6 7 0 0 2 0 1 3 0 2 4 0
		 3 5 0 4 6 0 5 7 0 6 0 0 7 1 0;
	setAttr -s 6 -ch 24 ".fc[0:5]" -type "polyFaces" 
		f 4 0 5 -2 -5
		mu 0 4 0 1 3 2
		f 4 1 7 -3 -7
		mu 0 4 2 3 5 4;
	setAttr ".fc[2:5]" 
		f 4 2 9 -4 -9
		mu 0 4 4 5 7 6
		f 4 3 11 -1 -11
		mu 0 4 6 7 9 8
		f 4 -12 -10 -8 -6
		mu 0 4 1 10 11 3
		f 4 10 4 6 8
		mu 0 4 12 0 2 13;
	setAttr ".cd" -type "dataPolyComponent" Index_Data Edge 0 ;
)";

}  // namespace purl::host::test
