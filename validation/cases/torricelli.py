"""Outflow through a hole
A tank has a hole in its floor, 0.3 m below the water level. By Torricelli's law the water leaves at v = √(2 g h). The speed is that of the water just below the hole, minus what it has gained by falling from the floor; h is the level at that moment.
"""
import numpy
import purl
import tank

REFERENCE = "Torricelli's law"

WIDTH, HOLE, FLOOR, DEPTH = 0.3, 0.1, 0.02, 0.3


def run(case):
    spacing = 0.0125 if case.quick else 0.01
    for solver in ("wcsph", "dfsph"):
        water = purl.Fluid("water", [tank.block((-WIDTH / 2, FLOOR, -WIDTH / 2), (WIDTH / 2, FLOOR + DEPTH, WIDTH / 2))],
                           particle_spacing=spacing, rest_density=1000, surface_tension=0, attraction=0, viscosity=0.1)
        if solver == "wcsph":
            water.state_equation, water.stiffness, water.viscosity = "tait", 600, 0.5
        colliders = [tank.closedBox((-WIDTH / 2, -1, -WIDTH / 2), (WIDTH / 2, 1, WIDTH / 2))]
        half, rest = HOLE / 2, (WIDTH - HOLE) / 4
        for name, centre, size in (("left", (-half - rest, 0), (rest, WIDTH / 2)), ("right", (half + rest, 0), (rest, WIDTH / 2)),
                                   ("front", (0, -half - rest), (half, rest)), ("back", (0, half + rest), (half, rest))):
            slab = purl.Collider(name, shape="box", half_size=(size[0], FLOOR / 2, size[1]))
            slab.position = (centre[0], FLOOR / 2, centre[1])
            colliders.append(slab)
        scene = purl.Scene([water], colliders)
        tank.settings(scene, pressure_solver=solver, xsph=0)
        simulator = purl.Simulator(threads=2)
        simulator.reset(scene)
        times, speeds, laws = [], [], []
        for time in numpy.arange(0.1, 0.3, 0.02):
            points = simulator.advance_to(scene, time).points
            x, v = points.positions, points.velocities
            jet = (x[:, 1] < -0.01) & (x[:, 1] > -0.05) & (numpy.abs(x[:, 0]) < half / 2) & (numpy.abs(x[:, 2]) < half / 2)
            above = x[:, 1] > FLOOR
            level = above.sum() * spacing**3 / WIDTH**2
            fallen = v[jet, 1] ** 2 + 2 * 9.81 * (x[jet, 1] - FLOOR)  # v² when it passed the upper side of the floor
            times.append(time)
            speeds.append(numpy.sqrt(numpy.mean(numpy.maximum(fallen, 0))))
            laws.append(numpy.sqrt(2 * 9.81 * level))
        case.row(f"speed through the hole, {solver}", numpy.mean(speeds), numpy.mean(laws), "m/s", within=8)
        case.draw(f"torricelli_{solver}", "time, s", "speed, m/s", [("Purl", times, speeds, "o-"), ("√(2gh)", times, laws, "k--")])
