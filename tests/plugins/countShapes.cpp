// A simple command that walks the DAG: exampleCountShapes returns the number of shapes, instances counted each.
#include <maya/MFn.h>
#include <maya/MItDag.h>
#include <maya/MSimple.h>

DeclareSimpleCommand(exampleCountShapes, PLUGIN_COMPANY, "1.0")

    MStatus exampleCountShapes::doIt(const MArgList&) {
    int shapes = 0;
    for (MItDag each(MItDag::kDepthFirst, MFn::kShape); !each.isDone(); each.next()) ++shapes;
    setResult(shapes);
    return MS::kSuccess;
}
