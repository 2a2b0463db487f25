"""Random calls of purl.cmds, or random values for a scene's attributes, until the time is up:
randomCalls.py cmds|set SEED SECONDS LOG. LOG holds the call under way, so that a crash names its cause. Whatever is called
gives a result or raises RuntimeError, TypeError or ValueError."""
import random
import re
import resource
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

NUMBERS = [0, 1, -1, 2, 3, 0.5, 7.25, 12, 100, -2147483648, 2147483647, 4294967296, 10**30, 1e30, -1e300, 1e-300, float("inf"),
           float("nan")]
WORDS = ["box", "box.translateX", "box.t", "|box", "box*", "*", "", "pCube1", "ball", "a|b", "box.vtx[0]", "box.f[0:99]", "box.nothing",
         "persp", ":time1.outTime", "purlFluid", "purlSolver", "mesh", "transform", "polyCube1", "cloth", "fluid", "knit", "double",
         "double3", "string", "on", "off", "é\U0001f9f6", "a" * 3000, "[", "a[2147483647]", "a[-1]", ".", "->", "-q", "x\0y", "\n",
         "box.ktv[0:9]", "[" * 500]
# These read and write the files named in their arguments, or end the plugin that the rest needs.
LEFT_OUT = {"file", "unloadPlugin", "purlExport", "purlBranch", "purlCacheSim", "purlInitialState"}


def flagsOfCommands():
    """Names of flags by command, as the tables of host/commands have them."""
    flags = {}
    for source in (ROOT / "host" / "commands").glob("*.cpp"):
        for name, listed in re.findall(r'\{"(\w+)",\s*\{((?:\s*"[^"]*",?)*)\}', source.read_text()):
            flags[name] = [spec.split()[0] for spec in re.findall(r'"([^"]*)"', listed)]
    return flags


def value(choose, depth=0):
    kind = choose.randrange(10)
    if kind < 4:
        return choose.choice(NUMBERS)
    if kind < 8:
        return choose.choice(WORDS)
    if kind == 8 or depth > 3:
        return choose.random() < 0.5
    return [value(choose, depth + 1) for _ in range(choose.randrange(5))]


def calls(choose):
    """A function that makes one random call of purl.cmds and gives it as text before it runs."""
    from purl import cmds

    flags = flagsOfCommands()
    names = [name for name in dir(cmds) if name not in LEFT_OUT]
    cmds.polyCube(name="box")
    cmds.createNode("purlFluid", name="ball")

    def call():
        name = choose.choice(names)
        arguments = [value(choose) for _ in range(choose.choice([0, 1, 1, 1, 2, 2, 3, 4]))]
        known = flags.get(name) or ["name"]
        given = {choose.choice(known): value(choose) for _ in range(choose.choice([0, 0, 1, 1, 2, 3]))}
        if choose.random() < 0.1:
            given[choose.choice(["query", "edit", "nothing"])] = True
        yield f"cmds.{name}(*{arguments!r}, **{given!r})"
        getattr(cmds, name)(*arguments, **given)
        if choose.random() < 0.01 or len(cmds.ls()) > 300:
            cmds.file(new=True, force=True)
            cmds.polyCube(name="box")
            cmds.createNode("purlFluid", name="ball")

    return call


def assignments(choose):
    """A function that sets one attribute of a scene to a random value, as `--set` does."""
    import purl
    from tinyScene import tinyScene

    Path("scene.ma").write_text(tinyScene(frames=1))
    sim = purl.load("scene.ma")
    names = [f"{node}.{attribute}" for node in ("water", "walls", "solver", "surface", "block", "blockCube", "nobody")
             for attribute in re.findall(r'`(\w+)`', (ROOT / "docs" / "attributes.md").read_text()) + ["tx", "t", "w", "wm"]]
    units = ["", "mm", "cm", " m", "km/h", "deg", "Pa·s", "s", "%", "mmm", "e", "m/s²", " 1", ",2,3", "-", "°", "\0", "[0]"]

    def assign():
        text = str(value(choose)) + choose.choice(units)
        name = choose.choice(names) + choose.choice(["", "", "", "[0]", "[99999999999]", ".x", "X", "="])
        yield f"set({name!r}, {text!r})"
        sim.set(name, text)

    return assign


def main(kind, seed, seconds, log):
    resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30, 6 * 2**30))
    choose = random.Random(seed)
    make = {"cmds": calls, "set": assignments}[kind](choose)
    end, done = time.monotonic() + seconds, 0
    with open(log, "w", encoding="utf-8") as underWay:
        while time.monotonic() < end:
            steps = make()
            underWay.seek(0)
            underWay.truncate()
            underWay.write(next(steps))
            underWay.flush()
            try:
                for _ in steps:
                    pass
            except (RuntimeError, TypeError, ValueError) as error:
                text = str(error)
                assert not re.search("std::|basic_string|bad_alloc", text), text
                assert len(text) < 10000, len(text)
            done += 1
    print(done)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
