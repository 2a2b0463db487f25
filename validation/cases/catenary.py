"""A hanging strip: the catenary
A strip without bending stiffness, one metre long, hangs between ends 0.8 m and 0.4 m apart. Its shape is the catenary y = a cosh(x/a), where a follows from length and span.
Solver implicitEuler with stiff threads. Errors are those of the points on the centre line, relative to the length.
"""
import numpy
import purl
from sheets import STILL, positions, scene, sheet

REFERENCE = "catenary"


def parameter(span):
    """Solves 2 a sinh(span/2a) = 1 for a."""
    low, high = 1e-3, 100.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if 2 * middle * numpy.sinh(min(700, span / 2 / middle)) > 1 else (low, middle)
    return low


def run(case):
    curves = []
    rows = 25 if case.quick else 49
    for span in (0.8, 0.4):
        strip = sheet(3, rows, (0, 0, -0.02), (0, 0, 0.04), (1, 0, 0), held=lambda p: p[0] < 1e-6 or p[0] > 1 - 1e-6,
                      **dict(STILL, air_drag=1, damping=0.002), solver="implicitEuler", max_time_step=0.01, bend_stiffness=0, stretch_stiffness=20000, tolerance=1e-5)
        made = scene(strip)
        simulator = purl.Simulator(threads=1)
        simulator.reset(made)
        rest = numpy.array(made.cloths[0].points)
        for frame in range(1, 97):
            closer = (1 - span) / 2 * min(1, frame / 24)
            made.cloths[0].points[:] = rest + numpy.where(rest[:, :1] < 0.5, 1, -1) * numpy.array([[closer, 0, 0]], numpy.float32)
            there = simulator.advance_to(made, frame / 24)
        line = positions(there)[1::3]
        x, y = line[:, 0] - 0.5, line[:, 1]
        a = parameter(span)
        # By arc length s = a sinh(x/a), so that steep ends get their full weight.
        s = numpy.linspace(-0.5, 0.5, rows)
        exact = numpy.stack([a * numpy.arcsinh(s / a), numpy.hypot(a, s) - numpy.hypot(a, 0.5)], axis=1)
        case.row(f"sag, span {span} m", -y.min(), -exact[:, 1].min(), "m", within=1)
        case.below(f"largest distance from the catenary, span {span} m", 100 * numpy.linalg.norm(numpy.stack([x, y], 1) - exact, axis=1).max(), 1, "% of the length")
        curves += [(f"Purl, span {span} m", x, y, "o"), ("catenary", exact[:, 0], exact[:, 1], "k-")]
    case.draw("catenary", "x, m", "y, m", curves)
