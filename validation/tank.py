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
    box = purl.Collider(name, shape="box", container=True, halfSize=tuple((high - low) / 2), **params)
    box.position = tuple((low + high) / 2)
    return box


def block(low, high):
    """The mesh of a box from corner to corner."""
    low, high = numpy.array(low, float), numpy.array(high, float)
    return purl.box(tuple(high - low), tuple((low + high) / 2))


def profile(coordinate, values, bins):
    """Means of the values in equal bins of the coordinate: centres and means of those that hold any."""
    edges = numpy.linspace(coordinate.min(), coordinate.max(), bins + 1)
    place = numpy.clip(numpy.digitize(coordinate, edges) - 1, 0, bins - 1)
    counts = numpy.bincount(place, minlength=bins)
    sums = numpy.bincount(place, weights=values, minlength=bins)
    full = counts > 0
    return ((edges[:-1] + edges[1:]) / 2)[full], sums[full] / counts[full]
