"""What is installed for Maya besides the plug-in: module file, scripts, icons, presets."""
import json
import re
import struct
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

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


def install(buildFolder, folder):
    subprocess.run(["cmake", "--install", buildFolder, "--component", "maya", "--prefix", folder], check=True, capture_output=True)
    return (folder / "purl.mod").read_text()


def test_moduleFileListsTheYearsThatAreInstalled(tmp_path, buildFolder):
    """Maya reads the .mod files of a folder of MAYA_MODULE_PATH; what they name is relative to that folder."""
    module = install(buildFolder, tmp_path)
    assert "MAYAVERSION" not in module or (tmp_path / "purl" / "plug-ins").is_dir()
    for year in (2022, 2024):  # as if built for these years
        plugin = tmp_path / "purl" / "plug-ins" / str(year) / "linux" / "purl.so"
        plugin.parent.mkdir(parents=True, exist_ok=True)
        plugin.touch()
    module = install(buildFolder, tmp_path)
    blocks = re.findall(r"^\+ MAYAVERSION:(\d+) PLATFORM:(\w+) Purl [0-9.]+ (\S+)\nplug-ins: (\S+)\nMAYA_CUSTOM_TEMPLATE_PATH\+:=(\S+)$",
                        module, re.M)
    assert {(year, platform) for year, platform, *_ in blocks} >= {("2022", "linux"), ("2024", "linux")}
    assert module.count("+ ") == len(blocks)
    for _, _, root, plugins, templates in blocks:
        assert (tmp_path / root / plugins / "purl.so").is_file()
        assert (tmp_path / root / templates / "NEpurlFluidTemplate.xml").is_file()
        assert (tmp_path / root / "scripts" / "purlCreateUI.mel").is_file(), "Maya adds scripts, icons and presets itself"


def test_moduleIsInstalledWhole(purl, tmp_path, buildFolder):
    install(buildFolder, tmp_path)
    tmp_path = tmp_path / "purl"
    assert (tmp_path / "scripts" / "purlCreateUI.mel").exists()
    assert (tmp_path / "icons" / "out_purlFluid.png").exists() and not (tmp_path / "icons" / "svg").exists()
    nodes = nodesOf(purl)
    for node in ("purlCloth", "purlFluid", "purlKnit", "purlSoftBody"):
        choices = next(row for row in nodes[node]["attributes"] if row["name"] == "preset")["choices"]
        assert {p.stem for p in (tmp_path / "presets" / "attrPresets" / node).iterdir()} == set(choices) - {"custom"}
    for name, node in nodes.items():
        template = ElementTree.parse(tmp_path / "templates" / f"NE{name}Template.xml").getroot()
        attributes = {row["name"] for row in node["attributes"]}
        shown = [row.get("name") for row in template.find("view")]
        assert shown and set(shown) <= attributes and len(set(shown)) == len(shown)
        assert shown == [row.get("name") for row in template.find("template")]


APPLY_PRESET = """
global string $gOf;
global proc startAttrPreset(string $type) {}
global proc endAttrPreset() {}
global proc blendAttr(string $attribute, float $value) { global string $gOf; setAttr ($gOf + "." + $attribute) $value; }
"""


@pytest.mark.parametrize("type", ["purlFluid", "purlCloth", "purlKnit", "purlSoftBody"])
def test_presetFilesSetTheAttributesOfTheirMaterial(purl, tmp_path, type):
    subprocess.run([ROOT / "scripts" / "mayaFiles", purl.program, tmp_path], check=True)
    node = nodesOf(purl)[type]
    inMetres = {row["name"] for row in node["attributes"] if row.get("unit") == "m"}
    scripts, wanted = [APPLY_PRESET], []
    for material, values in node["presets"].items():
        numbers = {name: float(value) for name, value in values.items() if re.fullmatch(r"[-0-9.e+]+", value)}
        assert len(numbers) >= 5, material
        file = tmp_path / "presets" / "attrPresets" / type / f"{material}.mel"
        scripts.append(f'createNode {type} -n {material}; setAttr {material}.preset 1; $gOf = "{material}"; source "{file}";\n')
        scripts += [f'print (`getAttr {material}.{name}` + "\\n");\n' for name in ["preset", *numbers]]
        # custom, so that the attributes are used; lengths in centimetres
        wanted += [0] + [number * (100 if name in inMetres else 1) for name, number in numbers.items()]
    (tmp_path / "apply.mel").write_text("".join(scripts))
    assert [float(word) for word in purl("mel", "apply.mel").split()] == pytest.approx(wanted, rel=1e-5)


def test_melRunsScriptsAndTellsTheWindows(purl, tmp_path):
    script = tmp_path / "hang.mel"
    script.write_text('polyPlane -n sheet;\nstring $made[] = `purlCreate -type cloth`;\nprint ($made[0] + "\\n");\n')
    assert purl("mel", script) == "purlCloth1\n"
    windows = purl("mel", script, "--path", ROOT / "mel", "--windows")
    assert 'menu purlMenu -label "Purl"' in windows and "shelfButton purlShelf_cloth" in windows
    script.write_text("print 1;\nsetAttr nobody.tx 3;\n")
    assert purl.refuses("mel", script) == f"{script}:2: setAttr: no node named nobody"


@pytest.mark.parametrize("axis, down", [("y", "0 -1 0"), ("z", "0 0 -1")])
def test_whatIsCreatedFallsAlongTheUpAxis(purl, axis, down):
    (purl.folder / "make.mel").write_text(
        f'upAxis -axis "{axis}";\npolyCube -name "block";\npurlCreate -type fluid block;\n'
        'string $solver[] = `ls -type purlSolver`;\nfloat $g[] = `getAttr ($solver[0] + ".gravityDirection")`;\n'
        'float $n[] = `getAttr ($solver[0] + ".planeNormal")`;\n'
        'print($g[0] + " " + $g[1] + " " + $g[2] + "\\n" + $n[0] + " " + $n[1] + " " + $n[2] + "\\n");\n')
    assert purl("mel", "make.mel").splitlines() == [down, down.replace("-", "")]
