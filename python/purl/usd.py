"""Converts Purl's caches to USD with usd-core (pip install usd-core).

    python -m purl.usd out/damBreak water.usdc            # all frames in one file
    python -m purl.usd out/damBreak clips/water.usda --clips  # one file per frame, combined as value clips

Fluids become Points, meshes Mesh without subdivision, yarns BasisCurves; velocities are units per second, widths are
diameters, and everything else is a primvar. Liquids, cloths and yarns are bound to the materials of NAME.looks.usda,
which is written beside NAME.usdc: move both together.
"""
import argparse
import re
import shutil
import sys
from pathlib import Path

import numpy

import purl

try:
    from pxr import Sdf, Usd, UsdGeom, UsdShade, UsdUtils, Vt
except ImportError as missing:
    raise ImportError("USD needs usd-core: pip install usd-core") from missing

# USD attributes by channel; other channels are primvars, under these names or their own.
ATTRIBUTES = {"velocity": "velocities", "acceleration": "accelerations"}
PRIMVARS = {"radiusPP": "radius", "rgbPP": "displayColor", "restPosition": "rest", "source": "sourceId"}
VECTORS = {"point": "Point3f", "normal": "Normal3f", "color": "Color3f"}
LOOKS = Path(__file__).with_name("looks.usda")


def prim_name(name, taken):
    """A valid and unused prim name."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", name or "unnamed")
    name = f"_{name}" if name[0].isdigit() else name
    while name in taken:
        name += "_"
    return name


def values(array):
    """Converts a numpy array to a USD array without a Python loop."""
    array = numpy.ascontiguousarray(array)
    if array.ndim == 2:
        return (Vt.Vec2fArray if array.shape[1] == 2 else Vt.Vec3fArray).FromNumpy(array)
    kinds = {"float32": Vt.FloatArray, "int32": Vt.IntArray, "int64": Vt.Int64Array}
    return kinds[array.dtype.name].FromNumpy(array)


def value_type(attribute):
    if attribute.values.ndim == 2:
        return getattr(Sdf.ValueTypeNames, VECTORS.get(attribute.meaning, "Vector3f") + "Array")
    return {"float32": Sdf.ValueTypeNames.FloatArray, "int32": Sdf.ValueTypeNames.IntArray,
            "int64": Sdf.ValueTypeNames.Int64Array}[attribute.values.dtype.name]


class Writer:
    """Writes frames to a stage. Prims are named after meshes and knits, and after bodies with "Points" at the end."""

    def __init__(self, stage, root="/World"):
        self.stage, self.root = stage, UsdGeom.Xform.Define(stage, root)
        stage.SetDefaultPrim(self.root.GetPrim())
        self.prims = {}

    def prim(self, schema, kind, name):
        if (kind, name) not in self.prims:
            taken = {"Looks"} | {prim.GetPrim().GetName() for prim in self.prims.values()}
            plain = prim_name(name, ())
            name_ = prim_name(name if plain not in taken else f"{name}{kind}", taken)
            self.prims[kind, name] = schema.Define(self.stage, self.root.GetPath().AppendChild(name_))
        return self.prims[kind, name]

    def looks(self, cache):
        """The looks of the prims, by path."""
        return {prim.GetPath(): cache.look(kind.lower(), name) for (kind, name), prim in self.prims.items()}

    def add(self, number, frame):
        for index, body in enumerate(frame.bodies):
            prim = self.prim(UsdGeom.Points, "Points", body.name + "Points")
            self.add_points(prim, number, frame.points_of(index).attributes)
        for mesh in frame.meshes:
            self.add_mesh(self.prim(UsdGeom.Mesh, "Mesh", mesh.name), number, mesh)
        for curves in frame.curves:
            self.add_curves(self.prim(UsdGeom.BasisCurves, "Curves", curves.name), number, curves)

    def add_attributes(self, prim, number, attributes):
        api = UsdGeom.PrimvarsAPI(prim)
        for attribute in attributes:
            if attribute.name == "position":
                prim.GetPointsAttr().Set(values(attribute.values), number)
            elif attribute.name in ATTRIBUTES:
                prim.GetPrim().GetAttribute(ATTRIBUTES[attribute.name]).Set(values(attribute.values), number)
            elif attribute.name == "normal" and prim.GetPrim().IsA(UsdGeom.Mesh):
                prim.GetNormalsAttr().Set(values(attribute.values), number)
                prim.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
            elif attribute.name == "id" and prim.GetPrim().IsA(UsdGeom.Points):
                prim.GetIdsAttr().Set(values(attribute.values), number)
                # Blender does not read ids, but this primvar. It reads no primvars after one of 64-bit integers.
                if attribute.values.max(initial=0) < 2**31:
                    primvar = api.CreatePrimvar("id", Sdf.ValueTypeNames.IntArray, UsdGeom.Tokens.vertex)
                    primvar.Set(values(attribute.values.astype(numpy.int32)), number)
            elif attribute.name == "width":
                prim.GetWidthsAttr().Set(values(attribute.values), number)
                prim.SetWidthsInterpolation(UsdGeom.Tokens.vertex)
            else:
                name = PRIMVARS.get(attribute.name, attribute.name)
                primvar = api.CreatePrimvar(name, value_type(attribute), attribute.scope)
                primvar.Set(values(attribute.values), number)
        # The extent, including widths, as computed by the schema.
        extent = UsdGeom.Boundable.ComputeExtentFromPlugins(prim, number)
        if extent:
            prim.GetExtentAttr().Set(extent, number)

    def add_points(self, prim, number, attributes):
        for attribute in attributes:
            if attribute.name == "radiusPP":
                prim.GetWidthsAttr().Set(values(2 * attribute.values), number)
                prim.SetWidthsInterpolation(UsdGeom.Tokens.vertex)
        if not attributes:
            prim.GetPointsAttr().Set(Vt.Vec3fArray(), number)
        self.add_attributes(prim, number, attributes)

    def add_mesh(self, prim, number, mesh):
        prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        counts, corners = mesh.faces
        prim.GetFaceVertexCountsAttr().Set(values(counts.ravel()), number)
        prim.GetFaceVertexIndicesAttr().Set(values(corners.ravel()), number)
        self.add_attributes(prim, number, mesh.attributes)
        if len(mesh.uvs):
            st = UsdGeom.PrimvarsAPI(prim).CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray,
                                                         UsdGeom.Tokens.faceVarying)
            st.Set(values(mesh.uvs), number)

    def add_curves(self, prim, number, curves):
        prim.CreateTypeAttr(UsdGeom.Tokens.cubic)
        prim.CreateBasisAttr(UsdGeom.Tokens.catmullRom)
        prim.CreateWrapAttr(UsdGeom.Tokens.pinned)
        prim.GetCurveVertexCountsAttr().Set(values(curves.counts), number)
        self.add_attributes(prim, number, curves.attributes)


def describe(stage, cache, first, last):
    """Sets the five metadata values that a stage should have."""
    UsdGeom.SetStageMetersPerUnit(stage, cache.meters_per_unit)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    stage.SetTimeCodesPerSecond(cache.fps)
    stage.SetFramesPerSecond(cache.fps)
    stage.SetStartTimeCode(first)
    stage.SetEndTimeCode(last)


def bind(stage, path, looks):
    """Binds the prims of a stage that will be at `path` to materials of a looks file beside it."""
    if any(look.material for look in looks.values()):
        file = path.with_name(f"{path.stem}.looks.usda")
        shutil.copyfile(LOOKS, file)
        stage.DefinePrim("/World/Looks", "Scope").GetReferences().AddReference(f"./{file.name}", "/Looks")
    for prim_path, look in looks.items():
        prim = stage.OverridePrim(prim_path)
        if look.double_sided:
            UsdGeom.Gprim(prim).CreateDoubleSidedAttr(True)
        if look.material:
            material = UsdShade.Material.Get(stage, f"/World/Looks/{look.material}")
            UsdShade.MaterialBindingAPI.Apply(prim).Bind(material)
        for name, kind, value in (("mode", Sdf.ValueTypeNames.Token, look.arnold_mode),
                                  ("opaque", Sdf.ValueTypeNames.Bool, None if look.arnold_opaque else False)):
            if value is not None:
                prim.CreateAttribute(f"primvars:arnold:{name}", kind, False, Sdf.VariabilityUniform).Set(value)


def write_layer(cache, path, numbers, bound):
    """Writes frames to one file, with materials if `bound`. Returns the looks of its prims by path."""
    part = path.with_name(f"{path.stem}.part{path.suffix}")
    stage = Usd.Stage.CreateNew(str(part))
    describe(stage, cache, numbers[0], numbers[-1])
    writer = Writer(stage)
    for number in numbers:
        writer.add(number, cache.frame(number))
    looks = writer.looks(cache)
    if bound:
        bind(stage, path, looks)
    stage.Save()
    part.replace(path)
    return looks


def write(cache, path, numbers=None):
    """Writes all frames of a cache to one file: .usdc, or .usda as text."""
    cache = open_cache(cache)
    write_layer(cache, Path(path), list(numbers or cache.numbers), bound=True)


def write_clips(cache, path, numbers=None):
    """Writes one .usdc file per frame beside `path`, and `path` itself, which combines them as value clips."""
    cache, path = open_cache(cache), Path(path)
    numbers = list(numbers or cache.numbers)
    files, looks = [], {}
    for number in numbers:
        files.append(path.with_name(f"{path.stem}.{number:04d}.usdc"))
        looks.update(write_layer(cache, files[-1], [number], bound=False))
    topology = path.with_name(f"{path.stem}.topology.usda")
    manifest = path.with_name(f"{path.stem}.manifest.usda")
    for file in (topology, manifest, path):
        file.unlink(missing_ok=True)
    names = [f"./{file.name}" for file in files]
    top = Sdf.Layer.CreateNew(str(topology))
    UsdUtils.StitchClipsTopology(top, [str(file) for file in files])
    clips = Sdf.Layer.CreateNew(str(manifest))
    UsdUtils.StitchClipsManifest(clips, top, [str(file) for file in files], "/World")
    stage = Usd.Stage.CreateNew(str(path))
    stage.GetRootLayer().subLayerPaths.append(f"./{topology.name}")
    describe(stage, cache, numbers[0], numbers[-1])
    world = stage.OverridePrim("/World")
    stage.SetDefaultPrim(world)
    api = Usd.ClipsAPI(world)
    api.SetClipPrimPath("/World")
    api.SetClipAssetPaths(names)
    api.SetClipManifestAssetPath(f"./{manifest.name}")
    api.SetClipActive([(number, index) for index, number in enumerate(numbers)])
    api.SetClipTimes([(number, number) for number in numbers])
    bind(stage, path, looks)
    stage.Save()


def open_cache(cache):
    return cache if isinstance(cache, purl.Cache) else purl.read_cache(cache)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m purl.usd", description=__doc__.splitlines()[0])
    parser.add_argument("cache", help="folder that purl sim wrote")
    parser.add_argument("out", help=".usdc or .usda")
    parser.add_argument("--clips", action="store_true", help="a file a frame, as value clips")
    parser.add_argument("--frames", help="A-B [all]")
    options = parser.parse_args(arguments)
    try:
        cache = purl.read_cache(options.cache)
        numbers = cache.numbers
        if options.frames:
            first, _, last = options.frames.partition("-")
            numbers = [number for number in numbers if int(first) <= number <= int(last or first)]
        if not numbers:
            raise purl.Error(f"{options.cache}: holds none of these frames")
        (write_clips if options.clips else write)(cache, options.out, numbers)
    except (purl.Error, ValueError) as error:
        print(f"purl.usd: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
