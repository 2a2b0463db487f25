"""Red and yellow water meet in a tank and mix."""
try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

for name, x, color in (("red", -5, (0.9, 0.1, 0.05)), ("yellow", 5, (0.95, 0.85, 0.1))):
    block = cmds.polyCube(name=name + "Block", width=10, height=12 if x < 0 else 7, depth=8)[0]
    cmds.move(x, 6 if x < 0 else 3.5, 0, block)
    fluid = cmds.purlCreate(block, type="fluid", name=name)[0]
    cmds.setAttr(fluid + ".particleSpacing", 0.7)
    cmds.setAttr(fluid + ".color", *color, type="float3")
    cmds.setAttr(fluid + ".opacity", 0.8)
    cmds.setAttr(fluid + ".dispersion", 0.0005)  # the colours mix

tank = cmds.polyCube(name="tank", width=20, height=18, depth=8)[0]
cmds.move(0, 9, 0, tank)
walls = cmds.purlCreate(tank, type="collider", name="walls")[0]
cmds.setAttr(walls + ".container", True)

cmds.playbackOptions(minTime=1, maxTime=72)
cmds.file(rename="twoColours.ma")
print("saved", cmds.file(save=True, type="mayaAscii"))
