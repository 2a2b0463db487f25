"""Wicking
The lower end of a strip of cloth lies in a wide wet sheet, which supplies water. In a horizontal strip the absorbed amount grows with √t (Washburn 1921). Pores twice as wide, with four times the permeability, absorb √2 times as much, because D = κ p/(φ μ) and p ~ √(φ/κ). The
reference is the same equation implemented separately in numpy on four times as many cells. In a vertical strip at equilibrium, the capillary suction at every height z balances the weight of the water below, σ J(s)/√(κ/φ) = ρ g z; above the capillary height
σ J(0)/(√(κ/φ) ρ g) = 10.2 cm the strip is dry.
"""
import numpy
import purl
from sheets import meshOf, scene, sheet

REFERENCE = "Washburn 1921, finer cells, capillary equilibrium"

RHO = 998.29


def leverett(s):
    return 1.417 * (1 - s) - 2.120 * (1 - s)**2 + 1.263 * (1 - s)**3


def strip(length, rows, direction, wet, **params):
    """A strip with all points pinned; `wet` gives the initial saturation as a function of the distance from the lower end."""
    along = length * numpy.array(direction, float)
    cloth = sheet(3, rows, (0, 0, 0), (0, 0, 0.01), along, held=lambda p: True)
    cloth.pores = purl.Pores(absorption="soak", drips=False, evaporation=0, start_wetness=1, **params)
    distance = numpy.repeat(numpy.linspace(0, length, rows), 3)
    cloth.pores.wetness_map = [float(wet(d)) for d in distance]
    return scene(cloth), distance


def wetness(simulator, made, time):
    """Frame by frame: a frame without fluids is one step of the water in the pores."""
    frame = None
    for number in range(int(round(simulator.time * 24)) + 1, int(round(time * 24)) + 1):
        frame = simulator.advance_to(made, number / 24)
    return numpy.array(meshOf(frame).wetness, float)


def exactly(times, length=0.6, wet=0.4, cells=961):
    """Reference for what the horizontal strip absorbs, summed as in wetness(): φ ∂s/∂t = ∂/∂x (κ s³/μ ∂p/∂x), p = −σ √(φ/κ) J(s), by ψ = ∫ s³ |J′| ds."""
    dx = length / (cells - 1)
    s = numpy.where(numpy.linspace(0, length, cells) < wet - 1e-9, 1.0, 0.0)
    width = numpy.full(cells, dx)
    width[[0, -1]] /= 2
    rate = 1e-9 / 0.001 / 0.6 * 0.0728 / numpy.sqrt(1e-9 / 0.6)
    taken, now = [], 0
    for time in times:
        steps = int(numpy.ceil((time - now) / (0.4 * dx**2 / (1.417 * rate))))
        for _ in range(steps):
            psi = s**4 * (0.966 / 4 + s * (-3.338 / 5 + s * 3.789 / 6))
            passed = rate * (psi[:-1] - psi[1:]) / dx * (time - now) / steps
            s[:-1] -= passed / width[:-1]
            s[1:] += passed / width[1:]
        now = time
        taken.append((s * width)[numpy.linspace(0, length, cells) >= wet - 1e-9].sum())
    return numpy.array(taken)


def run(case):
    # A third of a long strip is the reservoir; it loses little water while the front has not travelled far.
    def taken(times, **params):
        made, distance = strip(0.6, 241, (1, 0, 0), lambda d: d < 0.4, **params)
        simulator = purl.Simulator(threads=1)
        simulator.reset(made)
        return numpy.array([wetness(simulator, made, t)[distance >= 0.4].sum() for t in times])

    times = numpy.arange(1, 17) / 24
    plain = taken(times)
    power = numpy.polyfit(numpy.log(times[1:]), numpy.log(plain[1:]), 1)[0]
    case.row("exponent of absorption over time", power, 0.5, "", within=5)
    # Three rows of points, 2.5 mm apart. The last point of a row represents half the area, but it is dry.
    exact = exactly(times)
    own = plain / 3 * 0.0025
    case.below("rms error relative to the same equation on finer cells", 100 * numpy.sqrt(numpy.mean((own / exact - 1)**2)), 3, "%")
    case.row("absorption with four times the permeability", taken(times[-1:], permeability=4e-9)[0] / plain[-1], 2**0.5, "times", within=5)
    case.row("absorption with half the porosity, relative to pore volume", taken(times[-1:], porosity=0.3)[0] / plain[-1], 2**0.25, "times", within=5)
    case.draw("wickingRoot", "√time, √s", "taken up, m of full strip", [("Purl", numpy.sqrt(times), own, "o"), ("finer cells", numpy.sqrt(times), exact, "k-")])

    made, height = strip(0.2, 41, (0, 1, 0), lambda d: d < 0.1, wicking_speed=20)
    simulator = purl.Simulator(threads=1)
    simulator.reset(made)
    s = wetness(simulator, made, 3.0 if case.quick else 8.0)[1::3]
    z = height[1::3]
    pull = 0.0728 / numpy.sqrt(1e-9 / 0.6)
    drawn = pull * leverett(s)
    level = next(z[k] - drawn[k] / (RHO * 9.81) for k in range(len(z)) if drawn[k] > 20)
    top = pull * 0.56 / (RHO * 9.81)
    inside = (z - level > 0.01) & (z - level < 0.8 * top)
    error = 100 * abs(drawn[inside] / (RHO * 9.81) - (z[inside] - level)).max() / top
    case.below("largest error of the suction, relative to the capillary height", error, 3, "%")
    front = z[s > 0.02].max() - level
    case.row("capillary height", 100 * front, 100 * top, "cm", within=6)
    exact = numpy.linspace(0, 1, 101)
    case.draw("wickingHeight", "saturation", "height above the water, cm", [("Purl", s, 100 * (z - level), "o"), ("σJ(s) = ρgz", exact, 100 * pull * leverett(exact) / (RHO * 9.81), "k-")])
