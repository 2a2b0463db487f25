"""A sponge falls into a basin of water and floats."""
try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

pool = cmds.polyCube(name="pool", width=24, height=8, depth=18)[0]
cmds.move(0, 4, 0, pool)
water = cmds.purlCreate(pool, type="fluid", name="water")[0]
cmds.setAttr(water + ".particleSpacing", 0.8)

basin = cmds.polyCube(name="basin", width=24, height=20, depth=18)[0]
cmds.move(0, 10, 0, basin)
walls = cmds.purlCreate(basin, type="collider", name="walls")[0]
cmds.setAttr(walls + ".container", True)

block = cmds.polyCube(name="block", width=9, height=3, depth=6, subdivisionsX=9, subdivisionsY=3, subdivisionsZ=6)[0]
cmds.xform(block, translation=(0, 15, 0), rotation=(0, 20, 25))
sponge = cmds.purlCreate(block, type="softBody", name="sponge")[0]
cmds.setAttr(sponge + ".preset", 2)  # sponge

cmds.playbackOptions(minTime=1, maxTime=24)
cmds.file(rename="sponge.ma")
print("saved", cmds.file(save=True, type="mayaAscii"))
