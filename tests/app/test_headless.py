"""Purl needs neither a display nor a GPU."""
import os
import subprocess

from tinyScene import tinyScene


# L-85. Without a display and with every GPU hidden, a scene is simulated and drawn.
def test_aSceneIsSimulatedAndDrawnWithoutDisplayAndGpu(purl, scene):
    bare = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE")}
    bare["CUDA_VISIBLE_DEVICES"] = ""
    for arguments in (("sim", scene(tinyScene(frames=2)), "-o", "cache"), ("render", "cache", "--frames", "2", "--size", "64x64")):
        done = subprocess.run([purl.program, *map(str, arguments)], cwd=purl.folder, env=bare, text=True, capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr
    assert (purl.folder / "cache" / "frames" / "0002.png").read_bytes().startswith(b"\x89PNG")
