// purlCreate: creates a fluid, emitter, collider, rigid body, cloth, knit, soft body, field or solver from the
// selection, connected as Maya's "Create nCloth" does: time to the solver, the mesh to the body, the body to the
// solver, and an output node with a new shape after it. Type rigid with an existing collider makes that dynamic.
//     purlCreate -type cloth [-name flag] [-solver purlSolver1] [-output off] [pPlane1 …]
//     purlCreate -query -type                     lists the types
#pragma once
#include "plugin/command.h"

namespace purl {

class CreateCommand : public PurlCommand {
  public:
    static constexpr const char* kName = "purlCreate";
    static void* creator() { return new CreateCommand; }
    static CommandAbout about();

  private:
    const char* name() const override { return kName; }
    void run(const MArgDatabase& arguments) override;

    struct Kind;
    void makeSolver();
    void makeFluid();
    void makeEmitter();
    void makeCollider();
    void makeRigid();
    void makeCloth();
    void makeKnit();
    void makeSoftBody();
    void makeField();

    MObject newSolver(const MString& name);
    MObject solver();  // the solver for new bodies: existing or created
    MObject body(const char* type);
    void join(const MObject& body);
    MObject transformFor(const MObject& object);  // an object's transform, or that of a new locator
    void takeMesh(const MObject& mesh, const MPlug& in, bool becomesIntermediate);
    MObject showMesh(const MPlug& mesh, const char* name);  // returns its transform
    void showRigid(const MObject& collider);
    static MObject colliderOf(const MObject& mesh);  // fed by the mesh; null if none
    static bool isShown(const MObject& collider);    // a purlRigid displays it
    void showBody(const MObject& body, const MPlug& in, const MPlug& name);
    void showCurve(const MPlug& curve, const char* name);
    std::vector<MObject> selected(const char* shapeType) const;
    void report(const MObject& node);

    static const Kind kKinds[];
    static std::string kindNames();
    std::vector<MObject> objects_, created_;
    MString name_, solverName_;
    MObject solver_;
    bool output_ = true;
};

}  // namespace purl
