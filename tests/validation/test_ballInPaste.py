"""Balls and cornstarch paste exchange momentum, and light balls float."""
import sys
from pathlib import Path

import numpy
import pytest

purl = pytest.importorskip("purl")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "validation"))
import tank  # noqa: E402


# O-81. The total momentum of paste and ball is conserved without gravity and walls.
def test_ballAndPasteConserveMomentum():
    paste = purl.Fluid("paste", preset="cornstarch")
    paste.volumes = [tank.block((-0.12, -0.12, -0.12), (0.12, 0.12, 0.12))]
    paste.particle_spacing = 0.03
    ball = purl.Collider("ball", shape="sphere", radius=0.06, density=500, friction=0.5, motion="dynamic")
    ball.position = (0, 0.2, 0)
    paste.start_velocity = (0, 1, 0)
    scene = tank.settings(purl.Scene([paste], [ball]), pressure_solver="doubleDensity", gravity=0)
    simulator = purl.Simulator(threads=1)
    particleMass, mass = paste.rest_density * 0.03**3, 500 * 4 / 3 * numpy.pi * 0.06**3
    begin = particleMass * len(simulator.reset(scene).points)  # at 1 m/s
    heights = []
    for time in (0.3, 0.4):  # while the ball flies freely
        frame = simulator.advance_to(scene, time)
        heights.append(next(mesh for mesh in frame.meshes if mesh.name == "ball").positions[:, 1].astype(float).mean())
    ballMomentum = mass * (heights[1] - heights[0]) / 0.1
    pasteMomentum = particleMass * frame.points.velocities[:, 1].astype(float).sum()
    assert ballMomentum > 0.02 * begin  # the ball was hit: 3.6 %, its share of the mass and more
    assert abs(pasteMomentum + ballMomentum - begin) < 1e-3 * begin  # 2.4e-5: rounding of the ball's positions


# O-81. A ball of a quarter of the paste's density floats on it.
def test_aLightBallFloatsOnPaste():
    paste = purl.Fluid("paste", preset="cornstarch")
    paste.volumes = [tank.block((-0.12, 0, -0.12), (0.12, 0.15, 0.12))]
    paste.particle_spacing = 0.03
    ball = purl.Collider("ball", shape="sphere", radius=0.06, density=300, friction=0.5, motion="dynamic")
    ball.position = (0, 0.22, 0)
    scene = tank.settings(purl.Scene([paste], [tank.closedBox((-0.12, 0, -0.12), (0.12, 1, 0.12)), ball]), pressure_solver="doubleDensity")
    simulator = purl.Simulator(threads=1)
    simulator.reset(scene)
    frame = simulator.advance_to(scene, 1.5)
    middle = next(mesh for mesh in frame.meshes if mesh.name == "ball").positions[:, 1].mean()
    # A quarter of its volume is submerged, so its centre is above the paste's surface.
    assert middle > numpy.percentile(frame.points.positions[:, 1], 90)
