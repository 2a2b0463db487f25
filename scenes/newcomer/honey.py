"""Honey is poured on a box and runs down its sides."""
try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

spout = cmds.spaceLocator(name="spout")[0]
cmds.xform(spout, translation=(0, 10, 0), rotation=(180, 0, 0))
pour = cmds.purlCreate(spout, type="emitter", name="pour")[0]
cmds.setAttr(pour + ".radius", 0.7)
cmds.setAttr(pour + ".rate", 0.08)  # litres per second
cmds.setAttr(pour + ".speed", 0.5)  # metres per second
honey = cmds.listConnections(pour + ".outEmitter", type="purlFluid")[0]
cmds.setAttr(honey + ".preset", 6)  # honey
cmds.setAttr(honey + ".particleSpacing", 0.4)

box = cmds.polyCube(name="box", width=7, height=5, depth=7)[0]
cmds.move(0, 2.5, 0, box)
cmds.purlCreate(box, type="collider", name="boxWall")
cmds.select(clear=True)
cmds.purlCreate(type="collider", name="floor")

cmds.playbackOptions(minTime=1, maxTime=72)
cmds.file(rename="honey.ma")
print("saved", cmds.file(save=True, type="mayaAscii"))
