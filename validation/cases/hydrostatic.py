"""Water at rest
A tank of water, 0.4 m deep, is left to come to rest. Its pressure must grow with depth as p = ρ g h, whichever solver keeps the volume.
The slope is fitted between a quarter and nine tenths of the depth; the level is where the fitted line reaches zero, which is the
surface if the volume was kept. Taken in the middle of the tank, three spacings from its sides: walls push along their normals alone, so that
next to them fluid has less to carry its weight, and more pressure. pbf takes steps of 2 ms and no artificial pressure, for that
carries weight too: at the steps and with the tension it takes by itself, which look well, its pressure is a twentieth lower.
"""
import numpy
import purl
import tank

DEPTH, WIDTH = 0.4, 0.3


def run(case):
    curves = []
    for solver in ("wcsph", "pbf", "dfsph"):
        spacing = 0.02
        water = purl.Fluid("water", [tank.block((0, 0, 0), (WIDTH, DEPTH, WIDTH))], particleSpacing=spacing, restDensity=1000,
                           surfaceTension=0, attraction=0)
        if solver == "wcsph":
            water.stiffness, water.stateEquation, water.kernel = 400, "tait", "cubicSpline"
        walls = tank.closedBox((0, 0, 0), (WIDTH, 1, WIDTH), boundary="particles" if solver == "wcsph" else "automatic")
        scene = purl.Scene([water], [walls])
        tank.settings(scene, pressureSolver=solver)
        if solver == "pbf":
            tank.settings(scene, pbfIterations=50, maxDensityError=0.01, artificialPressure=0, maxTimeStep=0.002)
        simulator = purl.Simulator(threads=2)
        simulator.reset(scene)
        end = 1.0 if case.quick else 3.0
        heights, pressures = [], []
        for moment in numpy.linspace(0.7, 1, 100) * end:  # dfsph sways from step to step
            points = simulator.advance_to(scene, moment).points
            middle = (numpy.abs(points.positions[:, [0, 2]] - WIDTH / 2) < WIDTH / 2 - 3 * spacing).all(axis=1)
            heights.append(points.positions[middle, 1])
            pressures.append(points.pressures[middle])
        height, pressure = tank.profile(numpy.concatenate(heights), numpy.concatenate(pressures), int(DEPTH / spacing))
        inside = (height > 0.1 * DEPTH) & (height < 0.75 * DEPTH)
        slope, zero = numpy.polyfit(height[inside], pressure[inside], 1)
        case.row(f"−dp/dy, {solver}", -slope, 9810, "Pa/m", within=3)
        case.row(f"level, {solver}", -zero / slope, DEPTH, "m", within=3)
        curves.append((solver, pressure, height, ".-"))
    curves.append(("ρ g h", [9810 * DEPTH, 0], [0, DEPTH], "k--"))
    case.draw("hydrostatic", "pressure, Pa", "height, m", curves)
