"""A towel is lifted out of a pool by one edge and drips."""
try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

pool = cmds.polyCube(name="pool", width=24, height=6, depth=16)[0]
cmds.move(0, 3, 0, pool)
water = cmds.purlCreate(pool, type="fluid", name="water")[0]
cmds.setAttr(water + ".particleSpacing", 0.7)

tank = cmds.polyCube(name="tank", width=24, height=24, depth=16)[0]
cmds.move(0, 12, 0, tank)
walls = cmds.purlCreate(tank, type="collider", name="walls")[0]
cmds.setAttr(walls + ".container", True)

sheet = cmds.polyPlane(name="sheet", width=12, height=10, subdivisionsX=18, subdivisionsY=15)[0]
towel = cmds.purlCreate(sheet, type="cloth", name="towel")[0]
cmds.setAttr(towel + ".absorption", 1)  # soaks
cmds.setAttr(towel + ".pinnedVertices", "0:18", type="string")  # the front edge
for frame, height in ((1, 3), (12, 3), (48, 22)):
    cmds.setKeyframe(sheet, attribute="translateY", time=frame, value=height)

cmds.playbackOptions(minTime=1, maxTime=84)
cmds.file(rename="towel.ma")
cmds.file(save=True, type="mayaAscii")
