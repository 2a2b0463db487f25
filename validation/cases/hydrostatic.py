"""Hydrostatic pressure
A tank of water 0.4 m deep comes to rest. Its pressure must increase with depth as p = ρ g h for every solver. The slope is fitted between a quarter and nine tenths of the depth; the level is where the fitted line reaches zero, which is the surface
if volume was conserved. Only the middle of the tank is used, three spacings from its sides: walls push only along their normals, so fluid beside them carries less of its weight by friction and has a higher pressure. pbf uses time steps of 2 ms
and no artificial pressure, which would carry weight too: with its default time steps and tensile correction, which look good, its pressure is 5 % lower.
"""
import numpy
import purl
import tank

REFERENCE = "p = ρ g h"

DEPTH, WIDTH = 0.4, 0.3


def run(case):
    curves, sums = [], []
    for solver, friction in (("wcsph", 0.4), ("pbf", 0.4), ("dfsph", 0.4), ("dfsph", 0)):
        name = solver if friction else f"{solver}, walls without friction"
        spacing = 0.02
        water = purl.Fluid("water", [tank.block((0, 0, 0), (WIDTH, DEPTH, WIDTH))], particle_spacing=spacing, rest_density=1000,
                           surface_tension=0, attraction=0)
        if solver == "wcsph":
            water.stiffness, water.state_equation, water.kernel = 400, "tait", "cubicSpline"
        walls = tank.closedBox((0, 0, 0), (WIDTH, 1, WIDTH), friction=friction, boundary="particles" if solver == "wcsph" else "automatic")
        scene = purl.Scene([water], [walls])
        tank.settings(scene, pressure_solver=solver)
        if solver == "pbf":
            tank.settings(scene, pbf_iterations=50, max_density_error=0.01, artificial_pressure=0, max_time_step=0.002)
        simulator = purl.Simulator(threads=2)
        simulator.reset(scene)
        end = 1.0 if case.quick else 3.0
        heights, pressures = [], []
        for moment in numpy.linspace(0.7, 1, 100) * end:  # average: dfsph's pressure varies from step to step
            points = simulator.advance_to(scene, moment).points
            middle = (numpy.abs(points.positions[:, [0, 2]] - WIDTH / 2) < WIDTH / 2 - 3 * spacing).all(axis=1)
            heights.append(points.positions[middle, 1])
            pressures.append(points.pressures[middle])
        if solver != "wcsph" and friction:
            sums.append(f"{solver}: {{:.3f}} and {{:.3f}}/m, which asks for a slope {{:.1f}} % too high".format(*needed(points.positions.astype(float), pressures[-1].mean(), spacing)))
        height, pressure = tank.profile(numpy.concatenate(heights), numpy.concatenate(pressures), int(DEPTH / spacing))
        inside = (height > 0.1 * DEPTH) & (height < 0.75 * DEPTH)
        slope, zero = numpy.polyfit(height[inside], pressure[inside], 1)
        case.row(f"−dp/dy, {name}", -slope, 9810, "Pa/m", within=3)
        case.row(f"level, {name}", -zero / slope, DEPTH, "m", within=3)
        curves.append((name, pressure, height, ".-"))
    case.note("The slopes of dfsph and pbf are 2 to 4 % high because pressure acts by sums over particles that have settled unevenly. On a lattice Σ V Δy ∂W/∂y is 1.02 and Σ V ∂W/∂y is 0. At the end of these runs they are, in the middle of the tank, " + ", ".join(sums) +
              ", for forces Σ V (pᵢ + pⱼ) ∇W to carry the weight at the mean pressure. More accurate solutions do not change it: pbf's slope after one second is 4.1 % high with steps of 2 ms, 3.9 % with 1 ms and 4.9 % with 150 iterations. Wall friction is a small part:"
              " without it dfsph's slope is 0.3 % lower. Single runs of dfsph scatter by as much as the error: in the plane, steps of 2 ms and of 1 ms make it +6.0 and −3.4 %, and half the spacing +2.6 %. Levels, which do not depend on the pressure's noise, are right to 0.7 %.")
    curves.append(("ρ g h", [9810 * DEPTH, 0], [0, DEPTH], "k--"))
    case.draw("hydrostatic", "pressure, Pa", "height, m", curves)


def needed(x, pressure, spacing):
    """Σ V Δy ∂W/∂y and Σ V ∂W/∂y, means over the particles inside, for the cubic spline of two spacings' support; and by how much, %, the slope of the pressure must exceed ρ g for forces with these sums to carry the weight."""
    h, volume = 2 * spacing, spacing**3
    inside = (numpy.abs(x[:, [0, 2]] - WIDTH / 2) < WIDTH / 2 - 3 * spacing).all(axis=1) & (x[:, 1] > 0.1 * DEPTH) & (x[:, 1] < 0.75 * DEPTH)
    stretch, lean = [], []
    for centre in x[inside]:
        d = x - centre
        r = numpy.linalg.norm(d, axis=1)
        near = (r > 0) & (r < h)
        q, d = r[near] / h, d[near]
        slope = 48 / (numpy.pi * h**4) * numpy.where(q < 0.5, 3 * q * q - 2 * q, -(1 - q)**2) / r[near]  # W′/r
        stretch.append(-volume * (slope * d[:, 1]**2).sum())
        lean.append(-volume * (slope * d[:, 1]).sum())
    stretch, lean = numpy.mean(stretch), numpy.mean(lean)
    return stretch, lean, 100 * ((1 + 2 * pressure * lean / 9810) / stretch - 1)
