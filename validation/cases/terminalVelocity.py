"""Terminal velocity under water
A horizontal sheet sinks until drag balances its weight minus buoyancy: (1 − ρ_w/ρ_c) m g = ½ ρ_w C A v² with normal drag only, and = (2 μ/δ) A v with viscous drag only. With normal drag, v = v∞ tanh(t/T), where T = v∞ m (1 + C_m ρ_w/ρ_c)/(its weight)
includes the added mass of the fluid.
"""
import numpy
import purl
from sheets import STILL, meshOf, scene, sheet

REFERENCE = "balance of drag and weight"

DENSITY, WET = 0.15, 1200.0


def play(times, **params):
    made = scene(sheet(5, 5, (0, 0, 0), (0.3, 0, 0), (0, 0, 0.3), **STILL, density=DENSITY, immersion=1, wet_density=WET, history_drag=0, solver="implicitEuler", max_time_step=1e-4, **params))
    simulator = purl.Simulator(threads=1)
    simulator.reset(made)
    return numpy.array([-numpy.array(meshOf(simulator.advance_to(made, t)).velocities)[:, 1].mean() for t in times])


def run(case):
    weight = (1 - 1000 / WET) * DENSITY * 9.81
    times = numpy.arange(1, 101) / 500
    fast = play(times, normal_drag=1.2, fluid_viscosity=0)
    exact = numpy.sqrt(weight / (0.5 * 1000 * 1.2))
    settles = exact * DENSITY * (1 + 0.5 * 1000 / WET) / weight
    case.row("terminal velocity, normal drag", fast[-1], exact, "m/s", within=1)
    case.below("largest error before terminal velocity", 100 * abs(fast - exact * numpy.tanh(times / settles)).max() / exact, 2, "%")
    slow = play((1.0, 2.0), normal_drag=0, fluid_viscosity=0.001, boundary_layer=0.002)
    case.row("terminal velocity, viscous drag", slow[-1], weight / (2 * 0.001 / 0.002), "m/s", within=1)
    case.draw("terminalVelocity", "time, s", "speed, m/s", [("Purl", times, fast, "o"), ("tanh", times, exact * numpy.tanh(times / settles), "k-")])
