"""Drape coefficient after Cusick
A round sample of 30 cm diameter is held between discs of 18 cm and hangs over their rim. Its drape coefficient is the share of the ring that its shadow covers (J. Cusick, J. Text. Inst. 56, 1965). The sample is a mesh of
concentric rings. A stiff sample must not drape, a limp one must, and the result must not depend on the mesh. No fabric with measured bending, shear and drape was available for a further comparison.
"""
import numpy
import purl
from sheets import STILL, positions, scene

REFERENCE = "Cusick 1965, and a finer mesh"

OUTER, INNER = 0.15, 0.09


def disc(rings, around):
    """A disc of concentric rings of quads, with triangles around the centre."""
    points, faces = [(0, 0, 0)], []
    for r in range(1, rings + 1):
        for k in range(around):
            turn = 2 * numpy.pi * k / around
            points.append((OUTER * r / rings * numpy.cos(turn), 0, OUTER * r / rings * numpy.sin(turn)))
    for r in range(rings - 1):
        for k in range(around):
            a, n = 1 + r * around, (k + 1) % around
            faces.append((a + k, a + n, a + around + n, a + around + k))
    return numpy.array(points, numpy.float32), faces


def coefficient(bend, rings, around):
    points, quads = disc(rings, around)
    # Without the centre, which is pinned anyway.
    used = points[1:]
    faces = numpy.array(quads, numpy.int32) - 1
    radius = numpy.linalg.norm(used, axis=1)
    # Perturbed out of its plane by a thousandth of the radius, so that the folds do not depend on rounding errors.
    used[:, 1] = numpy.where(radius > INNER + 1e-4, 1e-3 * OUTER * numpy.cos(5 * numpy.arctan2(used[:, 2], used[:, 0])), 0)
    cloth = purl.Cloth("sample", used, faces, [1.0 if r <= INNER + 1e-4 else 0.0 for r in radius], **dict(STILL, air_drag=1, damping=1e-3, bend_damping=0.02),
                       density=0.2, solver="implicitEuler", max_time_step=0.01, tolerance=1e-3, bend_stiffness=bend, stretch_stiffness=500, shear_stiffness=30)
    made = scene(cloth)
    simulator = purl.Simulator(threads=1)
    simulator.reset(made)
    for frame in range(1, 37):
        there = simulator.advance_to(made, frame / 24)
    rim = positions(there)[-around:, [0, 2]]
    shadow = 0.5 * abs(numpy.sum(rim[:, 0] * numpy.roll(rim[:, 1], -1) - numpy.roll(rim[:, 0], -1) * rim[:, 1]))
    return 100 * (shadow - numpy.pi * INNER**2) / (numpy.pi * (OUTER**2 - INNER**2))


def run(case):
    bends = (1e-2, 1e-4, 3e-5, 1e-5)
    found = [coefficient(bend, 10, 60) if case.quick else coefficient(bend, 20, 96) for bend in bends]
    case.above("drape coefficient of a stiff sample, B = 0.01 N·m", found[0], 97, "%")
    case.below("drape coefficient of a limp sample, B = 1e-5 N·m", found[-1], 60, "%")
    case.above("smallest difference between successive samples", min(numpy.diff(found[::-1])), 3, "%")
    if not case.quick:
        case.row("B = 1e-4 N·m on a mesh 1.5 times as fine", coefficient(1e-4, 30, 144), found[1], "%", within=3)
    case.draw("clothDrape", "B, N·m", "drape coefficient, %", [("Purl", bends, found, "o-")], xscale="log", ylim=(0, 100))
