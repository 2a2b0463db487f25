"""Lid-driven cavity with fractional viscosity
The history in fractional viscosity must not affect a steady flow (Özgen 2013, §4.4.2). The cavity at Reynolds number 10 after five seconds, with wcsph in two dimensions, with Müller's viscosity and with calibrated fractional viscosity. The reference
is a stream-function and vorticity solution on 64² cells, which agrees with the table of Ghia, Ghia and Shin at Reynolds number 100 to within 1 %.
"""
import numpy
import cavityScene

REFERENCE = "stream function and vorticity on a grid"

Y = numpy.arange(1, 10) / 10
U = numpy.array([-0.0578, -0.1022, -0.1427, -0.1798, -0.2048, -0.1957, -0.1146, 0.0908, 0.4659])


def run(case):
    curves, found = [("reference", U, Y, "ko")], []
    for model in ("mueller", "fractional"):
        line, u = cavityScene.centreLine(10, 24 if case.quick else 40, 2 if case.quick else 5, "wcsph", model,
                                         kernel="cubicSpline")
        found.append(numpy.interp(Y, line, u))
        case.below(f"rms error, {model}", numpy.sqrt(numpy.mean((found[-1] - U)**2)), 0.03, "U")
        curves.append((model, u, line, "-"))
    case.below("rms difference between the two", numpy.sqrt(numpy.mean((found[1] - found[0])**2)), 0.02, "U")
    case.draw("fractionalCavity", "u / U", "y / L", curves)
