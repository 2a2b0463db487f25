"""A cloth pendulum
A square of 0.2 m is pinned along one side and released from horizontal; it swings to the other side and back. The period of a pendulum with an amplitude of 90° is 4 √(L/g) K(sin 45°) = 1.18034 · 2π √(L/g), where L is the distance
to the masses on its lower side. velocityVerlet without damping conserves energy; the energy that implicitEuler loses is given for comparison.
"""
import numpy
import purl
from sheets import STILL, meshOf, scene, sheet

REFERENCE = "period at an amplitude of 90°"

LENGTH = 0.2


def play(seconds, **params):
    held = sheet(2, 2, (0, 0, 0), (LENGTH, 0, 0), (0, 0, LENGTH), held=lambda p: p[0] < 0.01, **STILL, shear_stiffness=0, bend_stiffness=0,
                 stretch_stiffness=2000, density=0.15, tolerance=1e-6, **params)
    made = scene(held)
    simulator = purl.Simulator(threads=1)
    simulator.reset(made)
    times = numpy.arange(1, int(seconds * 240) + 1) / 240
    at, energy = [], []
    for time in times:
        mesh = meshOf(simulator.advance_to(made, time))
        p, v = numpy.array(mesh.positions[1], float), numpy.array(mesh.velocities[1], float)
        at.append(p[0])
        # Per mass, relative to the potential energy released from horizontal to the lowest point; each spring of 1000 N/m counts a quarter of its elongation squared.
        stretch = numpy.linalg.norm(p[:2]) - LENGTH
        energy.append((v @ v / 2 + 9.81 * p[1] + 0.5 * 1000 / (0.15 * LENGTH**2 / 4) * stretch**2) / (9.81 * LENGTH))
    return times, numpy.array(at), numpy.array(energy)


def run(case):
    seconds = 10 if case.quick else 40
    times, at, energy = play(seconds, solver="velocityVerlet", max_time_step=2e-4)
    crossings = [times[k] - at[k] * (times[k + 1] - times[k]) / (at[k + 1] - at[k]) for k in range(len(at) - 1) if at[k] > 0 >= at[k + 1]]
    period = (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    case.row("period", period, 1.18034 * 2 * numpy.pi * numpy.sqrt(LENGTH / 9.81), "s", within=0.5)
    case.below(f"change of energy in {seconds} s, velocityVerlet", 100 * abs(energy[-24:].mean() - energy[:24].mean()), 1, "% of the initial potential energy")
    lossy, _, loss = play(min(seconds, 10), solver="implicitEuler", max_time_step=1e-3)
    case.note(f"implicitEuler with time steps of 1 ms has lost {-100 * loss[-1]:.0f} % after {lossy[-1]:.0f} s.")
    case.draw("clothPendulum", "time, s", "energy, of the fall", [("velocityVerlet", times[::24], energy[::24], "-"), ("implicitEuler", lossy[::24], loss[::24], "-")])
