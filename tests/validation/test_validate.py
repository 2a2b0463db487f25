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


def test_anUnknownCaseIsNamed():
    done = subprocess.run([sys.executable, ROOT / "validation" / "run.py", "noSuchCase"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "unknown case noSuchCase; the cases are" in done.stderr
