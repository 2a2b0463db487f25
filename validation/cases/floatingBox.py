"""A floating box
Archimedes: a floating body displaces its own weight. Cubes of 0.16 m with three densities are placed slightly too high in the water of a tank and come to rest. The height of the cube's centre is compared with the value that follows from the
volume of the water and of the submerged part of the cube. The error is relative to the edge of the cube.
"""
import numpy
import purl
import tank

REFERENCE = "Archimedes"

WIDTH, DEPTH, EDGE = 0.32, 0.2, 0.16


def run(case):
    spacing = 0.02 if case.quick else 0.016
    curves = []
    for share in (0.3, 0.5, 0.7):
        water = purl.Fluid("water", [tank.block((-WIDTH / 2, 0, -WIDTH / 2), (WIDTH / 2, DEPTH, WIDTH / 2))],
                           particle_spacing=spacing, rest_density=1000, surface_tension=0, viscosity=1)
        cube = purl.Collider("cube", shape="box", motion="dynamic", half_size=(EDGE / 2,) * 3, density=1000 * share)
        cube.position = (0, DEPTH + EDGE / 2, 0)
        scene = purl.Scene([water], [tank.closedBox((-WIDTH / 2, 0, -WIDTH / 2), (WIDTH / 2, 1, WIDTH / 2)), cube])
        tank.settings(scene, pressure_solver="dfsph")
        simulator = purl.Simulator(threads=2)
        simulator.reset(scene)
        times = numpy.arange(1, 91) / 30
        heights = []
        for time in times:
            frame = simulator.advance_to(scene, time)
            heights.append(next(mesh for mesh in frame.meshes if mesh.name == "cube").positions[:, 1].mean())
        volume = len(frame.points) * spacing**3
        level = (volume + share * EDGE**3) / WIDTH**2
        expected = level + (0.5 - share) * EDGE
        curves += [(f"{1000 * share:.0f} kg/m³", times, heights, "-"), (None, times, 0 * times + expected, "k--")]
        measured = numpy.mean(heights[-30:])
        case.row(f"height of the centre, {1000 * share:.0f} kg/m³", measured, expected, "m", within=3)
        case.below(f"error, {1000 * share:.0f} kg/m³", abs(measured - expected) / EDGE * 100, 5, "% of the edge")
    case.draw("floatingBox", "time, s", "height of the centre, m", curves)
