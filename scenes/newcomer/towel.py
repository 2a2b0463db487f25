"""A towel hangs in a pool, absorbs water, and is pulled out."""
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

tank = cmds.polyCube(name="tank", width=24, height=22, depth=16)[0]
cmds.move(0, 11, 0, tank)
walls = cmds.purlCreate(tank, type="collider", name="walls")[0]
cmds.setAttr(walls + ".container", True)

sheet = cmds.polyPlane(name="sheet", width=12, height=10, subdivisionsX=18, subdivisionsY=15)[0]
cmds.rotate(-90, 0, 0, sheet)  # upright, the front edge on top
towel = cmds.purlCreate(sheet, type="cloth", name="towel")[0]
cmds.setAttr(towel + ".absorption", 1)  # soaks
cmds.setAttr(towel + ".pinnedVertices", "0:18", type="string")  # the upper edge
for frame, height in ((1, 7), (24, 7), (60, 15)):
    cmds.setKeyframe(sheet, attribute="translateY", time=frame, value=height)

cmds.playbackOptions(minTime=1, maxTime=72)
cmds.file(rename="towel.ma")
print("saved", cmds.file(save=True, type="mayaAscii"))
