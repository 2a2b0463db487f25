"""A cavity with a lid that moves
A square full of fluid whose lid moves along: a vortex fills it. In two dimensions, at Reynolds numbers 100 and 400, the velocity along the upright centre
line is compared with the table of Ghia, Ghia and Shin (J. Comput. Phys. 48, 1982). Velocities are means over the last third
of the times played, interpolated from the particles near each of the table's points. At 100 there are 40 particles across and the flow is steady after
8 s; at 400 the vortex takes 32 s to fill the box, and layers at the walls are thinner: 50 across. wcsph weighs some 40 neighbours by Wendland's
kernel: with fewer, or the cubic spline, particles line up in chains that drag.
"""
import numpy
import cavityScene

Y = numpy.array([1.0000, .9766, .9688, .9609, .9531, .8516, .7344, .6172, .5000, .4531, .2813, .1719, .1016, .0703, .0625, .0547, 0])
GHIA = {100: numpy.array([1, .84123, .78871, .73722, .68717, .23151, .00332, -.13641, -.20581, -.21090, -.15662, -.10150, -.06434,
                          -.04775, -.04192, -.03717, 0]),
        400: numpy.array([1, .75837, .68439, .61756, .55892, .29093, .16256, .02135, -.11477, -.17119, -.32726, -.24299, -.14612,
                          -.10338, -.09266, -.08186, 0])}


def run(case):
    curves = []
    for reynolds, end, solver, cells in ((100, 8, "wcsph", 40), (400, 32, "wcsph", 50), (100, 8, "dfsph", 40)):
        params = {"kernel": "wendland", "kernelParticles": 40} if solver == "wcsph" else {}
        line, u = cavityScene.centreLine(reynolds, 24 if case.quick else cells, end / 2 if case.quick else end, solver, "morris", **params)
        error = numpy.interp(Y, line, u) - GHIA[reynolds]
        name = f"Re {reynolds}, {solver}"
        case.below(f"root mean square error at the table's points, {name}", numpy.sqrt(numpy.mean(error[1:-1]**2)), 0.03, "U")
        case.row(f"fastest backward flow, {name}", u.min(), GHIA[reynolds].min(), "U", within=15)
        curves.append((name, u, line, "-" if solver == "wcsph" else ":"))
    curves += [(f"Ghia et al., Re {reynolds}", u, Y, mark) for (reynolds, u), mark in zip(GHIA.items(), ("o", "s"))]
    case.note("dfsph is farther off. In the plane it has 12 neighbours, with which wcsph misses by 0.033 and 21 % at Re 100; what the rest is owed to is "
              "not known. It presses where the fluid is compressed and does not pull where it is stretched, which a closed box without weight asks for.")
    case.draw("cavity", "u / U", "y / L", curves)
