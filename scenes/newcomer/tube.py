"""A tube of cotton falls on a ball."""
try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

sleeve = cmds.polyCylinder(name="sleeve", radius=20, height=60, subdivisionsX=48, subdivisionsCaps=0, subdivisionsY=24, axis=(1, 0, 0))[0]
cmds.delete(sleeve + ".f[1152:1153]")  # both ends
cmds.move(0, 60, 0, sleeve)
cloth = cmds.purlCreate(sleeve, type="cloth", name="tube")[0]
cmds.setAttr(cloth + ".preset", 2)  # cotton

ball = cmds.polySphere(name="ball", radius=15)[0]
cmds.move(0, 15, 0, ball)
cmds.purlCreate(ball, type="collider", name="ballWall")
cmds.select(clear=True)
cmds.purlCreate(type="collider", name="floor")

cmds.playbackOptions(minTime=1, maxTime=36)
cmds.file(rename="tube.ma")
print("saved", cmds.file(save=True, type="mayaAscii"))
