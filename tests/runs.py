"""Runs of the command that a test interrupts or watches."""
import json
import time


def waitForFrames(run, folder, count, seconds=30):
    """Waits until the manifest lists `count` frames; the run must still be active."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert run.poll() is None, "finished before it could be stopped: " + run.stderr.read()
        try:
            if len(json.loads((folder / "manifest.json").read_text())["frames"]) >= count:
                return
        except (FileNotFoundError, json.JSONDecodeError):
            pass
        time.sleep(0.005)
    run.kill()
    raise AssertionError("no frames came")
