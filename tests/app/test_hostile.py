"""Malicious or damaged inputs through the real command: it must end in time, in bounded memory, with few lines, and never
crash. Rows are (name, arguments, limits); {scene} in an argument is a file that the row's text is written to."""
import os
import resource
import signal
import struct
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tinyScene import HEAD, cube, tinyScene

ADDRESS_SPACE = 6 << 30  # bytes: unbounded allocations fail here with std::bad_alloc
LIBRARY_WORDS = ("std::", "basic_string", "bad_alloc", "filesystem error", "vector::", "terminate called", "libgomp", "Aborted")


@dataclass
class Row:
    name: str
    scene: str = ""  # written to scene.ma
    arguments: tuple = ("sim", "scene.ma", "-o", "out", "--threads", "1", "--frames", "1-2")
    more: tuple = ()  # further arguments
    files: dict = field(default_factory=dict)  # name → text or bytes
    refused: object = None  # True: exit code 2, False: 0, None: either
    says: str = ""  # text expected in stderr or stdout
    lines: int = 12  # maximum lines on stderr
    megabytes: int = 700  # maximum resident size
    seconds: int = 20  # maximum CPU time


def rows(*all):
    return pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in all])


def limited(seconds):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return limit


def attempt(purl, row):
    """Runs the command within its limits; returns exit code, stdout and stderr."""
    for name, content in {"scene.ma": row.scene, **row.files}.items():
        content = content.encode() if isinstance(content, str) else content
        if content:
            (purl.folder / name).write_bytes(content)
    with open(purl.folder / "stdout", "w+b") as out, open(purl.folder / "stderr", "w+b") as err:
        run = subprocess.Popen([purl.program, *row.arguments, *row.more], cwd=purl.folder, stdin=subprocess.DEVNULL, stdout=out,
                               stderr=err, preexec_fn=limited(row.seconds))
        end = time.monotonic() + 20 * row.seconds  # allows for a loaded machine
        while True:
            pid, status, used = os.wait4(run.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                run.kill()
                os.wait4(run.pid, 0)
                raise AssertionError(f"{row.name}: still waits for something after {20 * row.seconds} s")
            time.sleep(0.005)
        run.returncode = 0  # already waited for
        out.seek(0), err.seek(0)
        printed, complaint = (stream.read().decode(errors="replace") for stream in (out, err))
    return os.waitstatus_to_exitcode(status), printed, complaint, used.ru_maxrss / 1024


def check(purl, row):
    code, printed, complaint, megabytes = attempt(purl, row)
    assert code in (0, 2), (code, complaint[-600:])
    assert row.refused is None or (code == 2) == row.refused, (code, complaint[-600:])
    assert len(complaint.splitlines()) <= row.lines, complaint[:2000]
    assert all(len(line) < 2000 for line in complaint.splitlines()), "a line without end"
    assert not any(word in complaint + printed for word in LIBRARY_WORDS), complaint[-600:]
    assert row.says in complaint + printed, complaint[-600:]
    assert megabytes <= row.megabytes, f"{megabytes:.0f} MB"


TINY = tinyScene(frames=2, surface=False)


def tiny(extra="", **changes):
    text = tinyScene(frames=2, surface=False, extra=extra)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text


def setting(assignment, refused=None, **limits):
    return Row("--set " + assignment[:40], TINY, more=("--set", assignment), refused=refused, **limits)


# --- arguments


@rows(
    *[setting(text, True) for text in (
        "solver.gravity=nan", "solver.gravity=inf", "water.viscosity=-inf", "solver.maxTimeStep=nan", "water.particleSpacing=nan",
        "water.particleSpacing=0", "water.particleSpacing=-1", "water.startVelocity=nan nan nan", "water.startVelocity=1e30 0 0",
        "solver.gravity=1e30", "solver.startFrame=nan", "walls.inMatrix=nan", "solver.maxParticles=0", "solver.dimensions=2.7",
        "solver.pressureSolver=99", "solver.device=gpu", "water.particleSpacing=0.0001",
        "", "=", "water", "water.=1", ".viscosity=1", "water.viscosity=", "water.viscosity=1=2", "water.viscosity=0x10",
        "water.viscosity=1e999", "water.inMesh=x", "solver.bodies[0]=1", "water.viscosity=½", "a" * 100000,
        "water." + "b" * 100000 + "=1", "water.viscosity=" + "9" * 100000, "solver.bodies[2147483647]=1",
        "solver.bodies[99999999999999999999]=1", "solver.bodies[0:999999999]=1", "water.\n=1")],
    *[setting(text, False) for text in (
        "solver.gravityDirection=0 0 0", "solver.timeScale=0", "walls.halfSize=0 0 0", "walls.halfSize=1e30 1e30 1e30",
        "time1.outTime=5")],
    *[setting(text) for text in ("solver.cfl=0", "solver.periodicSize=0.001 0.001 0.001", "solver.spaceScale=1e-6", "solver.spaceScale=1e6")],
    *[Row("--frames " + text, TINY, more=("--frames", text), arguments=("sim", "scene.ma", "-o", "out", "-q"), refused=True)
      for text in ("9-3", "5--2", "99999999999", "-", "1-2-3", "1e3", "0x10", "1-2 ", "1" * 300)],
    *[Row("--format " + text, TINY, more=("--format", text), refused=True)
      for text in (",", "mcx,mcc", "abc:foo", "vdb:curves", "," * 10000)],
    Row("--threads 100000", TINY, arguments=("sim", "scene.ma", "-o", "out", "--threads", "100000"), refused=True),
    Row("--branch ../../x", TINY, more=("--branch", "../../x", "--from", "1"), refused=True),
    Row("--branch without a cache", TINY, more=("--branch", "x", "--from", "1"), refused=True),
    *[Row("-o " + repr(out[:20]), TINY, arguments=("sim", "scene.ma", "-q", "--frames", "1-1", "-o", out), refused=refused)
      for out, refused in (("x" * 300, True), ("/dev/null", True), ("/proc/x", True), ("with \"quotes\" ünï", False),
                           ("with\nnewline", False), ("scene.ma", True))],
)
def test_arguments(purl, row):
    check(purl, row)


# --- files in place of a scene


@rows(
    *[Row(f"{command} /dev/zero", arguments=(command, "/dev/zero"), refused=True) for command in ("sim", "info", "doctor")],
    *[Row(f"{command} a folder", arguments=(command, "/"), refused=True) for command in ("sim", "doctor")],
    Row("mel /dev/zero", arguments=("mel", "/dev/zero"), refused=True),
    Row("a scene of NUL bytes", HEAD + "\0" * 100000, refused=True, says="NUL byte"),
    Row("a scene that only begins", HEAD + "createNode transform -n \"", refused=True, says="unterminated string"),
    Row("a string without end", TINY + 'createNode transform -n "' + "x" * 1000000, refused=True),
    Row("a comment without end", TINY + "/*" + "x" * 1000000, refused=True),
    Row("a statement without end", TINY + "setAttr " + "1 " * 1000000, refused=True),
    Row("one word of a megabyte", HEAD + "x" * (1 << 20), refused=True),
    Row("no text at all", "//Maya ASCII 2022 scene\n" + "".join(chr(1 + k * 7 % 250) for k in range(50000)), arguments=("info", "scene.ma")),
    Row("Maya binary", "FOR4" + "x" * 100, refused=True, says="Maya binary"),
)
def test_files(purl, row):
    check(purl, row)


@pytest.mark.parametrize("command", ["sim", "info", "doctor", "mel", "render", "edit"])
def test_aPipeIsNoScene(purl, command):
    os.mkfifo(purl.folder / "pipe.ma")
    check(purl, Row("pipe", arguments=(command, "pipe.ma"), more=("-o", "new.ma") if command == "edit" else (), refused=True))


def test_aSceneLargerThanTheLimitIsRefused(purl):
    with open(purl.folder / "large.ma", "wb") as file:
        file.write(HEAD.encode())
        file.truncate((2 << 30) + 1)  # sparse file: uses no disk space
    check(purl, Row("large", arguments=("info", "large.ma"), refused=True, says="larger than 2048 MB", megabytes=200))


# --- references


def reference(file, space="a"):
    return f'file -r -ns "{space}" -rfn "{space}RN" -typ "mayaAscii" "{file}";\n'


def doubling(depth, padding=""):
    """Files that each refer to the next one twice."""
    files = {f"f{k}.ma": HEAD + padding + reference(f"f{k + 1}.ma", "a") + reference(f"f{k + 1}.ma", "b") for k in range(depth)}
    return {**files, f"f{depth}.ma": HEAD}


@rows(
    Row("itself once", tiny(reference("scene.ma")), refused=False, says="scene.ma: references itself"),
    Row("itself ten times", tiny("".join(reference("scene.ma", f"n{k}") for k in range(10))), refused=False, lines=16,
        says="scene.ma: references itself"),
    Row("a ring of two", tiny(reference("other.ma")), files={"other.ma": HEAD + reference("scene.ma")}, refused=False,
        says="references itself"),
    Row("20 levels, two each", arguments=("info", "f0.ma"), files=doubling(20), lines=4, says="16 levels deep"),
    Row("15 levels, two each", arguments=("info", "f0.ma"), files=doubling(15), says="at most 10000 references", seconds=60),
    Row("}", tiny(reference("}") + reference("foo}") + reference("{}") + reference("")), refused=False, says="does not exist"),
    Row("a device and a folder", tiny(reference("/dev/zero") + reference("/")), refused=False, says="does not exist"),
    Row("a name of a megabyte", tiny(reference("x" * (1 << 20))), refused=False),
)
def test_references(purl, row):
    check(purl, row)


def test_loadingIsCancelled(purl):
    for name, text in doubling(16, "// a comment that is read\n" * 20000).items():
        (purl.folder / name).write_text(text)
    for ask, code in ((signal.SIGTERM, 75), (signal.SIGINT, 130)):
        run = purl.start("info", "f0.ma")
        end = time.monotonic() + 60
        while time.monotonic() < end:  # until loading is well under way: each file is half a megabyte
            read = int((Path("/proc") / str(run.pid) / "io").read_text().split()[1])
            if read > 20 << 20:
                break
            time.sleep(0.01)
        assert run.poll() is None, run.stderr.read()
        run.send_signal(ask)
        _, complaint = run.communicate(timeout=30)
        assert run.returncode == code, complaint
        assert complaint.count("\n") <= 1


# --- statements


def compounds(count):
    text = 'createNode transform -n "nest";\n'
    for k in range(count):
        above = f' -p "c{k - 1}"' if k else ""
        text += f'\taddAttr -ci true -sn "c{k}" -ln "c{k}" -at "compound" -nc 1{above};\n'
    return text


def timeUnit(unit):
    return Row("time unit " + unit, tinyScene(frames=2, surface=False).replace("-t film", "-t " + unit), refused=False)


LONG = "w" * 300


@rows(
    *[timeUnit(unit) for unit in ("0fps", "1e-300fps", "1e300fps", "1e9fps", "nanfps", "fortnight", "-1fps")],
    Row("a node of 300 letters", TINY.replace('"water', '"' + LONG), refused=True),
    Row("names with quotes, newlines and slashes", TINY.replace('"water"', '"wa\\"t\\ne/r"')),
    Row("names of a megabyte", tiny(f'createNode {"t" * 1000000} -n "{"n" * 1000000}";\nsetAttr "{"a" * 1000000}" 1;\n'), refused=False),
    Row("body index 2147483647", TINY.replace("bodies[1]", "bodies[2147483647]"), says="bad index"),
    Row("body index 999999999", TINY.replace("bodies[1]", "bodies[999999999]"), refused=False),
    Row("body index -5", TINY.replace("bodies[1]", "bodies[-5]"), says="bad index"),
    Row("array range of 1e18", tiny('setAttr "solver.bodies[0:1000000000000000000]" 1;\n'), refused=False),
    Row("array range of 1e9 locked", tiny('setAttr -l on "solver.bodies[0:999999999]";\n'), refused=False),
    Row("vt[0:999999999] without values", tiny('createNode mesh -n "m";\n\tsetAttr ".vt[0:999999999]";\n'), refused=False),
    Row("vertices with gaps", tiny('createNode mesh -n "m";\n' + "".join(f'\tsetAttr ".vt[{k}000000]" 0 0 0;\n' for k in range(1, 2000)))),
    Row("60000 compounds in each other", tiny(compounds(60000)), refused=False, lines=120, says="16 levels deep"),
    Row("a doubleArray of 2e9", tiny('setAttr "water.pinnedX" -type "doubleArray" 2000000000 1;\n'), refused=False),
    Row("attributes nan, inf and 1e400", tiny('setAttr "water.restDensity" nan;\nsetAttr "water.viscosity" inf;\n'
                                              'setAttr "water.stiffness" 1e400;\n'), refused=False),
    Row("a matrix of nan", TINY.replace('connectAttr "tank.wm" "walls.inMatrix"',
                                        'setAttr "walls.inMatrix" -type "matrix" ' + "nan " * 16)),
    Row("a matrix of zero scale", TINY.replace('setAttr ".t" -type "double3" 0 20 0', 'setAttr ".s" -type "double3" 0 0 0')),
    Row("a cycle of connections", tiny('createNode purlCache -n "c";\nconnectAttr "solver.outFrame" "c.inFrame";\n'
                                       'connectAttr "c.outFrame" "c.inFrame" -f;\n')),
    Row("an animation curve of nan", tiny('createNode animCurveTL -n "k";\n\tsetAttr -s 2 ".ktv[0:1]" nan nan 2 inf;\n'
                                          'connectAttr "k.o" "tank.tx";\n'), refused=False),
    Row("a chain of 20000 sums", tiny("".join(f'createNode addDoubleLinear -n "a{k}";\n' + (f'connectAttr "a{k - 1}.o" "a{k}.i1";\n' if k else "")
                                              for k in range(20000)) + 'connectAttr "a19999.o" "tank.tx";\n'),
        refused=True, says="depend on each other"),
    Row("initialState is a text", tiny('setAttr "solver.initialState" -type "string" "/etc/passwd";\n'), refused=True),
)
def test_statements(purl, row):
    check(purl, row)


# --- meshes


def mesh(name, points, faces):
    """A mesh as a scene stores one: points, edges, and faces that name edges."""
    edges, records = {}, []
    for face in faces:
        record = []
        for a, b in zip(face, face[1:] + face[:1]):
            if (b, a) in edges:
                record.append(-edges[b, a] - 1)
            else:
                record.append(edges.setdefault((a, b), len(edges)))
        records.append(f"f {len(face)} " + " ".join(map(str, record)))
    text = f'createNode transform -n "{name}";\ncreateNode mesh -n "{name}Shape" -p "{name}";\n'
    if points:
        text += f'\tsetAttr -s {len(points)} ".vt[0:{len(points) - 1}]" ' + " ".join(" ".join(map(str, p)) for p in points) + ";\n"
    if edges:
        text += f'\tsetAttr -s {len(edges)} ".ed[0:{len(edges) - 1}]" ' + " ".join(f"{a} {b} 0" for a, b in edges) + ";\n"
    if records:
        text += f'\tsetAttr -s {len(records)} ".fc[0:{len(records) - 1}]" -type "polyFaces" ' + " ".join(records) + ";\n"
    return text


BOX = [(x, y, z) for z in (-5, 5) for y in (0, 10) for x in (-15, -5)]
SIDES = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]


def fluid(name, points, faces=SIDES, **limits):
    text = TINY.replace('"blockShape.w"', '"oddShape.w"').replace("createNode purlFluid", mesh("odd", points, faces) + "createNode purlFluid")
    return Row("fluid: " + name, text, **limits)


def sheet(side=5):
    """A sheet of side × side vertices, 4 cm apart."""
    points = [(4 * x - 8, 30, 4 * z - 8) for z in range(side) for x in range(side)]
    faces = [[z * side + x, z * side + x + 1, (z + 1) * side + x + 1, (z + 1) * side + x] for z in range(side - 1) for x in range(side - 1)]
    return points, faces


def cloth(name, points=None, faces=None, settings="", text="", **limits):
    if points is None:
        points, faces = sheet()
    made = (text or mesh("sheet", points, faces)) + 'createNode purlCloth -n "cloth";\n' + settings
    made += 'connectAttr "sheetShape.w" "cloth.inMesh";\n'
    scene = HEAD + made + 'createNode purlSolver -n "solver";\nconnectAttr "cloth.outBody" "solver.bodies[0]";\nconnectAttr ":time1.o" "solver.currentTime";\n'
    return Row("cloth: " + name, scene, **limits)


def plane(width, height):
    return f"""createNode transform -n "sheet";
createNode mesh -n "sheetShape" -p "sheet";
createNode polyPlane -n "sheetPlane";
	setAttr ".sw" {width};
	setAttr ".sh" {height};
connectAttr "sheetPlane.out" "sheetShape.i";
"""


def scaled(points, factor):
    return [tuple(factor * x for x in p) for p in points]


@rows(
    fluid("one vertex", [(0, 0, 0)], [], refused=True),
    fluid("two vertices, an edge", [(0, 0, 0), (1, 0, 0)], [[0, 1]], refused=True),
    fluid("open", BOX, SIDES[:5], refused=True),
    fluid("all of zero area", [(0, 0, 0)] * 8, refused=True),
    fluid("flat", [(x, 0, z) for x, y, z in BOX], refused=True),
    fluid("coordinates of 1e30", scaled(BOX, 1e30), refused=True),
    fluid("coordinates beyond float", scaled(BOX, 1e300), refused=True),
    fluid("nan", [("nan", "nan", "nan")] * 8, refused=True),
    fluid("inside out", BOX, [side[::-1] for side in SIDES]),
    fluid("two cubes in one place", BOX + BOX, SIDES + [[v + 8 for v in side] for side in SIDES]),
    fluid("faces that name no vertex", BOX, SIDES + [[0, 1, 2000000000]], refused=True),
    cloth("one triangle", [(0, 30, 0), (4, 30, 0), (0, 30, 4)], [[0, 1, 2]], refused=False),
    cloth("one vertex", [(0, 30, 0)], [], refused=True),
    cloth("zero area", [(0, 30, 0)] * 4, [[0, 1, 2, 3]], refused=True),
    cloth("vertices without faces", sheet()[0] + [(50, 50, 50)] * 1, sheet()[1]),
    cloth("three faces at an edge", sheet()[0] + [(0, 40, 0)], sheet()[1] + [[0, 1, 25]]),
    cloth("the same vertex twice in a face", sheet()[0], sheet()[1] + [[0, 1, 1, 2]]),
    cloth("coordinates of 1e30", scaled(sheet()[0], 1e30), sheet()[1]),
    cloth("coordinates of 1e19", scaled(sheet()[0], 1e19), sheet()[1]),
    *[cloth(f"zero-area faces, solver {k}", [sheet()[0][0]] * 3 + sheet()[0][3:], sheet()[1], f'\tsetAttr ".solver" {k};\n', refused=True)
      for k in range(6)],
    cloth("pinned 0:4000000000", settings='\tsetAttr ".pinnedVertices" -type "string" "0:4000000000";\n', refused=True),
    cloth("pinned -1 x", settings='\tsetAttr ".pinnedVertices" -type "string" "-1 x";\n', refused=True),
    cloth("pins of 2e9", settings='\tsetAttr ".pins" -type "doubleArray" 2000000000 1;\n', refused=False),
    cloth("attached to nobody", settings='\tsetAttr ".attachTo" -type "string" "nobody";\n', refused=True),
    cloth("stiffness 1e9, step 1", settings='\tsetAttr ".stretchStiffness" 1e9;\n\tsetAttr ".maxTimeStep" 1;\n'),
    *[cloth(f"a plane of {w} by {h}", text=plane(w, h), refused=True, says="use fewer", seconds=5)
      for w, h in ((100000, 100000), (65536, 65536), (2147483647, 2147483647), (2147483647, 1))],
)
def test_meshes(purl, row):
    check(purl, row)


# --- scripts


def script(name, text, **limits):
    return Row(name, arguments=("mel", "script.mel"), files={"script.mel": text}, **limits)


@rows(
    script("a sum of 300000", "print (" + "1+" * 300000 + "1);", refused=False, says="300001"),
    script("indices without end", "int $a[]; print ($a" + "[0]" * 300000 + ");", refused=True, says="nested too deeply"),
    script("brackets without end", "print " + "(" * 300000, refused=True, says="nested too deeply"),
    script("a procedure that calls itself", "proc f() { f(); } f();", refused=True, says="endless recursion"),
    script("a script that runs itself", "eval(`eval \"source script.mel\"`); source \"script.mel\";", refused=True),
    script("match on 400 kB", 'string $s = "a"; while (size($s) < 400000) $s += $s; print (size(match("(a*)*b", $s)));', refused=False),
    script("an error of megabytes", 'string $s = "a"; while (size($s) < 4000000) $s += $s; error $s;', refused=True, lines=1),
    script("a string that doubles", 'string $s = "a"; while (1) $s += $s;', refused=True, lines=1, says="16 MB"),
    script("an array that grows", 'int $a[]; $a[2000000000] = 1;', refused=True, lines=1),
    script("an array of strings that grows", 'string $s = "a"; while (size($s) < 9000000) $s += $s; string $a[]; int $i;'
           "while (1) $a[$i++] = $s;", refused=True, lines=1, says="256 MB"),
    script("polyPlane of 100000²", "polyPlane -sx 100000 -sy 100000; polyEvaluate -v;", refused=True),
    script("polyPlane of 1e300", "polyPlane -sx 1e300;", refused=True),
    script("vertices nan", "polyCube -n b; move 1 0 0 b.vtx[nan];", refused=True),
    script("a range of 1e9", "createNode plusMinusAverage -n s; setAttr s.input1D[0:999999999] 1;", refused=True),
    script("time nan and inf", "currentTime nan; currentTime inf; currentTime 1e300; polyCube; getAttr pCube1.tx;"),
    script("no commands of the system", 'system("touch hacked");', refused=True, says="unknown command system"),
    script("no Python", 'python("open(\'hacked\', \'w\')");', refused=True, says="Python is not available"),
)
def test_scripts(purl, row):
    check(purl, row)
    assert not (purl.folder / "hacked").exists()


@pytest.mark.parametrize("text", ["while (1);", "while (1) catch(`getAttr nobody.x`);", "proc f() { catch(`f`); f; } f;"])
def test_aScriptWithoutEndIsCancelled(purl, text):
    (purl.folder / "script.mel").write_text('print "begun\\n";\n' + text)
    run = purl.start("mel", "script.mel", env={**os.environ, "MALLOC_ARENA_MAX": "1"}, preexec_fn=limited(60))
    # Output to a pipe is buffered: send the signal after some CPU time.
    end = time.monotonic() + 60
    while time.monotonic() < end and sum(map(int, (Path("/proc") / str(run.pid) / "stat").read_text().split()[13:15])) < 20:
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    _, complaint = run.communicate(timeout=30)
    assert run.returncode == 130, complaint


def test_aListThatHoldsItselfIsAnErrorOfPython():
    from purl import cmds

    endless = []
    endless.append(endless)
    with pytest.raises(ValueError, match="contain itself"):
        cmds.createNode(endless)
    twice = ["transform"]
    for _ in range(14):
        twice = [twice, twice]
    with pytest.raises(RuntimeError):
        cmds.createNode(twice)
    for _ in range(40):
        twice = [twice, twice]
    with pytest.raises(ValueError):
        cmds.createNode(twice)


# --- skies


def exr(width=4, height=3, more=b"", channels=("B", "G", "R"), sampling=1, version=2, windowAt=0, table=None):
    """An uncompressed OpenEXR image of float channels; `table` replaces everything behind the header."""
    def attribute(name, kind, value):
        return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value

    window = struct.pack("<4i", windowAt, windowAt, *(max(min(windowAt + side - 1, 2**31 - 1), -(2**31)) for side in (width, height)))
    listed = b"".join(name.encode() + b"\0" + struct.pack("<iB3xii", 2, 0, sampling, sampling) for name in channels) + b"\0"
    head = struct.pack("<ii", 20000630, version) + attribute("channels", "chlist", listed)
    head += attribute("compression", "compression", b"\0") + attribute("dataWindow", "box2i", window)
    head += attribute("displayWindow", "box2i", window) + attribute("lineOrder", "lineOrder", b"\0")
    head += attribute("pixelAspectRatio", "float", struct.pack("<f", 1)) + attribute("screenWindowCenter", "v2f", bytes(8))
    head += attribute("screenWindowWidth", "float", struct.pack("<f", 1)) + more + b"\0"
    if table is not None:
        return head + table
    row = struct.pack("<f", 0.5) * width * len(channels)
    first = len(head) + 8 * height
    lines = b"".join(struct.pack("<ii", y, len(row)) + row for y in range(height))
    return head + b"".join(struct.pack("<Q", first + y * (8 + len(row))) for y in range(height)) + lines


def tiles(side):
    return b"tiles\0tiledesc\0" + struct.pack("<iIIB", 9, side, side, 0)


def sky(name, content, refused=True, **limits):
    return Row("sky " + name, arguments=("render", "cache", "--size", "32x32", "--frames", "1", "-o", "out", "--sky", name), files={name: content},
               refused=refused, lines=1 if refused else 12, **limits)


RADIANCE = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n"


@pytest.fixture(scope="module")
def smallCache(purlProgram, tmp_path_factory):
    folder = tmp_path_factory.mktemp("skies")
    (folder / "tiny.ma").write_text(TINY)
    subprocess.run([purlProgram, "sim", "tiny.ma", "-o", "cache", "--frames", "1-1", "-q"], cwd=folder, check=True)
    return folder / "cache"


@rows(
    sky("good.hdr", RADIANCE + b"-Y 4 +X 4\n" + b"\x80\x80\x80\x81" * 16, refused=False),
    sky("bright.hdr", RADIANCE + b"-Y 4 +X 4\n" + b"\xff" * 64, refused=False),
    sky("empty.hdr", b"\n"),
    sky("text.hdr", b"not a picture\n"),
    sky("cut.hdr", RADIANCE + b"-Y 64 +X 64\n" + b"\x80" * 4096, says="truncated"),
    sky("endlessHeader.hdr", b"#?RADIANCE\n" + b"a=b\n" * 1000000, says="the header has no end"),
    sky("endlessLine.hdr", b"#?RADIANCE\n" + b"x" * 1000000, says="a line of the header has no end"),
    sky("negative.hdr", RADIANCE + b"-Y -4 +X 4\n" + b"\x80" * 64, says="resolution"),
    sky("wide.hdr", RADIANCE + b"-Y 1 +X 99999999999999999999\n" + b"\x80" * 64),
    sky("large.hdr", RADIANCE + b"-Y 32768 +X 32768\n" + b"\x80" * (1 << 22), says="has 32768 by 32768 pixels"),
    sky("claims.hdr", RADIANCE + b"-Y 8192 +X 16384\n" + b"\x80" * (1 << 22), says="truncated"),
    sky("runs.hdr", RADIANCE + b"-Y 1 +X 8\n\2\2\0\x08\xff\1" + b"\x80" * 64, says="a run exceeds its scan line"),
    sky("good.exr", exr(), refused=False),
    sky("text.exr", b"not a picture\n", says="not an OpenEXR image"),
    sky("cut.exr", exr(64, 64)[:8000]),
    sky("wide.exr", exr(2**31 - 1, 1, table=b""), says="has 2147483647 by 1 pixels"),
    sky("large.exr", exr(32768, 32768, table=b""), says="has 32768 by 32768 pixels"),
    sky("claims.exr", exr(16384, 8192, table=b"")),
    sky("farAway.exr", exr(4, 3, windowAt=2**31 - 5)),
    sky("backwards.exr", exr(-4, -3, table=bytes(64))),
    sky("tiles.exr", exr(4, 3, tiles(2**31 - 1), version=0x202), says="has tiles of 2147483647"),
    sky("noTiles.exr", exr(4, 3, tiles(0), version=0x202)),
    sky("grey.exr", exr(channels=("Y",)), says="has no channel R"),
    sky("sampled.exr", exr(sampling=2), says="has not a value for each pixel"),
    sky("deep.exr", exr(version=0x802), says="a deep image"),
    sky("channels.exr", exr(512, 2, channels=sorted(["B", "G", "R"] + [f"c{k}" for k in range(20000)]), table=bytes(1 << 20))),
    sky("attribute.exr", exr(more=b"x\0string\0" + struct.pack("<i", 2**31 - 1))),
    sky("offsets.exr", exr(table=b"\xff" * 200)),
)
def test_skies(purl, smallCache, row):
    (purl.folder / "cache").symlink_to(smallCache)
    if row.name.endswith(".exr") and "without OpenEXR" in attempt(purl, row)[2]:
        pytest.skip("built without OpenEXR")
    check(purl, row)


# --- unbounded numbers of frames, particles, steps and patterns

KNITTED = HEAD + plane(10, 10) + """createNode purlKnit -n "knit";
connectAttr "sheetShape.w" "knit.inMesh";
createNode purlSolver -n "solver";
connectAttr "knit.outBody" "solver.bodies[0]";
connectAttr ":time1.o" "solver.currentTime";
"""


def pattern(name, text, **limits):
    return Row("pattern " + name, KNITTED, files={name: text}, more=("--set", "knit.pattern=" + name), **limits)


def test_aStateLargerThanTheLimitIsRefused(purl):
    with open(purl.folder / "large.purl", "wb") as file:
        file.truncate((64 << 30) + 1)
    check(purl, Row("large", tiny('setAttr "solver.initialState" -type "string" "large.purl";\n'), refused=True,
                    says="more than the limit of 68719476736", megabytes=200))


def test_aPatternLargerThanTheLimitIsRefused(purl):
    with open(purl.folder / "large.txt", "wb") as file:
        file.truncate((256 << 20) + 1)
    check(purl, Row("large", KNITTED, more=("--set", "knit.pattern=large.txt"), refused=True, says="more than the limit of 268435456",
                    megabytes=200))


@rows(
    setting("solver.startFrame=1e30"),
    setting("solver.startFrame=-1e30"),
    Row("playback range 1e300", TINY.replace("-min 1 -max 2", "-min 1e300 -max 1e300"), arguments=("sim", "scene.ma", "-o", "out", "-q")),
    Row("playback range reversed", TINY.replace("-min 1 -max 2", "-min 9 -max 3"), arguments=("sim", "scene.ma", "-o", "out", "-q")),
    Row("1e9 particles", TINY, more=("--set", "water.particleSpacing=0.01", "--set", "solver.maxParticles=2000000000")),
    Row("2-D, 3.6e9 sites a layer", TINY, more=("--set", "solver.dimensions=2", "--set", "water.particleSpacing=0.0003")),
    setting("solver.threads=1024"),
    pattern("wrap.k", ";!knitout-2\n;;Carriers: A\ninhook A\nknit + f-2147483648 A\nknit + f2147483647 A\n"),
    pattern("wide.k", ";!knitout-2\n;;Carriers: A\ninhook A\n" + "knit + f0 A\nknit + f99999 A\n" * 3000),
    pattern("rack.k", ";!knitout-2\n;;Carriers: A\ninhook A\nrack -2147483648\nxfer f0 b0\n"),
    setting("solver.subSteps=1000"),
    setting("water.restDensity=0.001"),
    cloth("velocityVerlet, stiffness 1e9", settings='\tsetAttr ".solver" 4;\n\tsetAttr ".stretchStiffness" 1e9;\n'),
)
def test_endless(purl, row):
    check(purl, row)
