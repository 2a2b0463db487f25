"""Cloth that absorbs, stretches and drips
A horizontal cloth under standing water absorbs what its pores hold, φ d ρ per square metre, and no more: a plateau. A wet hanging strip is longer than a dry one because of the weight of the water, g (m + s φ d ρ) L²/(2 k), and because
`wetStiffness` reduces its stiffness k. A full towel drips; the water that has dripped off and the water that is left must add up to the initial amount.
"""
import numpy
import purl
import tank
from sheets import STILL, meshOf, positions, scene, sheet

REFERENCE = "conservation, elongation by weight"

RHO, POROSITY, DEPTH = 998.29, 0.6, 0.001


def filling(case):
    """A cloth at the bottom of a tank, four layers of particles above it."""
    edge, spacing = 0.06, 0.005
    cloth = sheet(17, 17, (0, 0, 0), (0, 0, edge), (edge, 0, 0), held=lambda p: True, thickness=0.002)
    cloth.pores = purl.Pores(absorption="soak", drips=False, evaporation=0)
    water = purl.Fluid("water", [tank.block((0, 0.001, 0), (edge, 0.001 + 4 * spacing, edge))], particle_spacing=spacing)
    made = purl.Scene([water], [tank.closedBox((0, -0.004, 0), (edge, 0.1, edge))], cloths=[cloth])
    made.solver.pressure_solver = "pbf"
    simulator = purl.Simulator(threads=1)
    simulator.reset(made)
    times = numpy.arange(1, 25 if case.quick else 73) / 24
    held = [1000 * simulator.advance_to(made, float(time)).stats.fabric_mass for time in times]
    full = 1000 * POROSITY * DEPTH * RHO * edge**2
    case.row("final amount absorbed", held[-1], full, "g", within=2)
    case.below("increase in the last quarter of the time", 100 * (held[-1] / held[-len(held) // 4] - 1), 0.5, "%")
    case.draw("soakingPlateau", "time, s", "water in the cloth, g", [("Purl", times, held, "o"), ("φ d ρ a square metre", times, [full] * len(times), "k-")])


def stretching(case):
    """A strip of half a metre hanging from its upper edge, uniformly wet."""
    length, stiffness, area = 0.5, 100, 0.15

    def longer(wetness, wetStiffness):
        strip = sheet(5, 26, (0, -length, 0), (0.1, 0, 0), (0, length, 0), held=lambda p: p[1] > -1e-6, **dict(STILL, air_drag=1, damping=0.1),
                      solver="implicitEuler", stretch_stiffness=stiffness, shear_stiffness=0.01, density=area, tolerance=1e-5, max_time_step=0.01)
        strip.pores = purl.Pores(absorption="soak", drips=False, evaporation=0, wicking_speed=0, squeeze=0, start_wetness=wetness, wet_stiffness=wetStiffness)
        made = scene(strip)
        simulator = purl.Simulator(threads=1)
        simulator.reset(made)
        for number in range(1, 97):
            frame = simulator.advance_to(made, number / 24)
        return -positions(frame)[2, 1] - length

    wetness = numpy.linspace(0, 1, 5)
    curves = []
    for soft, mark in ((1.0, "o"), (0.7, "s")):
        found = numpy.array([longer(float(s), soft) for s in wetness])
        exact = 9.81 * (area + wetness * POROSITY * DEPTH * RHO) * length**2 / 2 / (stiffness * (1 + (soft - 1) * wetness))
        case.below(f"largest error of the elongation, wetStiffness {soft:g}", 100 * abs(found / exact - 1).max(), 3, "%")
        curves += [(f"Purl, wetStiffness {soft:g}", wetness, 1000 * found, mark), (f"g (m + s φ d ρ) L²/(2 k), wetStiffness {soft:g}", wetness, 1000 * exact, "k-")]
    case.draw("soakingStretch", "saturation", "longer by, mm", curves)


def dripping(case):
    """A full towel with all points pinned, and the drops that fall from it into a kill volume."""
    width, height, spacing = 0.1, 0.2, 0.005
    drain = purl.Collider("drain", shape="plane", effect="kill")
    drain.position = (0, -0.1, 0)
    towel = sheet(11, 41, (0, 0, 0), (width, 0, 0), (0, height, 0), held=lambda p: True, thickness=0.002)
    towel.pores = purl.Pores(absorption="soak", evaporation=0, start_wetness=1, wicking_speed=20, clinging_film=0)
    made = purl.Scene([purl.Fluid("water", [], particle_spacing=spacing)], [drain], cloths=[towel])
    made.solver.pressure_solver = "pbf"
    simulator = purl.Simulator(threads=1)
    simulator.reset(made)
    start, worst, times, left, fallen = None, 0, [], [], []
    for number in range(1, 73 if case.quick else 241):
        stats = simulator.advance_to(made, number / 24).stats
        drops = stats.dripped * RHO * spacing**3
        start = start or stats.fabric_mass + drops
        worst = max(worst, abs(stats.liquid_mass + stats.fabric_mass + stats.drained_mass - start) / start)
        times.append(number / 24)
        left.append(1000 * stats.fabric_mass)
        fallen.append(1000 * (stats.liquid_mass + stats.drained_mass))
    case.row("water in a full towel of 20 × 10 cm", 1000 * start, 1000 * POROSITY * DEPTH * RHO * width * height, "g", within=0.1)
    case.above("share that dripped off", 100 * (1 - left[-1] / 1000 / start), 20, "%")
    case.below("largest error of the water balance in any frame", worst, 1e-6)
    case.below("difference between dripped mass and loss of the towel", abs(start - left[-1] / 1000 - drops) / start, 1e-6)
    case.draw("soakingDrip", "time, s", "water, g", [("in the towel", times, left, "-"), ("dripped", times, fallen, "--"), ("both", times, numpy.add(left, fallen), "k:")])


def run(case):
    filling(case)
    stretching(case)
    dripping(case)
