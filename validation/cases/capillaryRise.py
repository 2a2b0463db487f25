"""Capillary rise
Liquid rises between two plates at a distance d until its weight balances the pull of the menisci: h = 2 σ cos θ/(ρ g d) above the reservoir (Jurin). Purl's walls complete the neighbourhood of the particles beside them, so that the bare interface of liquid and wall costs no energy and a work of adhesion W pulls with σ cos θ = W, up
to σ (see "Static contact angle" for what drops make of it). Half of a slot 2 mm wide, eight spacings, with a mirror in its middle; gravity is doubled to keep the rise short. The level in the slot is the volume of its liquid over its area.
"""
import numpy
import purl
import tank

REFERENCE = "Jurin's law"
TENSION, GAP, SPACING, GRAVITY = 0.0728, 0.002, 0.00025, 19.62


def run(case):
    curves = []
    for share in (0.5,) if case.quick else (0.25, 0.5, 1):
        times, rises = play(share)
        expected = 2 * share * TENSION / (1000 * GRAVITY * GAP)
        case.row(f"rise for a work of adhesion of {share:g} σ", 1e3 * rises[-10:].mean(), 1e3 * expected, "mm", within=20)
        curves += [(f"{share:g} σ", times, 1e3 * rises, "-"), (None, times[[0, -1]], [1e3 * expected] * 2, "k:")]
    case.note("One spacing is 0.25 mm, and tension acts over two: the menisci, a quarter of the slot each, are not as sharp as the law assumes. A weak adhesion lifts the liquid by less than three spacings.")
    case.draw("capillaryRise", "time, s", "rise, mm", curves)


def play(share):
    """Times and heights of the liquid in the slot above that in the reservoir."""
    s = SPACING
    width, depth, level = 24 * s, 8 * s, 16 * s
    edge = GAP / 2
    water = purl.Fluid("water", [tank.block((0, 0, 0), (edge, level, depth)), tank.block((edge + 4 * s, 0, 0), (width, level, depth)), tank.block((edge, 0, 0), (edge + 4 * s, 6 * s, depth))],
                       particle_spacing=s, rest_density=1000, viscosity=0.02, surface_tension=TENSION, tension_model="cohesion", attraction=0)
    plate = purl.Collider("plate", shape="box", half_size=(2 * s, 40 * s, depth), friction=0, adhesion=share * TENSION)
    plate.position = (edge + 2 * s, 46 * s, depth / 2)
    walls = tank.closedBox((0, 0, 0), (width, 80 * s, depth), friction=0)
    scene = tank.settings(purl.Scene([water], [walls, plate]), pressure_solver="dfsph", gravity=GRAVITY, xsph=0)
    simulator = purl.Simulator(threads=2)
    simulator.reset(scene)
    times, rises = numpy.arange(1, 41) / 80, []
    for time in times:
        x = simulator.advance_to(scene, time).points.positions[:, 0]
        rises.append((x < edge).sum() * s**3 / (edge * depth) - (x > 12 * s).sum() * s**3 / ((width - 12 * s) * depth))
    return times, numpy.array(rises)
