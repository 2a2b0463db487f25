"""purl doctor: problems of a scene, and the repaired scene."""
from pathlib import Path

SCENE = Path(__file__).resolve().parents[2] / "scenes" / "damBreak.ma"


def test_aSceneThatIsWellIsSaidToBe(purl):
    assert purl("doctor", SCENE).strip().endswith("no problems found")


def test_whatIsWrongIsListedAndFixed(purl, tmp_path):
    ill = tmp_path / "ill.ma"
    text = SCENE.read_text(encoding="utf-8")
    text = text.replace('setAttr ".pressureSolver" 2;', 'setAttr ".pressureSolver" 2;\n\tsetAttr ".gravity" 981;')
    text = text.replace('connectAttr ":time1.o" "solver.currentTime";\n', "")
    ill.write_text(text, encoding="utf-8")
    done = purl.run("doctor", ill)
    assert done.returncode == 2
    first, second = done.stdout.splitlines()
    assert first == "error: solver does not follow time: nothing would move; --fix: connect time1.outTime to it"
    assert second.startswith("warning: solver has a gravity of 981 m/s²") and second.endswith("--fix: set it to 9.81")
    well = tmp_path / "well.ma"
    assert "fixed: set it to 9.81" in purl("doctor", ill, "--fix", "-o", well)
    assert "no problems found" in purl("doctor", well)


def test_fixingNeedsAPlaceForTheNewScene(purl):
    assert "--out" in purl.refuses("doctor", SCENE, "--fix")
