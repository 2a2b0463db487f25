"""A Maya scene small enough for a test: a block of water in a tank, written as Maya would write it."""

HEAD = """//Maya ASCII 2022 scene
requires maya "2022";
requires -nodeType "purlFluid" -nodeType "purlSolver" "purl" "0.1.0";
currentUnit -l centimeter -a degree -t film;
"""


def cube(name, size, at=(0, 0, 0)):
    """A polyCube with its transform and shape, as a scene stores one with history: no points, only sizes."""
    return f"""createNode transform -n "{name}";
	setAttr ".t" -type "double3" {at[0]} {at[1]} {at[2]} ;
createNode mesh -n "{name}Shape" -p "{name}";
createNode polyCube -n "{name}Cube";
	setAttr ".w" {size[0]};
	setAttr ".h" {size[1]};
	setAttr ".d" {size[2]};
connectAttr "{name}Cube.out" "{name}Shape.i";
"""


def tinyScene(frames=8, block=(16, 20, 16), spacing=2, extra="", surface=True, connectTime=True):
    """The text of a scene: `block` cm of water in one corner of a 40 cm tank, particles `spacing` cm apart (640 of them).
    Nodes: water, walls, solver, surface. `extra` stands at the end; body slots from 2 on are free."""
    text = HEAD
    text += cube("block", block, (-20 + block[0] / 2, block[1] / 2, 0))
    text += f"""createNode transform -n "tank";
	setAttr ".t" -type "double3" 0 20 0 ;
createNode purlFluid -n "water";
	setAttr ".particleSpacing" {spacing};
	setAttr ".stiffness" 60;
	setAttr ".viscosity" 1.5;
createNode purlCollider -n "walls";
	setAttr ".shape" 2;
	setAttr ".container" yes;
	setAttr ".halfSize" -type "double3" 20 20 {block[2] / 2} ;
createNode purlSolver -n "solver";
createNode script -n "sceneConfigurationScriptNode";
	setAttr ".b" -type "string" "playbackOptions -min 1 -max {frames} -ast 1 -aet {frames} ";
	setAttr ".st" 6;
connectAttr "blockShape.w" "water.inMesh[0]";
connectAttr "tank.wm" "walls.inMatrix";
connectAttr "water.outBody" "solver.bodies[0]";
connectAttr "walls.outBody" "solver.bodies[1]";
"""
    if connectTime:
        text += 'connectAttr ":time1.o" "solver.currentTime";\n'
    if surface:
        text += 'createNode purlSurface -n "surface";\nconnectAttr "solver.outFrame" "surface.inFrame";\n'
    return text + extra + "// End of scene\n"


def paddle(keyed, frames=12):
    """A plate that stands at the tank's left end, before the water of `paddleScene`; keyed, it moves 12 cm to the right."""
    text = cube("paddle", (4, 40, 16), (-18, 20, 0))
    text += """createNode purlCollider -n "paddleSolid";
connectAttr "paddleShape.w" "paddleSolid.inMesh";
connectAttr "paddleSolid.outBody" "solver.bodies[2]";
"""
    if keyed:
        text += f"""createNode animCurveTL -n "paddle_translateX";
	setAttr ".tan" 2;
	setAttr -s 2 ".ktv[0:1]"  1 -18 {frames} -6;
connectAttr "paddle_translateX.o" "paddle.tx";
"""
    return text


def paddleScene(keyed, frames=12):
    """A pool that fills the tank right of the paddle, 12 cm deep."""
    text = tinyScene(frames=frames, block=(36, 12, 16), extra=paddle(keyed, frames), surface=False)
    return text.replace('"double3" -2.0 6.0 0', '"double3" 2.0 6.0 0')
