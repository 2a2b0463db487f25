// A graph of the host's with Purl's nodes in it, and a tank of water to play.
#pragma once
#include <gtest/gtest.h>
#include <maya/MPlug.h>

#include <memory>
#include <string>
#include <vector>

#include "host/api/access.h"
#include "host/host.h"
#include "nodes/data.h"

MStatus initializePlugin(MObject);

namespace purl {

using host::NodePtr;
using host::Plug;

class Nodes : public testing::Test {
  protected:
    void SetUp() override {
        if (!host::pluginLoaded("purl")) host::loadPlugin("purl", initializePlugin);
        graph.sink = [this](host::Severity severity, const std::string& text) {
            if (severity == host::Severity::Error) errors.push_back(text);
            if (severity == host::Severity::Warning) warnings.push_back(text);
        };
    }

    // A cube mesh of that size, moved; returns its shape.
    NodePtr cube(const std::string& name, double size, double x, double y, double z) {
        const NodePtr transform = graph.create("transform", name);
        transform->plug("translate").set(x, y, z);
        const NodePtr shape = graph.create("mesh", name + "Shape", transform);
        const NodePtr maker = graph.create("polyCube", name + "Cube");
        for (const char* edge : {"width", "height", "depth"}) maker->plug(edge).set(size);
        graph.connect(maker->plug("output"), shape->plug("inMesh"));
        return shape;
    }

    // 6³ particles of 2 cm in a box of 20 cm, fps 24.
    NodePtr smallTank() {
        fluid = graph.create("purlFluid", "water");
        graph.connect(cube("block", 12, 0, 6, 0)->plug("worldMesh[0]"), fluid->plug("inMesh[0]"));
        walls = graph.create("purlCollider", "walls");
        walls->plug("shape").setFromText("box");
        walls->plug("container").set(1);
        walls->plug("halfSize").set(10, 20, 10);
        const NodePtr place = graph.create("transform", "wallsPlace");
        place->plug("translate").set(0, 20, 0);
        graph.connect(place->plug("worldMatrix[0]"), walls->plug("inMatrix"));
        solver = graph.create("purlSolver", "solver");
        graph.connect(fluid->plug("outBody"), solver->plug("bodies[0]"));
        graph.connect(walls->plug("outBody"), solver->plug("bodies[1]"));
        graph.connect(graph.time1()->plug("outTime"), solver->plug("currentTime"));
        return solver;
    }

    template <class Data>
    auto value(const Plug& plug) {
        EXPECT_EQ(plug.evaluate(), host::Result::Done) << (errors.empty() ? "" : errors.back());
        return Data::get(host::Api::make(plug).asMObject());
    }
    std::shared_ptr<const Frame> frameAt(double frame) {
        graph.setFrame(frame);
        return value<FrameData>(solver->plug("outFrame"));
    }

    host::Graph graph;
    host::Graph::Scope scope{graph};
    std::vector<std::string> errors, warnings;
    NodePtr fluid, walls, solver;
};

}  // namespace purl
