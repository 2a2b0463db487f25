"""purl status: how far the caches of a folder are."""
import json
import socket

import pytest

from runs import waitForFrames
from tinyScene import tinyScene


def test_statusShowsEveryWedge(purl, scene):
    path = scene(tinyScene(frames=6, surface=False))
    wedges = purl.folder / "wedges"
    purl("sim", path, "-o", "wedges/done", "--frames", "1-3")
    assert purl.run("sim", path, "-o", "wedges/failed", "--frames", "1-3", "--set", "solver.maxTimeStep=1e-7").returncode == 2
    run = purl.start("sim", scene(tinyScene(frames=1000, surface=False), "long.ma"), "-o", "wedges/running")
    try:
        waitForFrames(run, wedges / "running", 4)
        found = {wedge["wedge"]: wedge for wedge in json.loads(purl("status", "wedges", "--json"))}
        assert {name: wedge["state"] for name, wedge in found.items()} == {
            "done": "done", "failed": "failed", "running": "running"}
        assert found["running"]["wanted"] == 1000 and found["running"]["frames"] >= 4
        # The clock of files counts in milliseconds on some systems.
        rate = found["running"]["secondsPerFrame"]
        assert 0 < rate < 10 and found["running"]["secondsLeft"] == pytest.approx(rate * (1000 - found["running"]["frames"]))
        assert "a longer maxTimeStep" in found["failed"]["error"] and found["done"]["error"] == ""
        assert found["done"]["machine"] == socket.gethostname()
        table = purl("status", "wedges")
        assert "3/3" in table and "3 wedges: 1 done, 1 running, 1 failed" in table
    finally:
        run.kill()
        run.wait()
    killed = json.loads(purl("status", "wedges/running", "--json"))[0]
    assert killed["state"] == "stopped"
    # A run that ends well removes the error.
    purl("sim", path, "-o", "wedges/failed", "--force", "--frames", "1-4")
    assert json.loads(purl("status", "wedges/failed", "--json"))[0]["state"] == "done"
    assert "holds no caches" in purl.refuses("status", "nothing")
