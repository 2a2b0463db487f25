"""What Maya is given beside the plugin: the module file, scripts, icons, presets."""
import json
import re
import struct
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def nodesOf(purl):
    return {node["name"]: node for node in json.loads(purl("describe", "--json"))}


def pngSize(path):
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n", path
    return struct.unpack(">II", head[16:24])


def test_everyNodeHasItsIconsInThreeSizes(purl):
    for name in nodesOf(purl):
        assert (ROOT / "icons" / "svg" / f"{name}.svg").exists(), name
        for suffix, size in (("", 20), ("_150", 30), ("_200", 40)):
            assert pngSize(ROOT / "icons" / f"out_{name}{suffix}.png") == (size, size)


def test_everyIconThatScriptsNameIsThere():
    kinds = ["fluid", "emitter", "collider", "cloth", "knit", "softBody", "field", "solver", "cache"]
    for kind in kinds:
        assert pngSize(ROOT / "icons" / f"purl_{kind}.png") == (32, 32)


def test_moduleIsInstalledWhole(purl, tmp_path, buildFolder):
    subprocess.run(["cmake", "--install", buildFolder, "--component", "maya", "--prefix", tmp_path], check=True, capture_output=True)
    module = (tmp_path / "purl.mod").read_text()
    for year in (2016, 2022, 2024, 2025):
        assert re.search(rf"^\+ MAYAVERSION:{year} PLATFORM:linux Purl [0-9.]+ \./\nplug-ins: plug-ins/{year}/linux$", module, re.M)
    assert (tmp_path / "scripts" / "purlCreateUI.mel").exists()
    assert (tmp_path / "icons" / "out_purlFluid.png").exists() and not (tmp_path / "icons" / "svg").exists()
    nodes = nodesOf(purl)
    for node in ("purlCloth", "purlFluid", "purlKnit", "purlSoftBody"):
        choices = next(row for row in nodes[node]["attributes"] if row["name"] == "preset")["choices"]
        assert {p.stem for p in (tmp_path / "presets" / "attrPresets" / node).iterdir()} == set(choices)


def test_melRunsScriptsAndTellsTheWindows(purl, tmp_path):
    script = tmp_path / "hang.mel"
    script.write_text('polyPlane -n sheet;\nstring $made[] = `purlCreate -type cloth`;\nprint ($made[0] + "\\n");\n')
    assert purl("mel", script) == "purlCloth1\n"
    windows = purl("mel", script, "--path", ROOT / "mel", "--windows")
    assert 'menu purlMenu -label "Purl"' in windows and "shelfButton purlShelf_cloth" in windows
    script.write_text("print 1;\nsetAttr nobody.tx 3;\n")
    assert purl.refuses("mel", script) == f"{script}:2: setAttr: there is no node nobody"
