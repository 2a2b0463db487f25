"""The validation page is generated from the cases, and marks results that are out of tolerance."""
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "validation"))
import run  # noqa: E402


class Module:
    __doc__ = "A title\nSome text.\n"


def test_aResultOutOfToleranceIsMarked(tmp_path):
    case = run.Case("some", Module, tmp_path, quick=True)
    case.row("length", 1.02, 1.0, "m", within=3)
    case.row("width", 1.04, 1.0, "m", within=3)
    case.below("drift", 2e-6, 1e-6)
    assert case.misses() == ["width", "drift"]
    section = case.section(1)
    assert "## A title" in section
    assert "| length | 1.02 m | 1 m | +2.00 % | 3 % |" in section
    assert "| width | **1.04 m** |" in section
    assert "| drift | **2e-06** |" in section


def test_sectionsOfOtherCasesStay(tmp_path):
    page = tmp_path / "validation.md"
    page.write_text("# head\n\n<!-- case a -->\n## A\ntext\n\n<!-- case b -->\n## B\n")
    assert run.sectionsOf(page) == {"a": "## A\ntext", "b": "## B"}


# The page begins with a verdict and a row for each case: results that have a limit or a tolerance, the largest error, the observed order.
def test_thePageBeginsWithAVerdictAndATable():
    case = run.Case("drop", Module, ROOT, quick=True)
    case.row("length", 1.02, 1.0, "m", within=3)
    case.row("width", 1.04, 1.0, "m", within=3)
    case.row("depth, which is compared only", 2.0, 1.0, "m")
    case.below("drift", 2e-7, 1e-6)
    case.row("order of convergence", 1.95, 2.0, within=10)
    head = run.headOf({"drop": case.section(1)})
    assert head.splitlines()[1] == "3 of 4 results of 1 cases are within their tolerances; 1 is not: A title."
    assert "| [A title](#a-title) | Rayleigh 1879, Laplace | 3 of 4 | 4 % | 1.95 |" in head


# Every case says what it is compared with.
def test_everyCaseNamesItsReference():
    cases = [path.stem for path in (ROOT / "validation" / "cases").glob("*.py")]
    assert len(cases) > 20 and [name for name in cases if not run.referenceOf(name)] == []


def test_anUnknownCaseIsNamed():
    done = subprocess.run([sys.executable, ROOT / "validation" / "run.py", "noSuchCase"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "unknown case noSuchCase; the cases are" in done.stderr
