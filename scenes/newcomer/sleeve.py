"""A knit follows a garment that comes as a sequence of OBJ files."""
import math
import os

try:
    from maya import cmds
except ImportError:
    from purl import cmds

cmds.file(new=True, force=True)
cmds.loadPlugin("purl", quiet=True)

# An example sequence, as another program would export it: a bending sleeve. Omit this if you have your own files.
os.makedirs("garment", exist_ok=True)
around, along = 32, 30
for frame in range(1, 49):
    bend = 0.9 * math.sin(math.pi * (frame - 1) / 47)
    with open(f"garment/garment.{frame:04d}.obj", "w") as file:
        for j in range(along + 1):
            t = j / along
            angle, x, y = bend * t, 12 * t * t * bend, 24 * t
            for i in range(around):
                a = 2 * math.pi * i / around
                r = 5 - 1.5 * t
                file.write("v %.4f %.4f %.4f\n" % (x + r * math.cos(a) * math.cos(angle), y + 2 - r * math.cos(a) * math.sin(angle),
                                                  -r * math.sin(a)))
        for j in range(along):
            for i in range(around):
                k = (i + 1) % around
                file.write("f %d %d %d %d\n" % tuple(1 + n for n in (j * around + i, j * around + k, (j + 1) * around + k,
                                                                    (j + 1) * around + i)))

files = cmds.createNode("purlMeshSequence", name="garmentFiles")
cmds.setAttr(files + ".file", "garment/garment.####.obj", type="string")
cmds.connectAttr("time1.outTime", files + ".currentTime")
shape = cmds.createNode("mesh", name="garmentShape")
cmds.connectAttr(files + ".outMesh", shape + ".inMesh")

knit = cmds.purlCreate(shape, type="knit", name="sleeve")[0]
cmds.setAttr(knit + ".preset", 2)  # worsted

cmds.playbackOptions(minTime=1, maxTime=48)
cmds.file(rename="sleeve.ma")
print("saved", cmds.file(save=True, type="mayaAscii"))
