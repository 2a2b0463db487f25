"""purl mesh: surfaces made again from cached particles."""
import json
import subprocess

import pytest

from tinyScene import cube, tinyScene

MILK = cube("drop", (8, 8, 8), (10, 20, 0)) + """createNode purlFluid -n "milk";
	setAttr ".particleSpacing" 2;
	setAttr ".dispersion" 0.001;
connectAttr "dropShape.w" "milk.inMesh[0]";
connectAttr "milk.outBody" "solver.bodies[2]";
"""
# Finer, joined, and with a contact angle that needs the walls.
CHANGES = ("--set", "surface.resolution=3", "--set", "surface.together=on", "--set", "surface.contactAngle=60")


def meshes(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.ply")}


@pytest.fixture
def twoFluids(purl, scene):
    path = scene(tinyScene(frames=4, extra=MILK))
    purl("sim", path, "-o", "cache")
    return path


def test_meshesEqualThoseOfASimulation(purl, twoFluids):
    purl("sim", twoFluids, "-o", "wanted", *CHANGES)
    before = meshes(purl.folder / "cache")
    purl("mesh", "cache", "-o", "made", *CHANGES)
    wanted, made = meshes(purl.folder / "wanted"), meshes(purl.folder / "made")
    assert len(made) == 4 and made == wanted
    assert meshes(purl.folder / "cache") == before and not set(before.values()) & set(made.values())
    purl("verify", "made")
    manifest = json.loads((purl.folder / "made" / "manifest.json").read_text())
    assert manifest["assignments"][-3:] == [CHANGES[1], CHANGES[3], CHANGES[5]]
    # The defaults give what the simulation wrote.
    purl("mesh", "cache")
    assert meshes(purl.folder / "cache" / "mesh") == before
    purl("render", "made", "--frames", "2", "--size", "64x64")


def test_chunksEqualOneRun(purl, twoFluids):
    purl("mesh", "cache", "-o", "whole", *CHANGES)
    # In any order and at the same time, into one folder.
    chunks = [purl.start("mesh", "cache", "-o", "chunks", "--frames", frames, *CHANGES) for frames in ("3-4", "1,2")]
    for chunk in chunks:
        _, errors = chunk.communicate(timeout=120)
        assert chunk.returncode == 0, errors
    purl("mesh", "cache", "-o", "chunks", "--frames", "2", "--threads", "1", *CHANGES)  # a requeued task
    assert meshes(purl.folder / "chunks") == meshes(purl.folder / "whole")
    assert "4 frames, all files intact" in purl("verify", "chunks")


def test_otherMeshesAreNotReplaced(purl, twoFluids):
    purl("mesh", "cache", "-o", "made", "--frames", "1-2")
    before = meshes(purl.folder / "made")
    done = purl.run("mesh", "cache", "-o", "made", *CHANGES)
    assert done.returncode == 3 and "already contains frames 1-2" in done.stderr
    assert meshes(purl.folder / "made") == before
    purl("mesh", "cache", "-o", "made", "--frames", "2", "--force", *CHANGES)
    assert list(meshes(purl.folder / "made")) == ["water.0002.ply"]
    assert "is the source cache itself" in purl.refuses("mesh", "cache", "-o", "cache")


def test_aSurfaceTakesWhatTheCacheHolds(purl, twoFluids):
    purl("sim", twoFluids, "-o", "bare", "--channels", "velocity")
    done = purl.run("mesh", "bare", *CHANGES)
    assert done.returncode == 0, done.stderr
    for channel in ("density", "wallOffset"):
        assert f"its particles have no channel {channel}" in done.stderr
    assert "velocity:" not in done.stderr
    purl("sim", twoFluids, "-o", "none", "--format", "ply:meshes")
    complaint = purl.refuses("mesh", "none")
    assert "the cache does not hold them" in complaint and "--format mcx,ply" in complaint


def test_onlySurfacesAreSet(purl, twoFluids):
    complaint = purl.refuses("mesh", "cache", "--set", "water.viscosity=3")
    assert "water is a purlFluid" in complaint and "purl sim" in complaint
    assert "nosuch" in purl.refuses("mesh", "cache", "--set", "surface.nosuch=1")
    assert "has no frame 9" in purl.refuses("mesh", "cache", "--frames", "9")


def test_withoutSurfacesThereIsNothingToMake(purl, scene):
    purl("sim", scene(tinyScene(frames=1, surface=False)), "-o", "cache")
    assert "has no purlSurface node after solver" in purl.refuses("mesh", "cache")


def test_aBranchIsMeshedWithItsParent(purl, twoFluids):
    purl("sim", twoFluids, "-o", "cache", "--branch", "thick", "--from", "3", "--set", "water.viscosity=9")
    purl("mesh", "cache/branches/thick", "-o", "made")
    made = meshes(purl.folder / "made")
    assert sorted(made) == sorted(meshes(purl.folder / "cache"))
    for name, content in meshes(purl.folder / "cache" / "branches" / "thick").items():
        assert made[name] == content
