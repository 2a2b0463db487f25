"""A jet of water on a hanging cloth, from an empty scene: the same script in Maya and without it.

    python scenes/jetOnCloth.py out/jetOnCloth 48        without Maya
    execfile it in Maya's script editor                  with it
"""
import sys

try:
    from maya import cmds
except ImportError:
    from purl import cmds


def build():
    """The scene; returns the solver."""
    cmds.file(new=True, force=True)
    cmds.loadPlugin("purl", quiet=True)

    sheet = cmds.polyPlane(name="sheet", width=12, height=12, subdivisionsX=12, subdivisionsY=12, axis=(0, 0, 1))[0]
    cmds.move(0, 12, 0, sheet)
    cloth = cmds.purlCreate(sheet, type="cloth", name="towel")[0]
    cmds.setAttr(cloth + ".pinnedVertices", "156:168", type="string")
    cmds.setAttr(cloth + ".preset", 2)

    cmds.select(clear=True)
    place = cmds.spaceLocator(name="nozzle")[0]
    cmds.xform(place, worldSpace=True, translation=(0, 12, 8), rotation=(-90, 0, 0))
    emitter = cmds.purlCreate(place, type="emitter", name="jet")[0]
    cmds.setAttr(emitter + ".radius", 1)
    cmds.setAttr(emitter + ".rate", 0.4)
    cmds.setAttr(emitter + ".speed", 1.5)
    fluid = cmds.listConnections(emitter + ".outEmitter", type="purlFluid")[0]
    cmds.setAttr(fluid + ".particleSpacing", 0.6)

    cmds.select(clear=True)
    cmds.purlCreate(type="collider", name="floor")
    return cmds.listConnections(cloth + ".outBody", type="purlSolver")[0]


def cache(solver, directory, last):
    """Simulates into a cache, which is played back from then on. Returns the folder."""
    cmds.playbackOptions(minTime=1, maxTime=last)
    return cmds.purlCacheSim(solver=solver, directory=directory, startFrame=1, endFrame=last)


if __name__ == "__main__":
    cache(build(), sys.argv[1] if len(sys.argv) > 1 else "out/jetOnCloth", int(sys.argv[2]) if len(sys.argv) > 2 else 48)
