"""Purl: water, cloth and knitwear for Maya, and for Python without it.

    import purl

    sim = purl.load("scenes/damBreak.ma", set={"water.viscosity": 0.5})
    frame = sim.frame(24)
    print(frame.points.positions.mean(axis=0), frame.hash)

The same in plain Python, in metres: build a Scene of Fluids, Cloths, SoftBodies, Knits, Colliders
and Fields, and advance a Simulator.
"""
from purl._purl import (
    Attribute,
    Body,
    Cache,
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
    Mesh,
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
    fabrics,
    gauges,
    load,
    preset,
    presets,
    read_cache,
    soft_materials,
)

__all__ = [
    "Attribute",
    "Body",
    "Cache",
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
    "Mesh",
    "Points",
    "Pores",
    "Scene",
    "Sim",
    "Simulator",
    "SoftBody",
    "Solver",
    "__version__",
    "box",
    "describe",
    "fabrics",
    "gauges",
    "load",
    "preset",
    "presets",
    "read_cache",
    "soft_materials",
]
