"""Plane Couette flow
Fluid at rest between two plates, one of which moves from the start (Reynolds number 1): wcsph in two dimensions with Morris's viscosity. The transient profiles are compared with the series of Morris, Fox and Zhu
(J. Comput. Phys. 136, 1997, eq. 23). Errors are defined as for Poiseuille flow below.
"""
import numpy
from channel import HEIGHT, NU, SPEED, compare

REFERENCE = "series of Morris, Fox and Zhu 1997"


def law(y, time):
    """u = U y/H + Σ 2 U/(n π) (−1)ⁿ sin(n π y/H) exp(−n² π² ν t/H²)"""
    n = numpy.arange(1, 60)[:, None]
    fading = 2 * SPEED / (n * numpy.pi) * (-1.0)**n * numpy.sin(n * numpy.pi * y / HEIGHT)
    return SPEED * y / HEIGHT + (fading * numpy.exp(-((n * numpy.pi / HEIGHT)**2) * NU * time)).sum(axis=0)


def run(case):
    compare(case, "couette", law, plateSpeed=SPEED)
