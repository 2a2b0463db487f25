"""purl describe: the one declaration of each attribute, as text."""
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NODES = {"purlFluid", "purlEmitter", "purlCloth", "purlSoftBody", "purlKnit", "purlCollider", "purlField", "purlSolver", "purlPoints", "purlSurface",
         "purlClothMesh", "purlYarn", "purlCache", "purlRigid", "purlFoam", "purlView"}


def test_attributesPageIsFresh(purl):
    page = (ROOT / "docs" / "attributes.md").read_text(encoding="utf-8")
    assert page == purl("describe", "--markdown"), "stale: purl describe --markdown > docs/attributes.md"


def test_jsonListsEveryNodeWithItsAttributes(purl):
    described = json.loads(purl("describe", "--json"))
    nodes = {node["name"]: node for node in described}
    assert NODES <= set(nodes)
    viscosity = next(row for row in nodes["purlFluid"]["attributes"] if row["name"] == "viscosity")
    assert viscosity["unit"] == "Pa·s" and float(viscosity["default"]) == 2 and float(viscosity["min"]) == 0
    kind = next(row for row in nodes["purlFluid"]["attributes"] if row["name"] == "kind")
    assert kind["choices"] == ["liquid", "gas"]
    for node in nodes.values():
        names = [row["name"] for row in node["attributes"]]
        shorts = [row["short"] for row in node["attributes"]]
        assert len(set(names)) == len(names) and len(set(shorts)) == len(shorts), node["name"]
        assert all(row["sentence"].endswith(".") for row in node["attributes"]), node["name"]
