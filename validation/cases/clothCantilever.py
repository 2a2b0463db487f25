"""A strip clamped at one end: the heavy elastica
A strip 0.25 m long, clamped horizontally at one end, bends under its own weight as B θ″ = −w (L − s) cos θ, for deflections of any size (solved by shooting). Three fabrics, from one that hardly sags to one that hangs
vertically. The effective clamp lies half an edge before the last pinned points, where the bending element around them ends.
"""
import numpy
import purl
from sheets import STILL, positions, scene, sheet

REFERENCE = "heavy elastica"

LENGTH, DENSITY = 0.25, 0.15


def elastica(stiffness, length):
    """Position of the tip for B θ″ = −w (L − s) cos θ, θ(0) = 0, θ′(L) = 0; θ is measured downwards."""
    w, n = DENSITY * 9.81, 2000
    h = length / n

    def shoot(bend):
        theta, rate, x, y = 0.0, bend, 0.0, 0.0
        for k in range(n):
            s = (k + 0.5) * h
            middle = theta + h / 2 * rate
            rate -= h * w * (length - s) * numpy.cos(middle) / stiffness
            x, y = x + h * numpy.cos(middle), y - h * numpy.sin(middle)
            theta = middle + h / 2 * rate
        return rate, x, y
    low, high = 0.0, w * length**2 / stiffness
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if shoot(middle)[0] > 0 else (middle, high)
    return shoot(low)[1:]


def run(case):
    rows = 33
    edge = LENGTH / (rows - 1)
    sags, exact = [], []
    for stiffness in (0.02, 3e-3, 5e-4):
        strip = sheet(3, rows, (0, 0, 0), (0, 0, 0.03), (LENGTH, 0, 0), held=lambda p: p[0] < 1.1 * edge, **dict(STILL, air_drag=2, damping=2e-4, bend_damping=2e-3),
                      density=DENSITY, solver="implicitEuler", max_time_step=0.005, bend_stiffness=stiffness, stretch_stiffness=5000, tolerance=1e-5)
        made = scene(strip)
        simulator = purl.Simulator(threads=1)
        simulator.reset(made)
        for frame in range(1, 37):
            there = simulator.advance_to(made, frame / 24)
        tip = positions(there)[-2]
        free = LENGTH - edge / 2
        x, y = elastica(stiffness, free)
        case.row(f"sag of the tip, B = {stiffness:g} N·m", -tip[1], -y, "m", within=3)
        case.row(f"reach of the tip, B = {stiffness:g} N·m", tip[0] - edge / 2, x, "m", within=3)
        sags.append(-tip[1])
        exact.append(-y)
    case.draw("clothCantilever", "B, N·m", "sag, m", [("Purl", (0.02, 3e-3, 5e-4), sags, "o"), ("elastica", (0.02, 3e-3, 5e-4), exact, "k-")], xscale="log")
