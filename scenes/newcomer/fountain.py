"""A jet rises from a bowl of water and falls back into it."""
try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

bowl = cmds.polyCylinder(name="bowl", radius=14, height=7, subdivisionsX=40, subdivisionsCaps=0)[0]
cmds.move(0, 4.5, 0, bowl)
cmds.delete(bowl + ".f[41]")  # the lid
cmds.polyExtrudeFacet(bowl, thickness=1)
cmds.purlCreate(bowl, type="collider", name="bowlWall")

pool = cmds.polyCylinder(name="pool", radius=14, height=3, subdivisionsX=40)[0]
cmds.move(0, 2.5, 0, pool)
water = cmds.purlCreate(pool, type="fluid", name="water")[0]
cmds.setAttr(water + ".particleSpacing", 0.7)

nozzle = cmds.spaceLocator(name="nozzle")[0]
cmds.move(0, 5, 0, nozzle)
jet = cmds.purlCreate(nozzle, water, type="emitter", name="jet")[0]
cmds.setAttr(jet + ".radius", 1)
cmds.setAttr(jet + ".rate", 0.5)  # litres per second
cmds.setAttr(jet + ".speed", 1.6)  # metres per second
cmds.setAttr(jet + ".endTime", 2.5)  # seconds, before the bowl is full

cmds.select(clear=True)
cmds.purlCreate(type="collider", name="floor")

cmds.playbackOptions(minTime=1, maxTime=96)
cmds.file(rename="fountain.ma")
print("saved", cmds.file(save=True, type="mayaAscii"))
