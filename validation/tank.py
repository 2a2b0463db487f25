"""Scenes that several cases share."""
import numpy
import purl


def settings(scene, **values):
    for name, value in values.items():
        setattr(scene.solver, name, value)
    return scene


def closedBox(low, high, name="tank", **params):
    """A container from corner to corner."""
    low, high = numpy.array(low, float), numpy.array(high, float)
    box = purl.Collider(name, shape="box", container=True, half_size=tuple((high - low) / 2), **params)
    box.position = tuple((low + high) / 2)
    return box


def block(low, high):
    """The mesh of a box from corner to corner."""
    low, high = numpy.array(low, float), numpy.array(high, float)
    return purl.box(tuple(high - low), tuple((low + high) / 2))


def profile(coordinate, values, bins):
    """Means of the values in equal bins of the coordinate. Returns centres and means of the non-empty bins."""
    edges = numpy.linspace(coordinate.min(), coordinate.max(), bins + 1)
    place = numpy.clip(numpy.digitize(coordinate, edges) - 1, 0, bins - 1)
    counts = numpy.bincount(place, minlength=bins)
    sums = numpy.bincount(place, weights=values, minlength=bins)
    full = counts > 0
    return ((edges[:-1] + edges[1:]) / 2)[full], sums[full] / counts[full]


def ball(center, radii, around=32):
    """The mesh of an ellipsoid."""
    polar = numpy.linspace(0, numpy.pi, around // 2 + 1)[1:-1, None]
    turn = numpy.arange(around) * 2 * numpy.pi / around
    rings = numpy.stack(numpy.broadcast_arrays(numpy.sin(polar) * numpy.cos(turn), numpy.cos(polar),
                                               -numpy.sin(polar) * numpy.sin(turn)), axis=-1).reshape(-1, 3)
    vertices = numpy.concatenate([rings, [[0, 1, 0], [0, -1, 0]]]) * radii + center
    return purl.Mesh(vertices.astype(numpy.float32), numpy.array(latticeOfRings(around // 2 - 1, around), numpy.int32))


def tube(radius, low, high, around=64):
    """The mesh of a closed cylinder with its base at height `low`."""
    turn = numpy.arange(around) * 2 * numpy.pi / around
    rings = [numpy.stack([radius * numpy.cos(turn), numpy.full(around, y), -radius * numpy.sin(turn)], axis=1) for y in (high, low)]
    vertices = numpy.concatenate(rings + [[[0, high, 0], [0, low, 0]]])
    return purl.Mesh(vertices.astype(numpy.float32), numpy.array(latticeOfRings(2, around), numpy.int32))


def latticeOfRings(rings, around):
    """Triangles of rings of vertices, from the top down, closed by a top and a bottom vertex stored after the rings."""
    top, bottom = rings * around, rings * around + 1
    triangles = []
    for k in range(around):
        n = (k + 1) % around
        triangles += [[top, k, n], [bottom, (rings - 1) * around + n, (rings - 1) * around + k]]
        for r in range(rings - 1):
            a, b = r * around, (r + 1) * around
            triangles += [[a + k, b + k, b + n], [a + k, b + n, a + n]]
    return triangles


def interpolated(points, places, radius):
    """Velocities at given positions, by a local linear fit to nearby particles with Gaussian weights of that radius."""
    found = numpy.zeros((len(places), 3))
    for k, place in enumerate(places):
        d = points.positions - place
        weight = numpy.exp(-(d**2).sum(axis=1) / radius**2)
        near = weight > 1e-4
        basis = numpy.concatenate([numpy.ones((near.sum(), 1)), d[near, :2]], axis=1) * numpy.sqrt(weight[near, None])
        found[k] = numpy.linalg.lstsq(basis, points.velocities[near] * numpy.sqrt(weight[near, None]), rcond=None)[0][0]
    return found


def hollow(outer, inner):
    """The first mesh with a hole of the second's shape."""
    return purl.Mesh(numpy.concatenate([outer.vertices, inner.vertices]),
                     numpy.concatenate([outer.triangles, inner.triangles[:, ::-1] + len(outer.vertices)]).astype(numpy.int32))
