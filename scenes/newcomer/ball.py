"""A heavy ball and a light one fall into a pool."""
try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

pool = cmds.polyCube(name="pool", width=30, height=10, depth=20)[0]
cmds.move(0, 5, 0, pool)
water = cmds.purlCreate(pool, type="fluid", name="water")[0]
cmds.setAttr(water + ".particleSpacing", 0.8)

tank = cmds.polyCube(name="tank", width=30, height=24, depth=20)[0]
cmds.move(0, 12, 0, tank)
walls = cmds.purlCreate(tank, type="collider", name="walls")[0]
cmds.setAttr(walls + ".container", True)

for name, x, density in (("steel", -6, 7800), ("wood", 6, 500)):
    ball = cmds.polySphere(name=name + "Ball", radius=2.5)[0]
    cmds.move(x, 20, 0, ball)
    body = cmds.purlCreate(ball, type="rigid", name=name)[0]
    cmds.setAttr(body + ".density", density)  # kilograms per cubic metre

cmds.playbackOptions(minTime=1, maxTime=36)
cmds.file(rename="ball.ma")
print("saved", cmds.file(save=True, type="mayaAscii"))
