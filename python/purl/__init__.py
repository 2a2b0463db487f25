"""Purl: water, cloth and knitwear for Maya, and for Python without it.

    import purl

    sim = purl.load("scenes/damBreak.ma", set={"water.viscosity": 0.5})
    frame = sim.frame(24)
    print(frame.points.positions.mean(axis=0), frame.hash)

The same in plain Python, in metres: build a Scene of Fluids, Cloths, SoftBodies, Knits, Colliders
and Fields, and advance a Simulator, or write a cache.
"""
from purl._purl import (
    Attribute,
    Body,
    Cache,
    CacheWriter,
    Cloth,
    Collider,
    Emitter,
    Error,
    Field,
    Fluid,
    Frame,
    FrameCurves,
    FrameMesh,
    FrameStats,
    Knit,
    Look,
    Mesh,
    MeshSequence,
    Points,
    Pores,
    Scene,
    Sim,
    Simulator,
    SoftBody,
    Solver,
    __version__,
    box,
    describe,
    load,
    presets,
    read_cache,
)
from purl.program import command, render

__all__ = [
    "Attribute",
    "Body",
    "Cache",
    "CacheWriter",
    "Cloth",
    "Collider",
    "Emitter",
    "Error",
    "Field",
    "Fluid",
    "Frame",
    "FrameCurves",
    "FrameMesh",
    "FrameStats",
    "Knit",
    "Look",
    "Mesh",
    "MeshSequence",
    "Points",
    "Pores",
    "Scene",
    "Sim",
    "Simulator",
    "SoftBody",
    "Solver",
    "__version__",
    "box",
    "command",
    "describe",
    "load",
    "presets",
    "read_cache",
    "render",
]
