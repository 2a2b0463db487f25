"""purl verify --repair: damaged frames are simulated again, and put back only if they are what was written."""
import json

import pytest

from tinyScene import tinyScene


def filesOf(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def damage(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.fixture
def path(scene):
    return scene(tinyScene(frames=6))


def test_damagedFilesComeBackAsTheyWere(purl, path):
    purl("sim", path, "-o", "cache", "--checkpoints", "2")
    folder = purl.folder / "cache"
    before = filesOf(folder)
    damage(folder / "waterFrame4.mcx")
    (folder / "water.0006.ply").unlink()
    damage(folder / "state" / "5.purl")
    (folder / "water.xml").unlink()
    (folder / "water.0003.ply.7.part").write_text("left over")
    assert "--repair simulates damaged frames again" in purl.run("verify", "cache").stderr
    done = purl.run("verify", "cache", "--repair")
    assert done.returncode == 0, done.stderr
    assert "6 frames, all files intact" in done.stdout
    for name in ("waterFrame4.mcx", "water.0006.ply", "state/5.purl"):
        assert f"{name}: repaired" in done.stderr
    after = filesOf(folder)
    assert after.keys() == before.keys()
    assert {name for name in after if after[name] != before[name]} <= {folder / "manifest.json"}


def test_aBranchIsRepairedWithItsSettings(purl, path):
    purl("sim", path, "-o", "cache", "--checkpoints", "2", "--format", "mcx")
    purl("sim", path, "-o", "cache", "--branch", "thick", "--from", "4", "--set", "water.viscosity=9")
    folder = purl.folder / "cache" / "branches" / "thick"
    before = filesOf(folder)
    damage(folder / "waterFrame5.mcx")
    done = purl.run("verify", "cache", "--repair")
    assert done.returncode == 0, done.stderr
    assert filesOf(folder) == before


def test_anotherResultIsNotPutBack(purl, path):
    purl("sim", path, "-o", "cache", "--checkpoints", "0", "--format", "mcx")
    damage(purl.folder / "cache" / "waterFrame2.mcx")
    damaged = (purl.folder / "cache" / "waterFrame2.mcx").read_bytes()
    text = path.read_text()
    path.write_text(text.replace('".viscosity" 1.5', '".viscosity" 2.5'))
    assert "has changed since" in purl.refuses("verify", "cache", "--repair")
    path.write_text(text)
    # A manifest that names another hash (without a hash of its own, it is accepted).
    manifest = json.loads((purl.folder / "cache" / "manifest.json").read_text())
    del manifest["manifestVersion"], manifest["manifestHash"]
    manifest["frames"][1]["files"][0]["receipt"]["hash"] = "0123456789abcdef"
    (purl.folder / "cache" / "manifest.json").write_text(json.dumps(manifest))
    assert "gets a different content" in purl.refuses("verify", "cache", "--repair")
    assert (purl.folder / "cache" / "waterFrame2.mcx").read_bytes() == damaged


def test_packedFilesAreNotRepaired(purl, path):
    purl("sim", path, "-o", "cache", "--format", "abc", "--one-file")
    damage(next((purl.folder / "cache").glob("*.abc")))
    assert "holds all frames" in purl.refuses("verify", "cache", "--repair")
