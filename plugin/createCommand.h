// purlCreate: a fluid, an emitter, a collider, a rigid body, a cloth, a knit, a soft body, a field or a solver from
// what is selected, wired as a stock "create nCloth" does: time into the solver, the mesh into the body, the body into
// the solver, and an output with a shape of its own behind it. Type rigid with a collider that exists makes that
// dynamic.
//     purlCreate -type cloth [-name flag] [-solver purlSolver1] [-output off] [pPlane1 …]
//     purlCreate -query -type                     what there is to create
#pragma once
#include "plugin/command.h"

namespace purl {

class CreateCommand : public PurlCommand {
  public:
    static constexpr const char* kName = "purlCreate";
    static void* creator() { return new CreateCommand; }
    static MSyntax newSyntax();

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

    MObject solver();  // that bodies join: found, or made
    MObject body(const char* type);
    void join(const MObject& body);
    MObject place(const MObject& object);  // the transform of an object, or a new locator's
    void takeMesh(const MObject& mesh, const MPlug& in, bool becomesIntermediate);
    MObject showMesh(const MPlug& mesh, const char* name);  // its transform
    void showRigid(const MObject& collider);
    static MObject colliderOf(const MObject& mesh);  // that the mesh feeds; null: none
    static bool isShown(const MObject& collider);    // a purlRigid follows it
    void showCurve(const MPlug& curve, const char* name);
    std::vector<MObject> selected(const char* shapeType) const;
    void tell(const MObject& node);

    static const Kind kKinds[];
    static std::string kindNames();
    std::vector<MObject> objects_, made_;
    MString name_, solverName_;
    MObject solver_;
    bool output_ = true;
};

}  // namespace purl
