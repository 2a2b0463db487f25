"""Lid-driven cavity: a square full of fluid, 1 m wide; the lid moves at 1 m/s."""
import numpy
import purl
import tank

SIZE, SPEED, DENSITY = 1.0, 1.0, 1000.0


def centreLine(reynolds, cells, end, pressureSolver, viscosityModel, room=0, **params):
    """Heights along the vertical centre line, and the horizontal velocity there, averaged over the last third of the time; walls stand `room` spacings off."""
    spacing = SIZE / cells
    gap = room * spacing
    fluid = purl.Fluid("oil", [tank.block((0, 0, -1), (SIZE, SIZE, 1))], particle_spacing=spacing, rest_density=DENSITY,
                       viscosity=DENSITY * SPEED * SIZE / reynolds, viscosity_model=viscosityModel, surface_tension=0, attraction=0, **params)
    walls = tank.closedBox((-gap, -gap, -2), (SIZE + gap, 2 * SIZE, 2), boundary="particles", friction=1)
    lid = purl.Collider("lid", shape="plane", container=True, boundary="volumeMap", friction=1)
    lid.position = (0, SIZE + gap, 0)
    scene = tank.settings(purl.Scene([fluid], [walls, lid]), pressure_solver=pressureSolver, dimensions=2, gravity=0, xsph=0)
    simulator = purl.Simulator(threads=2)
    simulator.reset(scene)
    line = numpy.linspace(0, SIZE, 81)
    places = numpy.stack([0 * line + SIZE / 2, line, 0 * line], axis=1)
    means = []
    for time in numpy.arange(1, 10 * end + 1) / 10:
        lid.position = (SPEED * time, SIZE + gap, 0)
        points = simulator.advance_to(scene, time).points
        if time > 0.7 * end:
            means.append(tank.interpolated(points, places, 1.5 * spacing)[:, 0])
    u = numpy.mean(means, axis=0) / SPEED
    u[0], u[-1] = 0, 1
    return line, u
