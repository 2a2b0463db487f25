"""A glass is filled from a tap."""
try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

glass = cmds.polyCylinder(name="glass", radius=3.5, height=9, subdivisionsX=32, subdivisionsCaps=0)[0]
cmds.move(0, 5, 0, glass)
cmds.delete(glass + ".f[33]")  # the lid
cmds.polyExtrudeFacet(glass, thickness=0.4)
cmds.purlCreate(glass, type="collider", name="glassWall")

clear = cmds.shadingNode("lambert", asShader=True, name="clear")
cmds.setAttr(clear + ".transparency", 0.85, 0.85, 0.85, type="double3")
group = cmds.sets(name="clearSG", renderable=True, noSurfaceShader=True, empty=True)
cmds.connectAttr(clear + ".outColor", group + ".surfaceShader")
cmds.sets(glass, edit=True, forceElement=group)

tap = cmds.spaceLocator(name="tap")[0]
cmds.xform(tap, translation=(0, 14, 0), rotation=(180, 0, 0))  # an emitter emits along its y axis
jet = cmds.purlCreate(tap, type="emitter", name="jet")[0]
cmds.setAttr(jet + ".radius", 0.6)
cmds.setAttr(jet + ".rate", 0.08)  # litres per second
cmds.setAttr(jet + ".speed", 0.7)  # metres per second
water = cmds.listConnections(jet + ".outEmitter", type="purlFluid")[0]
cmds.setAttr(water + ".particleSpacing", 0.4)

cmds.select(clear=True)
cmds.purlCreate(type="collider", name="floor")

cmds.playbackOptions(minTime=1, maxTime=96)
cmds.file(rename="glass.ma")
print("saved", cmds.file(save=True, type="mayaAscii"))
