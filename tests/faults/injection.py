"""Runs of `purl` in which one call fails or the process dies (faultInjector.cpp), and what must hold afterwards: listed
frames are whole, running again gives the bits of the unbroken run, and nothing is left behind."""
import os
import re
import shutil
import signal
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tinyScene import paddleScene, tinyScene

SCENES = Path(__file__).resolve().parents[2] / "scenes"
SECONDS = 120  # no run of this size takes a hundredth of it


@dataclass(frozen=True)
class Scenario:
    """A command with all it needs; `{scenes}` in an argument stands for the folder of the example scenes."""

    command: str
    target: str  # folder or file that the command writes
    again: str = None  # what completes it after a fault [the command with --resume]
    before: tuple = ()  # commands that make what it starts from
    scene: str = None  # text of scene.ma
    mark: str = "scene.ma"  # first file it opens: allocations and threads count from there
    mayRefuse: bool = False  # `again` may find another run's cache and say so; then the command itself completes it


SMALL = tinyScene(frames=4, block=(8, 10, 8), surface=False)
SURFACE = tinyScene(frames=3, block=(8, 10, 8))
TEAR = "{scenes}/tear.ma --frames 1-4 --set sheetPlane.sw=6 --set sheetPlane.sh=6 --set cloth.pinnedVertices=0:6"
# The jet starts 1 cm before the knit, so that it is wet within two frames.
WET_KNIT = ("{scenes}/jetOnKnit.ma --frames 1-4 --set panelMaker.sw=6 --set panelMaker.sh=6 --set panelKnit.stitchWidth=3 "
            "--set panelKnit.stitchHeight=3 --set panelKnit.pinnedVertices=42:48 --set jetPlace.translateZ=1 "
            "--set jetPlace.translateY=20 --set water.particleSpacing=1 --set jet.rate=1")
SIM = "sim scene.ma -o cache --threads 1"
BRANCH = "sim scene.ma -o cache --frames 1-6 --branch honey --from 4 --set water.viscosity=8 --threads 1"

SCENARIOS = {
    "fluid": Scenario(SIM + " --checkpoints 2", "cache", scene=SMALL),
    "threads": Scenario("sim scene.ma -o cache --threads 4", "cache", scene=SURFACE),
    "cloth": Scenario(f"sim {TEAR} -o cache --threads 1", "cache", mark="{scenes}/tear.ma"),
    "wetKnit": Scenario(f"sim {WET_KNIT} -o cache --threads 1", "cache", mark="{scenes}/jetOnKnit.ma"),
    "surface": Scenario(SIM, "cache", scene=SURFACE),
    "branch": Scenario(BRANCH, "cache/branches/honey", scene=paddleScene(keyed=True, frames=6),
                       before=("sim scene.ma -o cache --frames 1-6 --checkpoints 2 --threads 1",)),
    "oneFile": Scenario(SIM + " --one-file --format abc,mcx", "cache", scene=SURFACE),
    "resume": Scenario(SIM + " --resume", "cache", again=SIM + " --resume", scene=SMALL,
                       before=(SIM + " --frames 1-2",)),
    "resumeOneFile": Scenario(SIM + " --one-file --resume", "cache", again=SIM + " --one-file --resume", scene=SMALL,
                              before=(SIM + " --one-file --frames 1-2",)),
    # Over a finished cache of other parameters, whose states are for none of the new frames.
    "over": Scenario(SIM + " --checkpoints 1 --force", "cache", scene=SMALL, mayRefuse=True,
                     before=(SIM + " --checkpoints 1 --set water.viscosity=8",)),
    "convert": Scenario("convert cache other --format abc,bgeo", "other", again="convert cache other --format abc,bgeo --force",
                        scene=SURFACE, before=(SIM,), mark="cache/manifest.json"),
    "convertToFile": Scenario("convert cache all.abc", "all.abc", again="convert cache all.abc --force", scene=SURFACE,
                              before=(SIM,), mark="cache/manifest.json"),
    "foam": Scenario("foam cache -o foamy --threads 1", "foamy", again="foam cache -o foamy --threads 1 --force", scene=SMALL,
                     before=(SIM,), mark="cache/manifest.json"),
    "mesh": Scenario("mesh cache -o meshes --threads 1", "meshes", again="mesh cache -o meshes --threads 1", scene=SURFACE,
                     before=(SIM,), mark="cache/manifest.json"),
    "views": Scenario("render cache -o views --format json", "views", again="render cache -o views --format json",
                      scene=SURFACE, before=(SIM,), mark="cache/manifest.json"),
    "render": Scenario("render cache -o pictures --size 32x24 --frames 1-2 --format png,exr --sheet sheet.png", "pictures",
                       again="render cache -o pictures --size 32x24 --frames 1-2 --format png,exr --sheet sheet.png",
                       scene=SURFACE, before=(SIM,), mark="cache/manifest.json"),
}

FILE_CALLS = ("write", "fsync", "rename", "unlink", "open", "mkdir")


@dataclass(frozen=True)
class Fault:
    kind: str
    at: int
    action: str  # an error's name, kill, tear or short
    lasting: bool = False
    bytes: int = 1  # smallest allocation that counts

    def __str__(self):
        return f"{self.kind}:{self.at}:{self.action}" + (":lasting" if self.lasting else "")


@dataclass
class Outcome:
    code: int
    text: str
    counts: dict
    struck: str  # what the failing call was for; empty where it never came to that

    def isOneLine(self):
        lines = self.text.splitlines()
        return self.code == 2 and len(lines) == 1 and lines[0].startswith("purl: ") and len(lines[0]) > len("purl: ")


@dataclass
class Laboratory:
    """A folder in which one scenario is run again and again, each time from the same files."""

    scenario: Scenario
    folder: Path
    program: str
    library: Path
    prepared: dict = field(default_factory=dict)  # files before the command, by name
    whole: dict = field(default_factory=dict)  # and after an unbroken run
    counts: dict = field(default_factory=dict)  # calls of that run
    outcomes: Counter = field(default_factory=Counter)  # of the faults tried so far, in words

    def __post_init__(self):
        if self.scenario.scene:
            (self.folder / "scene.ma").write_text(self.scenario.scene)
        for command in self.scenario.before:
            self.mustRun(command)
        self.prepared = self.files()
        self.counts = self.mustRun(self.scenario.command).counts
        self.whole = self.files()
        assert self.counts["open"] and self.counts["write"], "the library counts what the command does"
        if self.isCache():
            self.mustRun("verify " + self.scenario.target, quiet=False)

    def countOf(self, kind, bytes):
        """Calls of an unbroken run, allocations of so many bytes at least."""
        self.reset()
        return self.mustRun(self.scenario.command, bytes=bytes).counts[kind]

    def start(self, command, fault=None, bytes=1, quiet=True):
        self.report.unlink(missing_ok=True)
        environment = {**os.environ, "LD_PRELOAD": str(self.library), "PURL_FAULT_FOLDER": str(self.folder),
                       "PURL_FAULT_MARK": str(self.folder / self.scenario.mark.format(scenes=SCENES)),
                       "PURL_FAULT_REPORT": str(self.report), "PURL_FAULT_BYTES": str(fault.bytes if fault else bytes)}
        if fault:
            environment["PURL_FAULT"] = str(fault)
        arguments = command.format(scenes=SCENES).split() + (["-q"] if quiet else [])
        return subprocess.Popen([self.program, *arguments], cwd=self.folder, env=environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def ended(self, process):
        """What became of a process; one that hangs is killed, and its code is None."""
        try:
            _, text = process.communicate(timeout=SECONDS)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            _, text = process.communicate()
            code = None
        # A process that was killed from outside reports nothing.
        lines = self.report.read_text().splitlines() if self.report.exists() else []
        numbers = dict(line.split(" ", 1) for line in lines)
        struck = numbers.pop("struck", "")
        return Outcome(code, text, {kind: int(n) for kind, n in numbers.items()}, struck)

    def run(self, command, fault=None, **options):
        return self.ended(self.start(command, fault, **options))

    @property
    def report(self):
        return self.folder.parent / (self.folder.name + ".report")

    def mustRun(self, command, **options):
        outcome = self.run(command, **options)
        assert outcome.code == 0, (command, outcome.code, outcome.text)
        return outcome

    def files(self):
        return {str(path.relative_to(self.folder)): path.read_bytes()
                for path in sorted(self.folder.rglob("*")) if path.is_file()}

    def isCache(self):
        return (self.folder / self.scenario.target / "manifest.json").exists()

    def reset(self):
        shutil.rmtree(self.folder)
        for name, content in self.prepared.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.folder.mkdir(exist_ok=True)

    def differences(self):
        """From the unbroken run, in words; at most one line."""
        now = self.files()
        groups = {"left over": now.keys() - self.whole.keys(), "missing": self.whole.keys() - now.keys(),
                  "different": {name for name in now.keys() & self.whole.keys() if now[name] != self.whole[name]}}
        # The last state but one stays where the run ended before it was removed. One more to go on from does no harm,
        # as long as it is its frame's.
        states = {name for name in groups["left over"] if re.search(r"/state/\d+\.purl$", name)}
        if states and self.run("verify " + self.scenario.target, quiet=False).code == 0:
            groups["left over"] -= states
        text = "; ".join(f"{what}: {', '.join(sorted(names))}" for what, names in groups.items() if names)
        return [text] if text else []

    @property
    def again(self):
        return self.scenario.again or self.scenario.command + " --resume"

    def completed(self):
        """Runs again what was broken off; says what is wrong then."""
        again = self.run(self.again)
        if self.scenario.mayRefuse and again.isOneLine():
            again = self.run(self.scenario.command)
        if again.code != 0:
            return [f"running again ends with {again.code}: {again.text.strip()}"]
        return ["after running again " + text for text in self.differences()]

    def damage(self):
        """What `purl verify` finds beside files that were under way, and packing that --resume ends."""
        if not self.isCache():
            return []
        lines = self.run("verify " + self.scenario.target, quiet=False).text.splitlines()
        return ["verify: " + line for line in lines[:-1]
                if "left over" not in line and not re.search("describes a cache that is (not )?packed", line)]

    def problemsOf(self, fault):
        """Breaks a run and completes it; everything that is not as it must be."""
        self.reset()
        outcome = self.run(self.scenario.command, fault)
        if outcome.code == 0:
            # It never came to it, or the call was not needed: then nothing may be wrong.
            result = "done without it" if outcome.struck else "not reached"
            wrong = self.differences()
            if wrong and fault.kind == "unlink":
                wrong = self.damage() + self.completed()  # what could not be removed goes with the next run
        else:
            if fault.action in ("kill", "tear"):
                result = "killed" if outcome.code == -signal.SIGKILL else "ended otherwise"
            else:
                result = "one line" if outcome.isOneLine() else "ended otherwise"
            wrong = [f"ended with {outcome.code}, {outcome.text.strip()!r}"] if result == "ended otherwise" else []
            wrong += self.damage() + self.completed()
        self.outcomes[result] += 1
        where = outcome.struck.replace(f"{self.folder}/", "")
        return [f"{fault} at {where}: {what}" for what in wrong]


def spread(count, most, turn=0):
    """Up to `most` of 1 … count, evenly; each turn takes others."""
    if count <= most:
        return list(range(1, count + 1))
    shift = (0.5 + turn * 0.618034) % 1  # the golden section: no two turns come close to each other
    return [1 + int(count * (i + shift) / most) for i in range(most)]
