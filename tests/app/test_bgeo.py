"""bgeo files as read by splashsurf, an independent reader of Houdini's classic format."""
import subprocess
import sys

import numpy
import pytest

import purl as purlModule
from tinyScene import tinyScene


def test_splashsurfMakesASurfaceOfOurParticles(purl, scene):
    pytest.importorskip("pysplashsurf", reason="pip install pysplashsurf, to read our bgeo files with it")
    purl("sim", scene(tinyScene(frames=2, surface=False)), "-o", "cache", "--format", "bgeo")
    program = "import sys, pysplashsurf; sys.argv[0] = 'splashsurf'; pysplashsurf.run_pysplashsurf()"
    done = subprocess.run([sys.executable, "-c", program, "reconstruct", "cache/waterPoints.0002.bgeo", "-r", "1", "-l", "2",
                           "-c", "0.5", "-t", "0.6", "-o", "surface.obj"], cwd=purl.folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    vertices = numpy.array([[float(word) for word in line.split()[1:4]]
                            for line in (purl.folder / "surface.obj").read_text().splitlines() if line.startswith("v ")])
    positions = purlModule.read_cache(purl.folder / "cache").frame(2).points.positions
    # The surface is within a kernel radius (four particle radii) of the particles.
    assert (vertices.min(axis=0) < positions.min(axis=0)).all() and (vertices.max(axis=0) > positions.max(axis=0)).all()
    assert (vertices.min(axis=0) > positions.min(axis=0) - 4).all() and (vertices.max(axis=0) < positions.max(axis=0) + 4).all()
