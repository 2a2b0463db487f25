"""Caches of other programs through `purl info` and `purl convert`: nCaches written here by the format's description, Alembic
and USD by their own libraries."""
import shutil
import struct

import numpy
import pytest

import purl as purlModule
from tinyScene import tinyScene

PLATE = "o plate\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 4 3 2\n"  # one face, seen from above
TICKS = 250  # per frame at 24 fps


# ---- nCache, written by its description: IFF, big-endian; mc pads to 4 bytes, mcx to 8 ----------------------------------


def chunk(wide, tag, data):
    """mcx has four bytes of filler before the size, and sizes of 64 bits."""
    head = tag + (bytes(4) + struct.pack(">Q", len(data)) if wide else struct.pack(">I", len(data)))
    padding = 0 if tag.startswith(b"FOR") else -len(data) % (8 if wide else 4)
    return head + data + bytes(padding)


def group(wide, kind, *chunks):
    return chunk(wide, b"FOR8" if wide else b"FOR4", kind + b"".join(chunks))


def channels(wide, values):
    """Values by channel name; rows of three are float vectors, others doubles."""
    out = b""
    for name, numbers in values.items():
        numbers = numpy.asarray(numbers)
        vectors = numbers.ndim == 2
        out += chunk(wide, b"CHNM", name.encode() + b"\0") + chunk(wide, b"SIZE", struct.pack(">i", len(numbers)))
        out += chunk(wide, b"FVCA" if vectors else b"DBLA", numbers.astype(">f4" if vectors else ">f8").tobytes())
    return out


def header(wide, start, end):
    return group(wide, b"CACH", chunk(wide, b"VRSN", b"0.1\0"), chunk(wide, b"STIM", struct.pack(">i", start)),
                 chunk(wide, b"ETIM", struct.pack(">i", end)))


def write_ncache(folder, name, wide, one_file, samples, interpretations):
    """`samples`: channels by time in ticks."""
    folder.mkdir(exist_ok=True)
    extension = "mcx" if wide else "mc"
    if one_file:
        data = header(wide, 0, 1)
        for ticks, values in samples.items():
            data += group(wide, b"MYCH", chunk(wide, b"TIME", struct.pack(">i", ticks)) + channels(wide, values))
        (folder / f"{name}.{extension}").write_bytes(data)
    else:
        for ticks, values in samples.items():
            frame, tick = divmod(ticks, TICKS)
            file = f"{name}Frame{frame}{f'Tick{tick}' if tick else ''}.{extension}"
            (folder / file).write_bytes(header(wide, ticks, ticks) + group(wide, b"MYCH", channels(wide, values)))
    listed = "".join(
        f'<channel{i} ChannelName="{channel}" ChannelType="FloatVectorArray" ChannelInterpretation="{meaning}" '
        f'SamplingType="Regular" SamplingRate="250" StartTime="{min(samples)}" EndTime="{max(samples)}"/>'
        for i, (channel, meaning) in enumerate(interpretations.items()))
    (folder / f"{name}.xml").write_text(
        f'<?xml version="1.0"?><Autodesk_Cache_File><cacheType Type="{"OneFile" if one_file else "OneFilePerFrame"}" '
        f'Format="{"mcx" if wide else "mcc"}"/><time Range="{min(samples)}-{max(samples)}"/>'
        f'<cacheTimePerFrame TimePerFrame="{TICKS}"/><cacheVersion Version="2.0"/><extra>maya 2022</extra>'
        f"<Channels>{listed}</Channels></Autodesk_Cache_File>")


def plate_at(height):
    return numpy.array([[0, height, 0], [1, height, 0], [1, height, 1], [0, height, 1]])


PARTICLES = {
    "count": "nParticleShape1_count", "id": "nParticleShape1_id", "position": "nParticleShape1_position",
    "velocity": "nParticleShape1_velocity", "radiusPP": "nParticleShape1_radiusPP", "goalPP": "nParticleShape1_goalPP",
}


def particles(count, time):
    values = {"count": [count], "id": 7 + numpy.arange(count), "position": numpy.full((count, 3), [1, time, 0]),
              "velocity": numpy.full((count, 3), [0, 24, 0]), "radiusPP": numpy.full(count, 0.25),
              "goalPP": numpy.ones(count)}
    return {PARTICLES[name]: of for name, of in values.items()}


@pytest.mark.parametrize("wide", [False, True], ids=["mc", "mcx"])
@pytest.mark.parametrize("one_file", [False, True], ids=["filePerFrame", "oneFile"])
def test_geometryCachesBecomeMeshes(purl, wide, one_file):
    # Every second frame, one sample between two frames, and normals that are nobody's positions.
    samples = {ticks: {"plateShape": plate_at(ticks / TICKS), "plateShape_normals": numpy.ones((4, 3))}
               for ticks in (250, 750, 875, 1250)}
    write_ncache(purl.folder / "nCache", "plate", wide, one_file, samples,
                 {"plateShape": "positions", "plateShape_normals": "normals"})
    (purl.folder / "plate.obj").write_text(PLATE)
    said = purl("info", "nCache")
    assert "4 samples, frames 1-5x2 at 24 fps" in said and "1 samples between frames" in said
    assert "mesh plateShape: 4 vertices, no faces; position" in said and "normals" not in said
    assert purl("info", "nCache/plate.xml").partition(":")[2] == said.partition(":")[2]

    purl("convert", "nCache", "out", "--format", "ply,abc,obj", "--topology", "plate.obj", "--frames", "1-5")
    cache = purlModule.read_cache(purl.folder / "out")
    assert cache.numbers == [1, 2, 3, 4, 5]
    for number in cache.numbers:  # frames that the cache lacks lie between their neighbours
        mesh = cache.frame(number).meshes[0]
        assert mesh.name == "plateShape" and numpy.allclose(mesh.positions, plate_at(number), atol=1e-6)
        assert mesh.faces[0].ravel().tolist() == [4] and mesh.faces[1].ravel().tolist() == [0, 3, 2, 1]
    purl("verify", "out")
    assert "several" not in purl("info", "out")


def test_theFacesMustFit(purl):
    write_ncache(purl.folder / "nCache", "plate", True, True, {250: {"plateShape": plate_at(1)}}, {"plateShape": "positions"})
    (purl.folder / "triangle.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    said = purl.refuses("convert", "nCache", "out", "--topology", "triangle.obj")
    assert "plateShape has 4 vertices, but the mesh with its faces has 3" in said
    (purl.folder / "tiny.ma").write_text(tinyScene(frames=1))
    purl("sim", "tiny.ma", "-o", "own")
    assert "--topology is for geometry caches" in purl.refuses("convert", "own", "again", "--topology", "triangle.obj")


@pytest.mark.parametrize("one_file", [False, True], ids=["filePerFrame", "oneFile"])
def test_nParticlesGoToEveryFormat(purl, one_file):
    samples = {250: {}, 500: particles(2, 2), 750: particles(3, 3)}
    write_ncache(purl.folder / "nCache", "sparks", False, one_file, samples, {name: of for of, name in PARTICLES.items()})
    said = purl("info", "nCache/sparks.xml")
    assert "particles nParticleShape1: 3; position, id, velocity, radiusPP" in said
    data = "nCache/sparks.mc" if one_file else "nCache/sparksFrame3.mc"
    assert "3 samples, frames 1-3" in purl("info", data)  # a data file leads to its description
    for name in ("mcx", "mcc", "abc", "bgeo", "ply", "usda"):
        purl("convert", "nCache", name, "--format", name)
        last = purlModule.read_cache(purl.folder / name).frame(3).points
        assert last.ids.tolist() == [7, 8, 9] and numpy.array_equal(last.positions, numpy.full((3, 3), [1, 3, 0], numpy.float32))
        assert last.radii.tolist() == [0.25] * 3 and last.velocities[0].tolist() == [0, 24, 0]
        assert len(purlModule.read_cache(purl.folder / name).frame(1).points.positions) == 0
    purl("convert", "nCache", "fog", "--format", "vdb,ply")
    purl("convert", "nCache", "sparks.abc", "--fps", "48", "--frames", "2-4")
    between = purl("info", "sparks.abc")
    assert "Alembic, 3 samples, frames 2-4 at 48 fps" in between


def test_purlsOwnFilesComeBackToTheBit(purl):
    """What Maya would be given, without the manifest: mcx, Alembic and USD."""
    (purl.folder / "tiny.ma").write_text(tinyScene(frames=2))
    purl("sim", "tiny.ma", "-o", "own", "--format", "mcx,abc,usda", "--one-file")
    own = purlModule.read_cache(purl.folder / "own")
    (purl.folder / "shared").mkdir()
    for path in (purl.folder / "own").glob("*.[xm]*"):
        if path.name != "manifest.json":
            shutil.copy(path, purl.folder / "shared")
    for source in ("shared", "own/waterPoints.abc"):
        purl("convert", source, "back", "--format", "mcx", "--force")
        back = purlModule.read_cache(purl.folder / "back")
        assert back.numbers == own.numbers
        for number in own.numbers:
            expected, points = own.frame(number).points, back.frame(number).points
            for name in ("ids", "positions", "velocities", "radii", "densities", "ages"):
                assert numpy.array_equal(getattr(points, name), getattr(expected, name)), (source, name)
    purl("convert", "own/water.0002.usda", "mesh", "--format", "ply")
    mesh, expected = purlModule.read_cache(purl.folder / "mesh").frame(2).meshes[0], own.frame(2).meshes[0]
    assert numpy.array_equal(mesh.positions, expected.positions) and numpy.array_equal(mesh.triangles, expected.triangles)


# ---- Alembic and USD, written by their own libraries --------------------------------------------------------------------


def test_alembicOfOthersIsPlacedByItsTransforms(purl):
    pytest.importorskip("alembic3d", reason="pip install alembic3d, to write Alembic files with its own library")
    import imath
    from alembic3d import Abc, AbcCoreAbstract, AbcGeom

    def array(kind, values):
        made = kind(len(values))
        for i, value in enumerate(values):
            made[i] = value
        return made

    def vectors(rows):
        return array(imath.V3fArray, [imath.V3f(*map(float, row)) for row in rows])

    kinds = AbcGeom.XformOperationType
    archive = Abc.OArchive(str(purl.folder / "other.abc"))
    sampling = archive.addTimeSampling(AbcCoreAbstract.TimeSampling(1 / 24, 3 / 24))
    outer = AbcGeom.OXform(archive.getTop(), "outer", sampling)
    for step in range(3):
        sample = AbcGeom.XformSample()
        sample.addOp(AbcGeom.XformOp(kinds.kTranslateOperation, 0), imath.V3d(10 + step, 0, 0))
        sample.addOp(AbcGeom.XformOp(kinds.kRotateYOperation, 0), 90.0)
        outer.getSchema().set(sample)
    inner = AbcGeom.OXform(outer, "inner")
    sample = AbcGeom.XformSample()
    sample.addOp(AbcGeom.XformOp(kinds.kRotateOperation, 0), imath.V3d(1, 0, 0), 90.0)
    sample.addOp(AbcGeom.XformOp(kinds.kScaleOperation, 0), imath.V3d(2, 2, 2))
    inner.getSchema().set(sample)
    width = AbcGeom.OFloatGeomParamSample(array(imath.FloatArray, [0.5]), AbcGeom.GeometryScope.kConstantScope)
    mesh = AbcGeom.OPolyMesh(inner, "plateShape").getSchema()  # one sample: only the transform moves
    mesh.set(AbcGeom.OPolyMeshSchemaSample(vectors(plate_at(0)), array(imath.IntArray, [0, 1, 2, 3]), array(imath.IntArray, [4])))
    points = AbcGeom.OPoints(inner, "sandShape").getSchema()
    points.set(AbcGeom.OPointsSchemaSample(vectors(plate_at(1)), array(imath.IntArray, [5, 6, 7, 8]),
                                           vectors([[1, 0, 0]] * 4), width))
    curves = AbcGeom.OCurves(outer, "hairShape").getSchema()
    curves.set(AbcGeom.OCurvesSchemaSample(vectors([[0, i, 0] for i in range(5)]), array(imath.IntArray, [2, 3]),
                                           AbcGeom.CurveType.kLinear, AbcGeom.CurvePeriodicity.kNonPeriodic, width))
    del curves, points, mesh, inner, outer, archive  # closes the file

    said = purl("info", "other.abc")
    assert "Alembic, 3 samples, frames 3-5 at 24 fps" in said and "mesh plateShape: 4 vertices, 1 faces" in said
    purl("convert", "other.abc", "out", "--format", "ply,usda")
    cache = purlModule.read_cache(purl.folder / "out")
    assert cache.numbers == [3, 4, 5]
    for step, number in enumerate(cache.numbers):
        frame = cache.frame(number)

        # Twice the size, turned about x (y becomes z), then about y (z becomes x, x becomes -z), then moved.
        def placed(p):
            x, y, z = 2 * p[0], -2 * p[2], 2 * p[1]
            return [z + 10 + step, y, -x]

        assert numpy.allclose(frame.meshes[0].positions, [placed(p) for p in plate_at(0)], atol=1e-6)
        assert numpy.allclose(frame.points.positions, [placed(p) for p in plate_at(1)], atol=1e-6)
        assert numpy.allclose(frame.points.velocities, [[0, 0, -2]] * 4, atol=1e-6)
        assert frame.points.ids.tolist() == [5, 6, 7, 8]
        assert numpy.allclose(frame.points.radii, 0.5)  # half of the width, twice the size
        assert numpy.allclose(frame.curves[0].positions, [[10 + step, i, 0] for i in range(5)], atol=1e-6)
        assert frame.curves[0].counts.tolist() == [2, 3] and numpy.allclose(frame.curves[0].widths, 0.5)


@pytest.fixture(scope="module")
def pxr():
    return pytest.importorskip("pxr", reason="pip install usd-core, to write USD files with its own library")


def test_usdOfOthersIsPlacedByItsTransforms(pxr, purl):
    from pxr import Gf, Sdf, Usd, UsdGeom, Vt

    path = purl.folder / "other.usda"
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageMetersPerUnit(stage, 1)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    stage.SetTimeCodesPerSecond(25)
    world = UsdGeom.Xform.Define(stage, "/world")
    world.AddTranslateOp().Set(Gf.Vec3d(10, 0, 0))
    world.AddRotateXYZOp().Set(Gf.Vec3f(30, 40, 50))
    world.AddScaleOp().Set(Gf.Vec3f(1, 2, 3))
    moving = UsdGeom.Xform.Define(stage, "/world/moving")
    moving.AddTranslateOp(opSuffix="pivot").Set(Gf.Vec3d(1, 2, 3))
    turn = moving.AddOrientOp()
    turn.Set(Gf.Quatf(0.8, 0.6, 0, 0))
    moving.AddTranslateOp(opSuffix="pivot", isInverseOp=True)
    slide = moving.AddTranslateOp(opSuffix="slide")
    for time in (1, 5):
        slide.Set(Gf.Vec3d(time, 0, 0), time)
    mesh = UsdGeom.Mesh.Define(stage, "/world/moving/plate")
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(plate_at(0).astype(numpy.float32)))
    mesh.CreateFaceVertexCountsAttr([4])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3])
    mesh.CreateOrientationAttr(UsdGeom.Tokens.leftHanded)
    mesh.CreateDisplayColorAttr([Gf.Vec3f(1, 0, 0)])
    mesh.CreateNormalsAttr([Gf.Vec3f(0, 1, 0)] * 4)
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.faceVarying)
    points = UsdGeom.Points.Define(stage, "/world/sand")
    points.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(plate_at(2).astype(numpy.float32)))
    points.CreateWidthsAttr([0.5])
    points.SetWidthsInterpolation(UsdGeom.Tokens.constant)
    curves = UsdGeom.BasisCurves.Define(stage, "/world/hair")
    curves.CreateTypeAttr(UsdGeom.Tokens.linear)
    curves.CreatePointsAttr([Gf.Vec3f(0, i, 0) for i in range(5)])
    curves.CreateCurveVertexCountsAttr([2, 3])
    curves.CreateWidthsAttr([0.1] * 5)
    curves.CreateDisplayColorAttr([Gf.Vec3f(0, 0, 1)])
    stage.DefinePrim("/world/linked").GetReferences().AddReference("./elsewhere.usda")
    stage.Save()

    said = purl("info", "other.usda")
    assert "USD, 2 samples, frames 1,5 at 25 fps" in said and "1 m per unit" in said
    assert "mesh plate: 4 vertices, 1 faces" in said and "curves hair: 2 of 5 points" in said
    assert "note: references are not followed" in said and "note: its up axis is Z" in said

    purl("convert", "other.usda", "out", "--format", "abc", "--frames", "1,3,5")
    cache = purlModule.read_cache(purl.folder / "out")
    assert (cache.fps, cache.meters_per_unit) == (25, 1)
    for number in (1, 3, 5):
        frame = cache.frame(number)
        for prim, places in ((mesh, frame.meshes[0].positions), (points, frame.points.positions),
                             (curves, frame.curves[0].positions)):
            matrix = numpy.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(number))
            local = numpy.array(prim.GetPointsAttr().Get(), dtype=float)
            exact = local @ matrix[:3, :3] + matrix[3, :3]
            assert numpy.allclose(places, exact, atol=1e-5), (number, prim)
        assert frame.meshes[0].faces[1].ravel().tolist() == [3, 2, 1, 0]  # the other side is its front
        # A sphere's radius scales with the cube root of the volume: 1 x 2 x 3.
        assert numpy.allclose(frame.points.radii, 0.25 * 6 ** (1 / 3))
        assert numpy.allclose(frame.curves[0].widths, 0.1 * 6 ** (1 / 3))
        assert frame.curves[0].counts.tolist() == [2, 3]


def test_binaryUsdIsRefusedWithAWayOut(pxr, purl):
    from pxr import Usd

    stage = Usd.Stage.CreateNew(str(purl.folder / "crate.usdc"))
    stage.DefinePrim("/a", "Mesh")
    stage.Save()
    said = purl.refuses("info", "crate.usdc")
    assert said == "crate.usdc: is a binary USD file, which cannot be read; convert it with usdcat -o NAME.usda"
    shutil.copy(purl.folder / "crate.usdc", purl.folder / "crate.usd")
    assert "usdcat" in purl.refuses("convert", "crate.usd", "out")


@pytest.mark.parametrize("name, content, says", [
    ("deep.usda", "#usda 1.0\n" + 'def "a" {' * 100000, "nested too deeply"),
    ("open.usda", '#usda 1.0\ndef Mesh "a" { point3f[] points = [(0, 0', "truncated"),
    ("words.usda", '#usda 1.0\ndef Points "a" { point3f[] points = [(x, 0, 0)] }', "not a number"),
    ("faces.usda", '#usda 1.0\ndef Mesh "a" { point3f[] points = [(0, 0, 0)]\nint[] faceVertexCounts = [3]\n'
                   "int[] faceVertexIndices = [0, 1, 2] }", "a vertex that does not exist"),
    ("times.usda", '#usda 1.0\ndef Points "a" { point3f[] points.timeSamples = { 1e300: [(0, 0, 0)], } }', "no frames"),
    ("none.usda", '#usda 1.0\ndef Xform "a" (\n references = @b.usda@\n) {}', "references are not followed"),
    ("image.usda", "not at all", "is not a USD text file"),
    ("lone.mcx", b"FOR8", "the description lone.xml is missing"),
    ("empty.xml", '<?xml version="1.0"?><Autodesk_Cache_File><cacheType Type="OneFilePerFrame" Format="mcx"/>'
                  "</Autodesk_Cache_File>", "its data files are missing"),
    ("broken.abc", b"Ogawa\xff\x00\x01" + bytes(8), "broken.abc"),
], ids=lambda value: value if isinstance(value, str) and len(value) < 12 else "")
def test_damagedFilesAreOneLine(purl, name, content, says):
    (purl.folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    said = purl.refuses("convert", name, "out")
    assert name in said and says in said and len(said) < 300
    assert not (purl.folder / "out").exists()
