"""A spring with fractional damping
Under water, the springs of a cloth are damped by a half-order derivative, m x″ + k √τ D^½x + k x = 0 (Özgen 2013, chapter 3, without fluid forces). Started from rest length with velocity v₀, the solution is x = v₀ Σ Aⱼ zⱼ E(zⱼ √t), with
E(w) = exp(w²) erfc(−w) the Mittag-Leffler function of order ½, zⱼ the roots of z⁴ + b z + ω², Aⱼ = 1/(4 zⱼ³ + b) and b = ω² √τ. The history covers the whole run of 250 steps; the errors of the first-order solvers are those of 200 steps per period.
Errors are relative to the largest amplitude.
"""
import cmath
import math
import numpy
from sheets import Oscillator

REFERENCE = "Mittag-Leffler functions"

LAG = 2e-3


def faddeeva(w):
    """exp(w²) erfc(−w) for complex w: a Taylor series around 0, or a continued fraction where it converges."""
    if abs(w) < 5:
        total, term, k = 0, 1, 0
        while abs(term) > 1e-18 * abs(total) or k < 10:  # Σ wᵏ/Γ(k/2 + 1)
            total += term
            k += 1
            term = w**k / math.gamma(k / 2 + 1)
        return total
    z = -w
    fraction = z
    for k in range(60, 0, -1):
        fraction = z + (k / 2) / fraction
    far = 1 / (math.sqrt(math.pi) * fraction)
    return far if z.real > 0 else 2 * cmath.exp(w * w) + far


def law(times, speed):
    omega, b = Oscillator.OMEGA, Oscillator.OMEGA**2 * math.sqrt(LAG)
    roots = numpy.roots([1, 0, 0, b, omega**2])
    return [sum((z / (4 * z**3 + b) * faddeeva(complex(z * math.sqrt(t)))) for z in roots).real * speed for t in times]


def run(case):
    end = 1.25 * 2 * math.pi / Oscillator.OMEGA
    times = numpy.arange(1, 26) * end / 25
    exact = numpy.array(law(times, 0.5))
    size = abs(exact).max()
    curves = []
    for solver, most in (("velocityVerlet", 2), ("implicitEuler", 4), ("xpbd", 4)):
        swinging = Oscillator(solver=solver, iterations=50, damping=LAG, immersion=1, fluid_density=0, fluid_viscosity=0, memory=10, max_time_step=1.0001 * end / 250)
        got = numpy.array([swinging.at(t) for t in times])
        case.below(f"largest error, {solver}", 100 * abs(got - exact).max() / size, most, "%")
        curves.append((solver, times, got, "o"))
    fine = numpy.linspace(end / 200, end, 200)
    case.draw("fractionalOscillator", "time, s", "stretch, m", curves + [("Mittag-Leffler", fine, law(fine, 0.5), "k-")])
