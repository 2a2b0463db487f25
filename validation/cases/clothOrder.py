"""Order of accuracy of the cloth solvers
One side of a square of cloth is pinned and the other is given a velocity: two masses on springs, which oscillate as v₀/ω sin ωt. The position after one radian is compared for 16 to 128 steps (4 to 32 for velocity Verlet, whose error
soon reaches floating-point precision), and with it the power of the time step by which each solver's error decreases: 1 for solvers that evaluate forces at the end of the step, 2 for velocity Verlet.
"""
import math
import numpy
from sheets import Oscillator

REFERENCE = "exact oscillation"

COARSE, FINE = (4, 8, 16, 32), (16, 32, 64, 128)
SOLVERS = {"velocityVerlet": 2, "implicitEuler": 1, "xpbd": 1, "precomputedFilter": 1}


def run(case):
    curves = []
    duration = 1 / Oscillator.OMEGA
    for solver, order in SOLVERS.items():
        errors, numbers = [], COARSE if order == 2 else FINE
        for steps in numbers:
            swinging = Oscillator(**({"reference_cloth_solver": solver} if solver == "precomputedFilter" else {"solver": solver}), iterations=50, max_time_step=1.0001 * duration / steps)
            errors.append(abs(swinging.at(duration) * Oscillator.OMEGA / 0.5 / math.sin(1) - 1))
        slope = -numpy.polyfit(numpy.log(numbers), numpy.log(errors), 1)[0]
        case.row(f"order of accuracy, {solver}", slope, order, within=10)
        case.below(f"error with {numbers[-1]} steps, {solver}", 100 * errors[-1], 1, "%")
        curves.append((solver, numbers, errors, "o-"))
    case.draw("clothOrder", "steps a radian", "error", curves, xscale="log", yscale="log")
