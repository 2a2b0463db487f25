"""purl foam: adds foam to a cache."""
import json

from tinyScene import tinyScene


def test_foamIsABodyOfANewCacheAndTheSameEachTime(purl, scene):
    purl("sim", scene(tinyScene(frames=6)), "-o", "cache", "--set", "water.startVelocityY=-3")
    eager = ["--set", "airRate=50000", "--set", "minTurbulence=0.05", "--set", "minSpeed=0.1"]
    purl("foam", "cache", "-o", "one", *eager, "--threads", "1")
    purl("foam", "cache", "-o", "two", *eager, "--threads", "2")
    purl("verify", "one")
    one, two = (json.loads((purl.folder / name / "manifest.json").read_text()) for name in ("one", "two"))
    assert one["frames"] == two["frames"]
    assert [(body["name"], body["kind"]) for body in one["bodies"]] == [("water", "liquid"), ("waterFoam", "foam")]
    assert one["frames"][0]["particles"] == 640 and one["frames"][-1]["particles"] > 640
    assert len(list((purl.folder / "one").glob("*.ply"))) == 6


def test_foamSaysWhatIsWrong(purl, scene):
    purl("sim", scene(tinyScene(frames=1, surface=False)), "-o", "cache")
    assert "another folder" in purl.refuses("foam", "cache", "-o", "cache")
    assert "airRte" in purl.refuses("foam", "cache", "-o", "foam", "--set", "airRte=1")
    assert "not a number" in purl.refuses("foam", "cache", "-o", "foam", "--set", "airRate=much")
    assert "milk" in purl.refuses("foam", "cache", "-o", "foam", "--body", "milk")
