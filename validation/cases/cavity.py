"""Lid-driven cavity
The lid of a square cavity full of fluid moves at constant speed and drives a vortex. Two-dimensional, at Reynolds numbers 100 and 400. The velocity along the vertical centre line is compared with the table of
Ghia, Ghia and Shin (J. Comput. Phys. 48, 1982). Velocities are averaged over the last third of the simulated time and interpolated from the particles near each point of the table. At Re 100 the cavity is 40 particles wide and the
flow is steady after 8 s. At Re 400 the vortex needs 32 s to develop and boundary layers are thinner, so the cavity is 50 particles wide. wcsph uses Wendland's kernel with about 40 neighbours: with fewer neighbours, or the cubic
spline, particles form chains that increase the drag.
"""
import numpy
import cavityScene

REFERENCE = "Ghia, Ghia and Shin 1982"

Y = numpy.array([1.0000, .9766, .9688, .9609, .9531, .8516, .7344, .6172, .5000, .4531, .2813, .1719, .1016, .0703, .0625, .0547, 0])
GHIA = {100: numpy.array([1, .84123, .78871, .73722, .68717, .23151, .00332, -.13641, -.20581, -.21090, -.15662, -.10150, -.06434,
                          -.04775, -.04192, -.03717, 0]),
        400: numpy.array([1, .75837, .68439, .61756, .55892, .29093, .16256, .02135, -.11477, -.17119, -.32726, -.24299, -.14612,
                          -.10338, -.09266, -.08186, 0])}


def run(case):
    curves = []
    for reynolds, end, solver, cells in ((100, 8, "wcsph", 40), (400, 32, "wcsph", 50), (100, 8, "dfsph", 40)):
        params = {"kernel": "wendland", "kernel_particles": 40} if solver == "wcsph" else {}
        line, u = cavityScene.centreLine(reynolds, 24 if case.quick else cells, end / 2 if case.quick else end, solver, "morris", **params)
        error = numpy.interp(Y, line, u) - GHIA[reynolds]
        name = f"Re {reynolds}, {solver}"
        case.below(f"rms error at the points of the table, {name}", numpy.sqrt(numpy.mean(error[1:-1]**2)), 0.03, "U")
        case.row(f"peak reverse flow, {name}", u.min(), GHIA[reynolds].min(), "U", within=15)
        curves.append((name, u, line, "-" if solver == "wcsph" else ":"))
    curves += [(f"Ghia et al., Re {reynolds}", u, Y, mark) for (reynolds, u), mark in zip(GHIA.items(), ("o", "s"))]
    case.note("dfsph is less accurate. In two dimensions it has 12 neighbours; with as few, wcsph is off by 0.033 U and 21 % at Re 100. The cause of the remaining "
              "error is not known. dfsph resists compression but not expansion, which a closed box without gravity would need.")
    case.draw("cavity", "u / U", "y / L", curves)
