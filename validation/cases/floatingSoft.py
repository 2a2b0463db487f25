"""A floating soft body
The same with soft cubes, which the water pushes at their surface and which keep their shape by shape matching. They come to rest in the same way, and the errors are defined in the same way.
"""
import numpy
import purl
import tank

REFERENCE = "Archimedes"

WIDTH, DEPTH, EDGE, SIDES = 0.32, 0.2, 0.16, 6


def run(case):
    spacing = 0.025 if case.quick else 0.02
    points, faces = cube()
    curves = []
    for share in (0.3, 0.5, 0.7):
        water = purl.Fluid("water", [tank.block((-WIDTH / 2, 0, -WIDTH / 2), (WIDTH / 2, DEPTH, WIDTH / 2))],
                           particle_spacing=spacing, rest_density=1000, surface_tension=0, viscosity=1)
        body = purl.SoftBody("cube", points + (0, DEPTH + EDGE / 2, 0), faces, density=1000 * share, stiffness=0.95, spacing=EDGE / SIDES)
        scene = purl.Scene([water], [tank.closedBox((-WIDTH / 2, 0, -WIDTH / 2), (WIDTH / 2, 1, WIDTH / 2))])
        scene.soft_bodies = [body]
        tank.settings(scene, pressure_solver="dfsph")
        simulator = purl.Simulator(threads=2)
        simulator.reset(scene)
        times = numpy.arange(1, 91) / 30
        heights = []
        for time in times:
            frame = simulator.advance_to(scene, time)
            heights.append(next(mesh for mesh in frame.meshes if mesh.name == "cube").positions[:, 1].mean())
        level = (len(frame.points) * spacing**3 + share * EDGE**3) / WIDTH**2
        expected = level + (0.5 - share) * EDGE
        curves += [(f"{1000 * share:.0f} kg/m³", times, heights, "-"), (None, times, 0 * times + expected, "k--")]
        measured = numpy.mean(heights[-30:])
        case.row(f"height of the centre, {1000 * share:.0f} kg/m³", measured, expected, "m", within=3)
        case.below(f"error, {1000 * share:.0f} kg/m³", abs(measured - expected) / EDGE * 100, 5, "% of the edge")
    case.draw("floatingSoft", "time, s", "height of the centre, m", curves)


def cube():
    """Vertices of a cube with SIDES² squares per side, and the corners of the squares, counter-clockwise from outside."""
    where, faces = {}, []

    def vertex(*cell):
        return where.setdefault(cell, len(where))

    for axis in range(3):
        for side in (0, SIDES):
            for a in range(SIDES):
                for b in range(SIDES):
                    square = []
                    for u, v in ((a, b), (a + 1, b), (a + 1, b + 1), (a, b + 1)):
                        cell = [0, 0, 0]
                        cell[axis], cell[(axis + 1) % 3], cell[(axis + 2) % 3] = side, u, v
                        square.append(vertex(*cell))
                    faces.append(square if side else square[::-1])
    return EDGE * (numpy.array(list(where), dtype=float) / SIDES - 0.5), numpy.array(faces)
