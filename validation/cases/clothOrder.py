"""A mass on a spring of cloth
A square of cloth of which one side is held and the other is thrown along: two masses on springs that swing as v₀/ω sin ωt. What is compared is the place
after one radian, with 16 to 128 steps (4 to 32 of velocity Verlet, whose errors are floats' own soon after), and by which power of the step each solver's error falls: 1 for solvers that take forces at the step's end, 2 for
velocity Verlet.
"""
import math
import numpy
from sheets import Oscillator

COARSE, FINE = (4, 8, 16, 32), (16, 32, 64, 128)
SOLVERS = {"velocityVerlet": 2, "implicitEuler": 1, "xpbd": 1, "precomputedFilter": 1}


def run(case):
    curves = []
    duration = 1 / Oscillator.OMEGA
    for solver, order in SOLVERS.items():
        errors, numbers = [], COARSE if order == 2 else FINE
        for steps in numbers:
            swinging = Oscillator(solver=solver, iterations=50, maxTimeStep=1.0001 * duration / steps)
            errors.append(abs(swinging.at(duration) * Oscillator.OMEGA / 0.5 / math.sin(1) - 1))
        slope = -numpy.polyfit(numpy.log(numbers), numpy.log(errors), 1)[0]
        case.row(f"order, {solver}", slope, order, within=10)
        case.below(f"error with {numbers[-1]} steps, {solver}", 100 * errors[-1], 1, "%")
        curves.append((solver, numbers, errors, "o-"))
    case.draw("clothOrder", "steps a radian", "error", curves, xscale="log", yscale="log")
