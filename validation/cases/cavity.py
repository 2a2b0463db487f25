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
        params = {"kernel": "wendland", "kernel_particles": 40} if solver == "wcsph" else {"room": 0.05}
        line, u = cavityScene.centreLine(reynolds, 24 if case.quick else cells, end / 2 if case.quick else end, solver, "morris" if solver == "wcsph" else "implicit", **params)
        error = numpy.interp(Y, line, u) - GHIA[reynolds]
        name = f"Re {reynolds}, {solver}"
        case.below(f"rms error at the points of the table, {name}", numpy.sqrt(numpy.mean(error[1:-1]**2)), 0.03, "U")
        case.row(f"peak reverse flow, {name}", u.min(), GHIA[reynolds].min(), "U", within=15)
        curves.append((name, u, line, "-" if solver == "wcsph" else ":"))
    curves += [(f"Ghia et al., Re {reynolds}", u, Y, mark) for (reynolds, u), mark in zip(GHIA.items(), ("o", "s"))]
    case.note("dfsph has a twentieth of a spacing of room at the walls, and its implicit viscosity. In a box that is completely full (see \"A box completely full of water\") it corrects the same error of the density in every step, boils, and loses speed with every step: 24 particles wide, after 5 s, the rms error is 0.21 U without room, 0.066, 0.062 and 0.057 U "
              "with 0.03, 0.05 and 0.08 spacings, and 0.19 U with half a spacing, which lets go of the walls. Viscosity adds to it: with room 0.062 U by Morris's explicit one, 0.040 U by the implicit one. 40 particles wide the error falls from 0.098 to 0.033 U with room, and to 0.026 U with both; 0.08 and 0.1 spacings give 0.024 and 0.029 U. "
              "The peak of the reverse flow stays 12 % short: in two dimensions dfsph has 12 neighbours, and with as few wcsph is 21 % short. With a cfl of 1 instead of 0.2 and this room it blew up at 5 s.")
    case.draw("cavity", "u / U", "y / L", curves)
