"""A table cloth falls on a table; its corners fold."""
try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

table = cmds.polyCube(name="table", width=20, height=1, depth=20)[0]
cmds.move(0, 20, 0, table)
cmds.purlCreate(table, type="collider", name="tableTop")

sheet = cmds.polyPlane(name="sheet", width=40, height=40, subdivisionsX=40, subdivisionsY=40)[0]
cmds.move(0, 21.5, 0, sheet)
cloth = cmds.purlCreate(sheet, type="cloth", name="tablecloth")[0]
cmds.setAttr(cloth + ".preset", 2)  # cotton

cmds.select(clear=True)
cmds.purlCreate(type="collider", name="floor")

cmds.playbackOptions(minTime=1, maxTime=72)
cmds.file(rename="tablecloth.ma")
cmds.file(save=True, type="mayaAscii")
