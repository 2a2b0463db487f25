"""A knitted scarf falls over a bar and gets wet in the rain."""
try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

sheet = cmds.polyPlane(name="sheet", width=8, height=36, subdivisionsX=8, subdivisionsY=36)[0]
cmds.move(0, 28, 0, sheet)
knit = cmds.purlCreate(sheet, type="knit", name="scarf")[0]
cmds.setAttr(knit + ".motion", 1)  # simulated
cmds.setAttr(knit + ".preset", 3)  # chunky
cmds.setAttr(knit + ".color", 0.75, 0.25, 0.2, type="float3")

bar = cmds.polyCylinder(name="bar", radius=1.5, height=20, axis=(1, 0, 0))[0]
cmds.move(0, 25.5, 0, bar)
cmds.purlCreate(bar, type="collider", name="barWall")

cloud = cmds.spaceLocator(name="cloud")[0]
cmds.xform(cloud, translation=(0, 36, 0), rotation=(180, 0, 0))
rain = cmds.purlCreate(cloud, type="emitter", name="rain")[0]
cmds.setAttr(rain + ".radius", 6)
cmds.setAttr(rain + ".rate", 0.03)  # litres per second
cmds.setAttr(rain + ".speed", 1)
water = cmds.listConnections(rain + ".outEmitter", type="purlFluid")[0]
cmds.setAttr(water + ".particleSpacing", 0.4)

cmds.select(clear=True)
cmds.purlCreate(type="collider", name="floor")

cmds.playbackOptions(minTime=1, maxTime=60)
cmds.file(rename="scarf.ma")
print("saved", cmds.file(save=True, type="mayaAscii"))
