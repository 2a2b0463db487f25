"""Read-only commands never write, whatever a scene's purlCache says; purl sim writes only to its output folder."""
import pytest

import purl as purlModule
from tinyScene import tinyScene

KEYS = """createNode animCurveTU -n "modeKeys";
	setAttr -s 2 ".ktv[0:1]"  1 1 20 1;
connectAttr "modeKeys.o" "cache.mode";
"""


def writingScene(target, keyed):
    """A scene with a purlCache that writes to `target`, by its attribute or by keys."""
    cache = f"""createNode purlCache -n "cache";
	setAttr ".mode" {0 if keyed else 1};
	setAttr ".directory" -type "string" "{target}";
connectAttr "solver.outFrame" "cache.inFrame";
connectAttr ":time1.o" "cache.currentTime";
"""
    return tinyScene(frames=2, surface=False, extra=cache + (KEYS if keyed else ""))


def snapshot(folder):
    return {path.relative_to(folder): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("keyed", [False, True])
def test_nothingThatLooksWrites(purl, scene, keyed):
    target = purl.folder / "precious"
    purl("sim", scene(tinyScene(frames=3, surface=False), "plain.ma"), "-o", target)
    path = scene(writingScene(target, keyed))
    purl("sim", path, "-o", "made")
    before, made = snapshot(target), snapshot(purl.folder / "made")
    looks = {
        "info": lambda: purl("info", path),
        "info of a cache": lambda: purl("info", "made"),
        "verify": lambda: purl("verify", "made"),
        "rerun": lambda: purl("verify", "made", "--rerun", "2"),
        "doctor": lambda: purl.run("doctor", path),
        "edit": lambda: purl("edit", path, "-o", "edited.ma"),
        "render": lambda: purl("render", path, "-o", "pictures", "--size", "64x64", "--frames", "1", "--quiet"),
        "python": lambda: purlModule.load(path).frame(2),
    }
    for name, look in looks.items():
        look()
        assert snapshot(target) == before, name
        assert snapshot(purl.folder / "made") == made, name


@pytest.mark.parametrize("keyed", [False, True])
def test_simWritesToItsOwnFolderOnly(purl, scene, hashes, keyed):
    target = purl.folder / "precious"
    purl("sim", scene(tinyScene(frames=3, surface=False), "plain.ma"), "-o", target)
    before = snapshot(target)
    purl("sim", scene(writingScene(target, keyed)), "-o", "made")
    assert snapshot(target) == before
    assert hashes(purl.folder / "made") == {number: hashes(target)[number] for number in (1, 2)}


def test_aCacheThatThePlaybackIsKeyedToIsSimulatedBySim(purl, scene, hashes):
    """An artist's scene that plays from a cache, by connections too, is simulated from its bodies."""
    purl("sim", scene(tinyScene(frames=2, surface=False), "plain.ma"), "-o", "plain")
    text = writingScene(purl.folder / "plain", True).replace("1 1 20 1;", "1 2 20 2;")
    text = text.replace("// End of scene", """createNode animCurveTU -n "playKeys";
	setAttr -s 2 ".ktv[0:1]"  1 1 20 1;
connectAttr "playKeys.o" "solver.playFromCache";
""")
    purl("sim", scene(text), "-o", "made", "--set", "water.viscosity=6")
    purl("sim", scene(tinyScene(frames=2, surface=False), "plain.ma"), "-o", "thick", "--set", "water.viscosity=6")
    assert hashes(purl.folder / "made") == hashes(purl.folder / "thick")
