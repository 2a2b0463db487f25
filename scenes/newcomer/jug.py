"""A jug of water is poured into a bowl."""
try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

jug = cmds.polyCylinder(name="jug", radius=3.5, height=9, subdivisionsX=32, subdivisionsCaps=0, subdivisionsY=4)[0]
cmds.delete(jug + ".f[129]")  # the lid
cmds.polyExtrudeFacet(jug, thickness=0.6)
cmds.move(-8, 16, 0, jug)
cmds.purlCreate(jug, type="collider", name="jugWall")

clear = cmds.shadingNode("lambert", asShader=True, name="clear")
cmds.setAttr(clear + ".transparency", 0.85, 0.85, 0.85, type="double3")
group = cmds.sets(name="clearSG", renderable=True, noSurfaceShader=True, empty=True)
cmds.connectAttr(clear + ".outColor", group + ".surfaceShader")
cmds.sets(jug, edit=True, forceElement=group)

fill = cmds.polyCylinder(name="fill", radius=3.5, height=7, subdivisionsX=32)[0]
cmds.move(-8, 15, 0, fill)
water = cmds.purlCreate(fill, type="fluid", name="water")[0]
cmds.setAttr(water + ".particleSpacing", 0.5)

for frame, angle in ((1, 0), (12, 0), (60, -110)):
    cmds.setKeyframe(jug, attribute="rotateZ", time=frame, value=angle)

bowl = cmds.polySphere(name="bowl", radius=8, subdivisionsX=32, subdivisionsY=16)[0]
cmds.delete(bowl + ".f[224:447]", bowl + ".f[480:511]")  # the upper half
cmds.polyExtrudeFacet(bowl, thickness=0.8)
cmds.move(0, 8.8, 0, bowl)
cmds.purlCreate(bowl, type="collider", name="bowlWall")

cmds.select(clear=True)
cmds.purlCreate(type="collider", name="floor")

cmds.playbackOptions(minTime=1, maxTime=96)
cmds.file(rename="jug.ma")
print("saved", cmds.file(save=True, type="mayaAscii"))
