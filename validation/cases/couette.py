"""Flow between plates, dragged
Fluid at rest between two plates, one of which moves along from the start (plane Couette flow, Reynolds number 1): wcsph in two dimensions, viscosity
after Morris. Profiles on the way to the straight line are compared with the series of Morris, Fox and Zhu (J. Comput. Phys. 136, 1997,
eq. 23). Errors are told as above them.
"""
import numpy
from channel import HEIGHT, NU, SPEED, compare


def law(y, time):
    """u = U y/H + Σ 2 U/(n π) (−1)ⁿ sin(n π y/H) exp(−n² π² ν t/H²)"""
    n = numpy.arange(1, 60)[:, None]
    fading = 2 * SPEED / (n * numpy.pi) * (-1.0)**n * numpy.sin(n * numpy.pi * y / HEIGHT)
    return SPEED * y / HEIGHT + (fading * numpy.exp(-((n * numpy.pi / HEIGHT)**2) * NU * time)).sum(axis=0)


def run(case):
    compare(case, "couette", law, plateSpeed=SPEED)
