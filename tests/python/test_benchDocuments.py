"""The bench that prints the timing tables of the source documents."""
import importlib.machinery
import importlib.util
import re
from pathlib import Path

import numpy
import pytest

pytest.importorskip("purl")
PATH = str(Path(__file__).resolve().parents[2] / "bench" / "documents")
loader = importlib.machinery.SourceFileLoader("benchDocuments", PATH)
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("benchDocuments", loader))
loader.exec_module(bench)


def tablesOf(text):
    """{title: rows as dictionaries}"""
    tables = {}
    for part in text.split("### ")[1:]:
        lines = [line for line in part.splitlines() if line.startswith("|")]
        head, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in [lines[0], *lines[2:]])
        tables[part.splitlines()[0]] = [dict(zip(head, row)) for row in rows]
    return tables


# L-63 L-65 L-66 L-67 L-68 L-69 L-70 L-71 L-60 O-36 O-84 O-108. The bench prints every table of the documents that is of times, with the
# machine's name: each size with each number of threads and of bodies, the calling thread and a pool of one, the shortest, mean and longest frame.
def test_theBenchPrintsEveryTimingTable(tmp_path):
    file = tmp_path / "tables.md"
    bench.main(["--seconds", "0.1", "--threads", "1,2", "--dams", "6,12", "--paste", "200", "--tables", "dam,coupled,phases,cloth,hardening", "--output", str(file)])
    text = file.read_text()
    assert re.match(r".+, \d+ cores\n", text)
    dam, coupled, phases, cloth, hardening = tablesOf(text).values()
    assert {(row["particles"], row["threads"]) for row in dam} == {(size, n) for size in ("36", "144") for n in ("1", "2", "pool of one")}
    assert {(row["particles"], row["bodies"]) for row in coupled} == {(size, str(n)) for size in ("36", "144") for n in bench.BODIES}
    for row in dam + coupled + cloth:
        shortest, mean, longest = (float(row[name]) for name in ("shortest, ms", "mean, ms", "longest, ms"))
        assert 0 < shortest <= mean <= longest
        assert float(row["frames/s"]) == pytest.approx(1e3 / mean, rel=0.1)  # both are rounded to a hundredth
        assert 1 <= float(row["jitter"]) < numpy.inf
    # Lup's four tasks: density constraint and displacement of a fluid, constraints and contacts of soft bodies.
    assert {"solveDensity", "predict", "moveSoftBodies", "findNeighbors"} <= {row["phase"] for row in phases}, phases
    assert [row["model"] for row in cloth] == ["dashpots", "half derivatives"] and float(cloth[1]["ratio"]) > 0
    assert [row["model"] for row in hardening] == ["liquid", "hardening"]


# K-77. The capsule test of 2006, standing and lying, beside the rates of 2006.
def test_theCapsuleTableStandsBesideTheOneOf2006(monkeypatch, capsys):
    monkeypatch.setattr(bench, "CAPSULE", {100: (356.24, 372.11)})
    bench.main(["--seconds", "0.1", "--tables", "capsule"])
    row, = next(iter(tablesOf(capsys.readouterr().out).values()))
    assert row["particles"] == "100" and float(row["standing, frames/s"]) > 0 and row["lying, 2006"] == "372.11"


# L-72. Simulation and drawing are timed apart.
def test_drawingIsTimedApart(capsys, purl):
    bench.main(["--seconds", "0.1", "--dams", "5", "--tables", "drawing"])
    row = next(iter(tablesOf(capsys.readouterr().out).values()))[0]
    assert row["particles"] == "50" and 0 < int(row["share of drawing"].split()[0]) < 100


# L-74. Bodies stand in a row with equal gaps, at the top of the tank.
@pytest.mark.parametrize("count", [1, 4, 22])
def test_bodiesStandInARowWithEqualGaps(count):
    width = 1.3 * count * 5 * bench.SPACING
    bodies = bench.rowOfBodies(count, width, 2.0)
    assert len(bodies) == count
    edges = numpy.array([[0, 0]] + [[points[:, 0].min(), points[:, 0].max()] for points in (numpy.array(body.points, float) for body in bodies)] + [[width, width]])
    gaps = edges[1:, 0] - edges[:-1, 1]
    assert numpy.ptp(gaps) < 1e-4 and gaps.min() > 0
    assert all(numpy.array(body.points)[:, 1].min() == pytest.approx(2) for body in bodies)


def test_anUnknownTableIsNamed(capsys):
    with pytest.raises(SystemExit):
        bench.main(["--tables", "rainbow"])
    assert "unknown table rainbow; the tables are dam" in capsys.readouterr().err
