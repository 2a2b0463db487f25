"""purl describe: the one declaration of each attribute, as text."""
import json
import re
from pathlib import Path

from tinyScene import tinyScene

ROOT = Path(__file__).resolve().parents[2]
NODE_NAME = re.compile(r'kName = "(purl\w+)";\n *static constexpr unsigned kId')
NODES = {NODE_NAME.search(header.read_text(encoding="utf-8")).group(1) for header in ROOT.glob("nodes/*Node.h")}


def test_attributesPageIsFresh(purl):
    page = (ROOT / "docs" / "attributes.md").read_text(encoding="utf-8")
    assert page == purl("describe", "--markdown"), "stale: purl describe --markdown > docs/attributes.md"


def test_commandsPageIsFresh(purl):
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert page == purl("describe", "--commands"), "stale: purl describe --commands > docs/commands.md"


def test_commandLinePageIsFresh(purl):
    page = (ROOT / "docs" / "commandLine.md").read_text(encoding="utf-8")
    assert page == purl("describe", "--command-line"), "stale: purl describe --command-line > docs/commandLine.md"


def test_everyCommandAndOptionIsExplained(purl):
    page = purl("describe", "--command-line")
    commands = re.findall(r"^## purl (\w+)$", page, re.M)
    assert {"sim", "mesh", "render", "convert", "verify", "describe"} <= set(commands)
    for name in commands:
        shown = purl(name, "--help")
        assert shown.split("Usage:")[0] in page  # the rest has the program's path
        options = re.findall(r"^  (-.*(?:\n {10,}.*)*)", shown, re.M)
        assert options, name
        for option in options:
            words = re.sub(r"(Excludes|Needs): (--\S+ )+", "", re.sub(r"\s+", " ", option))
            assert re.search(r" [A-Z][a-z-]+[:,]?( \S+)+", words), (name, words)
    assert "{png,exr,png,exr" not in page


def test_jsonListsEveryNodeWithItsAttributes(purl):
    described = json.loads(purl("describe", "--json"))
    nodes = {node["name"]: node for node in described}
    assert NODES == set(nodes)
    viscosity = next(row for row in nodes["purlFluid"]["attributes"] if row["name"] == "viscosity")
    assert viscosity["unit"] == "Pa·s" and abs(float(viscosity["default"]) - 0.05) < 1e-6 and float(viscosity["min"]) == 0
    spacing = next(row for row in nodes["purlFluid"]["attributes"] if row["name"] == "particleSpacing")
    assert spacing["unit"] == "cm" and float(spacing["default"]) == 2, "as a scene has it"
    kind = next(row for row in nodes["purlFluid"]["attributes"] if row["name"] == "kind")
    assert kind["choices"] == ["liquid", "gas"]
    for node in nodes.values():
        names = [row["name"] for row in node["attributes"]]
        shorts = [row["short"] for row in node["attributes"]]
        assert len(set(names)) == len(names) and len(set(shorts)) == len(shorts), node["name"]
        assert all(row["sentence"].endswith(".") for row in node["attributes"]), node["name"]


def test_formerValuesOfAnEnumAreNotListed(purl):
    nodes = {node["name"]: node for node in json.loads(purl("describe", "--json"))}
    rows = {row["name"]: row for row in nodes["purlCloth"]["attributes"]}
    assert rows["solver"]["choices"] == ["xpbd", "implicitEuler", "velocityVerlet", "directional"]
    assert rows["referenceClothSolver"]["section"] == "Reference variants"
    assert nodes["purlCloth"]["attributes"][-1]["section"] == "Reference variants"


def test_sentencesDoNotBeginWithASolver(purl):
    for node in json.loads(purl("describe", "--json")):
        for row in node["attributes"]:
            if "choices" not in row:
                assert not re.match(r"(wcsph|pbf|dfsph|doubleDensity|xpbd|implicitEuler|directional)\b.*?: ", row["sentence"]), row["name"]


def test_infoIsInTheScenesUnits(purl, scene):
    text = tinyScene(frames=1, surface=False)
    printed = purl("info", scene(text))
    assert "    particleSpacing = 2 cm\n" in printed and "    halfSize = 20 20 8 cm\n" in printed
    assert "estimate for frames 1 to 1: about 640 particles" in printed
    metres = purl("info", scene(text.replace("-l centimeter", "-l meter").replace('".particleSpacing" 2', '".particleSpacing" 0.02')
                                .replace("double3\" 20 20 8", "double3\" 0.2 0.2 0.08").replace('".w" 16', '".w" 0.16')
                                .replace('".h" 20', '".h" 0.2').replace('".d" 16', '".d" 0.16')))
    assert "    particleSpacing = 0.02 m\n" in metres
