"""A table cloth falls on a table; its corners fold."""
try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

table = cmds.polyCube(name="table", width=80, height=3, depth=80)[0]
cmds.move(0, 70, 0, table)
cmds.purlCreate(table, type="collider", name="tableTop")

sheet = cmds.polyPlane(name="sheet", width=140, height=140, subdivisionsX=56, subdivisionsY=56)[0]
cmds.move(0, 75, 0, sheet)
cloth = cmds.purlCreate(sheet, type="cloth", name="tablecloth")[0]
cmds.setAttr(cloth + ".preset", 2)  # cotton

cmds.select(clear=True)
cmds.purlCreate(type="collider", name="floor")

cmds.playbackOptions(minTime=1, maxTime=72)
cmds.file(rename="tablecloth.ma")
print("saved", cmds.file(save=True, type="mayaAscii"))
