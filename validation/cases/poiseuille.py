"""Plane Poiseuille flow
Fluid at rest between two no-slip plates is driven along them by a constant force (Reynolds number 1): wcsph in two dimensions with Morris's viscosity. Profiles from the start to the steady parabola are compared with the series of Morris, Fox and Zhu
(J. Comput. Phys. 136, 1997, eq. 24). Errors are root mean squares over all particles, relative to that of the flow.
"""
import numpy
from channel import HEIGHT, NU, SPEED, compare

REFERENCE = "series of Morris, Fox and Zhu 1997"

PUSH = 8 * NU * SPEED / HEIGHT**2  # m/s², gives a peak velocity of SPEED


def law(y, time):
    """u = F y (H − y)/2ν − Σ 4 F H²/(ν π³ n³) sin(π n y/H) exp(−n² π² ν t/H²), n odd"""
    n = numpy.arange(1, 60, 2)[:, None]
    fading = 4 * PUSH * HEIGHT**2 / (NU * numpy.pi**3 * n**3) * numpy.sin(numpy.pi * n * y / HEIGHT)
    return PUSH / (2 * NU) * y * (HEIGHT - y) - (fading * numpy.exp(-((n * numpy.pi / HEIGHT)**2) * NU * time)).sum(axis=0)


def run(case):
    compare(case, "poiseuille", law, push=PUSH)
