"""Cloths that several cases share."""
import numpy
import purl

STILL = {"air_drag": 0, "wind_drag": 0, "damping": 0, "bend_damping": 0}


def sheet(columns, rows, corner, across, along, held=lambda p: False, name="sheet", **params):
    """A rectangle of columns × rows points in squares, from a corner along two sides, in metres; points with held(point) are pinned."""
    u, v = numpy.meshgrid(numpy.linspace(0, 1, columns), numpy.linspace(0, 1, rows))
    points = (numpy.array(corner, float) + u.reshape(-1, 1) * numpy.array(across, float) + v.reshape(-1, 1) * numpy.array(along, float))
    a = (numpy.arange(rows - 1)[:, None] * columns + numpy.arange(columns - 1)).reshape(-1)
    faces = numpy.stack([a, a + 1, a + columns + 1, a + columns], axis=1).astype(numpy.int32)
    pins = [1.0 if held(p) else 0.0 for p in points]
    return purl.Cloth(name, points.astype(numpy.float32), faces, pins, **params)


def scene(*cloths, colliders=(), gravity=9.81):
    made = purl.Scene(colliders=list(colliders), cloths=list(cloths))
    made.solver.gravity = gravity
    return made


def meshOf(frame):
    """The mesh of the cloth; a frame also has meshes of colliders."""
    return next(mesh for mesh in frame.meshes if mesh.name in ("sheet", "sample"))


def positions(frame):
    return numpy.array(meshOf(frame).positions, float)


class Oscillator:
    """A square of 0.1 m with one side pinned and the other given a velocity: two masses, each on a spring of 50 N/m."""
    OMEGA = (50 / (0.25 * 0.15 * 0.01))**0.5

    def __init__(self, speed=0.5, **params):
        values = dict(STILL, shear_stiffness=0, bend_stiffness=0, stretch_stiffness=100, density=0.15, tolerance=1e-6, start_velocity=(speed, 0, 0))
        values.update(params)
        self.scene = scene(sheet(2, 2, (0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), held=lambda p: p[0] < 0.01, **values), gravity=0)
        self.simulator = purl.Simulator(threads=1)
        self.simulator.reset(self.scene)

    def at(self, time):
        return positions(self.simulator.advance_to(self.scene, time))[1, 0] - 0.1
