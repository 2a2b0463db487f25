"""kill -9 at random moments of ten runs, and of the runs that resume them: in the end the bits are those of the unbroken run."""
import random
import signal
import time

import pytest

from faults.injection import SCENARIOS, TEAR, WET_KNIT, Scenario
from tinyScene import paddleScene, tinyScene

KILLS = 1000


def example(scene, settings, frames):
    sets = "".join(f" --set {setting}" for setting in settings)
    return Scenario(f"sim {{scenes}}/{scene}.ma --frames 1-{frames}{sets} -o cache --checkpoints 4 --threads 2", "cache")


# Of some tenths of a second each.
RUNS = {
    "paddle": Scenario("sim scene.ma -o cache --checkpoints 3 --threads 2", "cache", scene=paddleScene(keyed=True, frames=14)),
    "surface": Scenario("sim scene.ma -o cache --threads 4", "cache", scene=tinyScene(frames=12, block=(8, 10, 8))),
    "oneFile": Scenario("sim scene.ma -o cache --one-file --format abc,mcx --threads 2", "cache",
                        scene=tinyScene(frames=8, block=(8, 10, 8))),
    "branch": SCENARIOS["branch"],
    "over": SCENARIOS["over"],
    "cloth": Scenario(f"sim {TEAR.replace('1-4', '1-16')} -o cache --threads 1", "cache"),
    "wetKnit": Scenario(f"sim {WET_KNIT} -o cache --checkpoints 1 --threads 2", "cache"),
    "soft": example("softDrop", [], 8),
    "rigid": example("floatingBodies", ["water.particleSpacing=4"], 8),
    "fountain": example("fountain", ["water.particleSpacing=4"], 12),
}


def killedAtRandom(laboratory, random, seconds):
    """Kills the run and those that resume it, until one gets through. Returns how many were killed, and what is wrong."""
    laboratory.reset()
    kills, wrong = 0, []
    command = laboratory.scenario.command
    while kills < 3 and not wrong:
        process = laboratory.start(command)
        time.sleep(random.uniform(0, 1.1 * seconds))
        process.kill()
        outcome = laboratory.ended(process)
        if outcome.code == 0:
            break
        if outcome.code != -signal.SIGKILL:
            # Killed before the first frame of the new run, it may find the old one's cache.
            if not (laboratory.scenario.mayRefuse and outcome.isOneLine()):
                wrong.append(f"ended with {outcome.code}: {outcome.text.strip()}")
            break
        kills += 1
        wrong += laboratory.damage()
        command = laboratory.again
    return kills, wrong + laboratory.completed()


@pytest.mark.nightly
@pytest.mark.parametrize("name", RUNS)
def test_aRunKilledAtRandomResumesToTheSameBits(makeLaboratory, record_property, name):
    laboratory = makeLaboratory(RUNS[name])
    laboratory.reset()
    began = time.monotonic()
    laboratory.mustRun(laboratory.scenario.command)
    seconds = time.monotonic() - began
    generator = random.Random(name)
    kills, runs, problems = 0, 0, []
    while kills < KILLS / len(RUNS):
        killed, wrong = killedAtRandom(laboratory, generator, seconds)
        kills, runs = kills + killed, runs + 1
        problems += [f"run {runs}, killed {killed} times: {what}" for what in wrong]
    record_property("kills", kills)
    print(f"{name}: {kills} kills in {runs} runs of {seconds:.2f} s, {len(problems)} problems")
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)
