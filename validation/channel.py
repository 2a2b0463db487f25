"""Plane channels, periodic along x, for flows between two plates with analytic solutions."""
import math

import numpy
import purl
import tank

HEIGHT, SPEED, DENSITY, VISCOSITY = 0.1, 0.1, 1000, 10.0  # m, m/s, kg/m³, Pa·s: Reynolds number 1
NU = VISCOSITY / DENSITY
SPAN = HEIGHT**2 / NU  # s, time for momentum to diffuse across the channel


class Channel:
    """Particles between two no-slip plates, `cells` across."""

    def __init__(self, cells, push=0.0, plateSpeed=0.0):
        spacing = HEIGHT / cells
        length = 12 * spacing
        fluid = purl.Fluid("oil", [tank.block((-length / 2, 0, -1), (length / 2, HEIGHT, 1))], particle_spacing=spacing,
                           rest_density=DENSITY, viscosity=VISCOSITY, viscosity_model="morris", kernel="cubicSpline", surface_tension=0,
                           attraction=1, state_equation="linear", stiffness=(20 * SPEED)**2)
        floor = purl.Collider("floor", shape="plane", boundary="volumeMap", friction=1)
        self.plate = purl.Collider("plate", shape="plane", container=True, boundary="volumeMap", friction=1)
        self.plateSpeed = plateSpeed
        self.scene = purl.Scene([fluid], [floor, self.plate], [purl.Field("push", magnitude=push, direction=(1, 0, 0))])
        tank.settings(self.scene, pressure_solver="wcsph", dimensions=2, gravity=0, periodic_size=(length, 0, 0))
        self.plate.position = (0, HEIGHT, 0)
        self.simulator = purl.Simulator(threads=2)
        self.simulator.reset(self.scene)

    def at(self, time):
        """Heights and velocities along the channel."""
        self.plate.position = (self.plateSpeed * time, HEIGHT, 0)
        points = self.simulator.advance_to(self.scene, time).points
        order = numpy.argsort(points.positions[:, 1])
        return points.positions[order, 1].astype(float), points.velocities[order, 0].astype(float)


def compare(case, name, law, cells=(10, 20, 40), **drive):
    """Compares profiles at several times and resolutions with law(y, t); the order of convergence is that of the finest two."""
    times = numpy.array([0.05, 0.1, 0.2, 1.0]) * SPAN
    cells = cells[:2] if case.quick else cells
    errors, curves = [], []
    for count in cells:
        channel = Channel(count, **drive)
        for time in times:
            y, u = channel.at(time)
            exact = law(y, time)
            error = 100 * math.sqrt(numpy.mean((u - exact)**2) / numpy.mean(law(numpy.linspace(0, HEIGHT, 101), time)**2))
            if count == cells[-1]:
                label = f"t ν/H² = {time / SPAN:g}"
                curves += [(label, u / SPEED, y / HEIGHT, "."), (None, law(y, time) / SPEED, y / HEIGHT, "k-")]
                if time < times[-1]:
                    case.below(f"error at t ν/H² = {time / SPAN:g}, {count} particles across", error, 3, "%")
        errors.append(error)
        case.below(f"error of the steady flow, {count} particles across", error, 5 if count == cells[0] else 2, "%")
    order = math.log(errors[-2] / errors[-1]) / math.log(cells[-1] / cells[-2])
    case.row("order of convergence (walls are first-order)", order, 1, within=10)
    case.draw(name, "u / U", "y / H", curves)
