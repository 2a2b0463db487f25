"""Steps chosen by doubling
Bayraktar (2010, §5.6.1) describes adaptive steps: a step of the classical Runge–Kutta method and two of half its length start from the same state, at 11 evaluations of the forces, and a fifteenth of their difference estimates the error. Too large an error
repeats the step with a shorter one. Here that is done to wcsph from outside, by saving and restoring its state: a square of 10 × 10 particles without gravity, whose two halves meet at 2 m/s. The reference has steps of 100 µs. Positions are compared
after 20 ms, and so are those with the steps that the solver takes by itself.
"""
import os
import tempfile
import numpy
import purl
import tank

REFERENCE = "the same flow with steps of 100 µs"
SPACING, END, EVALUATIONS = 0.02, 0.02, 11


def run(case):
    exact, _ = fixed(1e-4)
    curves = []
    for tolerance in ((1e-4,) if case.quick else (1e-3, 1e-4, 1e-5)):
        x, lengths, tried = adaptive(tolerance * SPACING)
        error = numpy.abs(x - exact).max() / SPACING
        case.below(f"error for a tolerance of {tolerance:g} spacings a step", error, tolerance * len(lengths), "spacings", note="the tolerance in every step")
        case.note(f"Tolerance {tolerance:g}: {len(lengths)} steps, {EVALUATIONS * tried} evaluations of the forces; steps of {1e3 * lengths.min():.2f} to {1e3 * lengths.max():.2f} ms.")
        curves.append((f"tolerance {tolerance:g}", numpy.cumsum(lengths), 1e3 * lengths, ".-"))
    x, steps = fixed(0)
    case.note(f"The solver's own steps, by its stability limit: {steps} steps, {4 * steps} evaluations, error {numpy.abs(x - exact).max() / SPACING:.1e} spacings.")
    case.draw("stepDoubling", "time, s", "length of the step, ms", curves, yscale="log")


def start():
    halves = [purl.Fluid(f"half{k}", [tank.block((x, 0, -1), (x + 5 * SPACING, 10 * SPACING, 1))], particle_spacing=SPACING, viscosity=0.5, surface_tension=0, attraction=0,
                         kernel="wendland", start_velocity=(speed, 0, 0)) for k, (x, speed) in enumerate(((-5 * SPACING, 1), (0, -1)))]
    scene = tank.settings(purl.Scene(halves), pressure_solver="wcsph", dimensions=2, gravity=0, reference_integrator="rungeKutta4", cfl=0)
    simulator = purl.Simulator(threads=1)
    simulator.reset(scene)
    return scene, simulator


def placed(points):
    return points.positions[numpy.argsort(points.ids)].astype(float)


def fixed(step):
    """With steps of that length, 0: those of the solver. Returns positions and the number of steps."""
    scene, simulator = start()
    scene.solver.max_time_step = step
    frame = simulator.advance_to(scene, END)
    return placed(frame.points), frame.stats.steps


def adaptive(tolerance):
    """Steps of an error below the tolerance, m. Returns positions, the lengths of the steps, and how many were tried."""
    scene, simulator = start()
    time, step, lengths, tried = 0.0, 1e-3, [], 0
    with tempfile.TemporaryDirectory() as folder:
        saved = os.path.join(folder, "state.purl")
        while time < END * (1 - 1e-9):
            step = min(step, END - time)
            simulator.save_state(saved)
            found = []
            for parts in (1, 2):
                simulator.restore(saved, scene)
                scene.solver.max_time_step = 1.0001 * step / parts  # one or two steps, also after rounding
                found.append(simulator.advance_to(scene, time + step).points)
            tried += 1
            one, two = map(placed, found)
            error = numpy.abs(two - one).max() / 15
            # The error of a step grows with the fifth power of its length.
            next = 0.9 * step * (tolerance / max(error, 1e-3 * tolerance))**0.2
            if error <= tolerance:
                time += step
                lengths.append(step)
            else:
                simulator.restore(saved, scene)
            step = float(numpy.clip(next, 0.2 * step, 4 * step))
    return two, numpy.array(lengths), tried
