"""Random calls of purl.cmds and random values for --set: each gives a result or an error of Python's, and none ends the
process, takes gigabytes or hangs."""
import subprocess
import sys
from pathlib import Path

import pytest

CHILD = Path(__file__).with_name("randomCalls.py")


def makeCalls(folder, kind, seed, seconds):
    log = folder / "underWay"
    try:
        done = subprocess.run([sys.executable, CHILD, kind, str(seed), str(seconds), log], cwd=folder, capture_output=True,
                              text=True, errors="replace", timeout=seconds + 60)
    except subprocess.TimeoutExpired:
        pytest.fail(f"does not end: {log.read_text(errors='replace')[:2000]}")
    assert done.returncode == 0, f"{done.returncode} in {log.read_text(errors='replace')[:2000]}\n{done.stderr[-2000:]}"
    return int(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("kind", ["cmds", "set"])
def test_randomCallsDoNoHarm(tmp_path, kind):
    assert makeCalls(tmp_path, kind, seed=1, seconds=2) > 0


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["cmds", "set"])
def test_randomCallsDoNoHarmForAMinute(tmp_path, kind, seed):
    makeCalls(tmp_path, kind, seed, seconds=10)
