"""The rules of the house: which folder may include which, and that the scripts notice what they are there to notice."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# The table of docs/architecture.md. The longest key that begins a file's path is its rule; the values begin the paths it
# may include, besides its own. A file without a rule is a complaint, so a new folder has to say where it stands.
SOLVER_PUBLIC = ["solver/core/", "solver/scene.", "solver/sceneText.", "solver/state.", "solver/simulator.", "solver/frame.", "solver/surface/", "solver/cache/"]
MATERIAL = ["solver/core/", "solver/search/", "solver/fractional/", "solver/scene.", "solver/state.", "solver/particles."]
MAY_INCLUDE = {
    "solver/core/": [],
    "solver/particles.": ["solver/core/"],
    "solver/params/": ["solver/core/"],
    "solver/scene.": ["solver/core/", "solver/params/", "solver/sceneText."],
    "solver/sceneText.": ["solver/scene."],
    "solver/outline.": ["solver/core/", "solver/scene."],
    "solver/state.": ["solver/core/", "solver/particles.", "solver/scene."],
    "solver/stateCheck.": ["solver/core/", "solver/particles.", "solver/scene.", "solver/state."],
    "solver/frame.": ["solver/core/"],
    "solver/search/": ["solver/core/"],
    "solver/fractional/": ["solver/core/", "solver/particles."],
    "solver/contact/": MATERIAL,
    "solver/boundary/": MATERIAL + ["solver/contact/"],
    "solver/fluid/": MATERIAL + ["solver/contact/", "solver/boundary/"],
    "solver/cloth/": MATERIAL + ["solver/contact/", "solver/params/"],
    "solver/knit/": MATERIAL + ["solver/contact/", "solver/params/"],
    "solver/soft/": MATERIAL + ["solver/contact/", "solver/params/", "solver/fluid/fill."],
    "solver/wet/": MATERIAL + ["solver/contact/", "solver/boundary/", "solver/fluid/", "solver/params/"],
    "solver/surface/": ["solver/core/", "solver/search/", "solver/frame."],
    "solver/cache/": ["solver/core/", "solver/search/", "solver/frame.", "solver/scene.", "solver/state.", "solver/stateCheck.",
                      "solver/particles."],
    "solver/stateFit.": ["solver/"],
    "solver/guard.": ["solver/"],
    "solver/step.": ["solver/"],
    "solver/ladenCloths.": ["solver/"],
    "solver/workspace.": ["solver/"],
    "solver/clothPushes.": ["solver/"],
    "solver/simulator.": ["solver/"],
    "solver/frameOf.": ["solver/"],
    "render/": ["solver/core/", "solver/frame."],
    "host/": [],
    "nodes/": SOLVER_PUBLIC,
    "panel/": ["solver/core/spoken."],
    "plugin/": ["nodes/", "panel/", "render/"] + SOLVER_PUBLIC,
    "farm/": ["host/", "nodes/"] + SOLVER_PUBLIC,
    "app/": ["farm/", "host/", "nodes/", "plugin/viewport/display.", "render/"] + SOLVER_PUBLIC,
    "app/view/": ["app/", "farm/", "host/", "nodes/", "panel/", "plugin/panelNodes.", "plugin/panelSamples.", "plugin/viewport/display.", "render/"] + SOLVER_PUBLIC,
    "python/": ["farm/", "host/", "nodes/"] + SOLVER_PUBLIC,
}

# Libraries that only some rooms may know, by how their headers begin.
LIBRARIES = {
    "maya/": ["host/", "nodes/", "plugin/", "farm/"],
    "Q": ["plugin/", "panel/", "app/view/"],
    "GL/": ["render/"],
    "EGL/": ["render/"],
    "Imf": ["render/"],
    "nanobind/": ["python/"],
    "Python.h": ["python/"],
    "CLI/": ["app/"],
    "omp.h": ["bench/"],
    "cuda": ["solver/core/"],
    "cub/": ["solver/core/"],
    "thrust/": ["solver/core/"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def ruleFor(path):
    keys = [key for key in MAY_INCLUDE if path.startswith(key)]
    return max(keys, key=len) if keys else None


def includeComplaints(root):
    """One line for every include that goes the wrong way, is not written from the root, or has no rule."""
    complaints = []
    for folder in sorted({key.split("/")[0] for key in MAY_INCLUDE}):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".cu", ".cuh"):
                continue
            path = file.relative_to(root).as_posix()
            rule = ruleFor(path)
            if rule is None:
                complaints.append(f"{path}: no rule says what it may include; add one to tests/house/test_house.py")
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                ours, theirs = match.groups()
                where = f"{path}:{number}"
                if ours:
                    if not (root / ours).is_file():
                        complaints.append(f'{where}: "{ours}" is not a path from the root')
                    elif not ours.startswith((rule, *MAY_INCLUDE[rule])):
                        complaints.append(f'{where}: {rule} may not include "{ours}"')
                else:
                    for library, rooms in LIBRARIES.items():
                        if theirs.startswith(library) and not path.startswith(tuple(rooms)):
                            complaints.append(f"{where}: <{theirs}> belongs to {', '.join(rooms)}")
    return complaints


def write(root, path, text):
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def test_everyIncludeGoesTheRightWay():
    assert includeComplaints(ROOT) == []


@pytest.mark.parametrize(
    "path, include, complaint",
    [
        ("solver/core/a.h", '"solver/fluid/f.h"', 'solver/core/ may not include "solver/fluid/f.h"'),
        ("solver/fluid/a.cpp", '"solver/frame.h"', 'solver/fluid/ may not include "solver/frame.h"'),
        ("host/a.cpp", '"solver/core/c.h"', 'host/ may not include "solver/core/c.h"'),
        ("nodes/a.cpp", '"solver/fluid/f.h"', 'nodes/ may not include "solver/fluid/f.h"'),
        ("solver/fluid/a.h", '"f.h"', '"f.h" is not a path from the root'),
        ("solver/fluid/a.h", "<maya/MPxNode.h>", "<maya/MPxNode.h> belongs to"),
        ("render/a.cpp", "<QWidget>", "<QWidget> belongs to plugin/"),
        ("solver/fluid/a.cpp", "<omp.h>", "<omp.h> belongs to bench/"),
        ("solver/novel/a.h", "<vector>", "no rule says"),
    ],
)
def test_anIncludeTheWrongWayIsNoticed(tmp_path, path, include, complaint):
    for header in ("solver/core/c.h", "solver/fluid/f.h", "solver/frame.h"):
        write(tmp_path, header, "#pragma once\n")
    assert includeComplaints(tmp_path) == []
    write(tmp_path, path, f"#include <cmath>\n#include {include}\n")
    found = includeComplaints(tmp_path)
    assert len(found) == 1 and complaint in found[0] and found[0].startswith(path)


@pytest.fixture
def copy(tmp_path):
    """A small repository with the real script and tables and one test, its page just written."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "coverage", tmp_path / "scripts" / "coverage")
    shutil.copytree(ROOT / "docs" / "features", tmp_path / "docs" / "features")
    write(tmp_path, "tests/fluid_test.cpp", "// K-07\nTEST(Density, loneParticleHasItsOwnMass) {\n    EXPECT_TRUE(true);\n}\n")
    assert coverage(tmp_path).returncode == 0
    return tmp_path


def coverage(root, *arguments):
    command = [sys.executable, str(root / "scripts" / "coverage"), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def row(root, feature):
    page = (root / "docs" / "coverage.md").read_text(encoding="utf-8")
    return next(line for line in page.splitlines() if line.startswith(f"| {feature} |"))


def test_coverageListsEveryFeatureOfTheFiveDocuments(copy):
    page = (copy / "docs" / "coverage.md").read_text(encoding="utf-8")
    counts = {letter: len(re.findall(rf"^\| {letter}-\d+ \|", page, re.MULTILINE)) for letter in "BGKLO"}
    assert counts == {"B": 134, "G": 64, "K": 80, "L": 88, "O": 110}


def test_coverageLinksTheTestThatShowsAFeature(copy):
    assert row(copy, "K-07").endswith("| [fluid_test.cpp: Density.loneParticleHasItsOwnMass](../tests/fluid_test.cpp) |")
    assert row(copy, "K-08").endswith("| – |")
    assert "1 of 80 shown by a test." in (copy / "docs" / "coverage.md").read_text(encoding="utf-8")


def test_coverageReadsRangesBodiesAndPython(copy):
    write(copy, "tests/a_test.cpp", "// K-02..K-04\nTEST(A, above) { EXPECT_TRUE(true); }\n\nTEST(A, inside) {\n    int x = 0;  // K-10\n}\n")
    write(copy, "tests/test_b.py", "import math\n\n\n# L-05 L-06\ndef test_projection():\n    assert True\n")
    assert coverage(copy).returncode == 0
    assert all("A.above" in row(copy, feature) for feature in ("K-02", "K-03", "K-04"))
    assert "A.inside" in row(copy, "K-10")
    assert "test_projection" in row(copy, "L-05") and "test_projection" in row(copy, "L-06")


def test_coverageCountsNeitherProseNorStringsNorDisabledTests(copy):
    text = '// Scenes of K-62.\n#include <cmath>\nTEST(A, b) { f("// K-63"); }\n\n// K-64\nTEST(A, DISABLED_c) { g(); }\n'
    write(copy, "tests/a_test.cpp", text)
    assert coverage(copy).returncode == 0
    assert all(row(copy, feature).endswith("| – |") for feature in ("K-62", "K-63", "K-64"))


def test_coverageCheckNoticesAStalePage(copy):
    assert coverage(copy, "--check").returncode == 0
    write(copy, "tests/more_test.cpp", "// K-08\nTEST(Pressure, isZeroAtRest) {\n}\n")
    stale = coverage(copy, "--check")
    assert stale.returncode == 1 and "stale" in stale.stderr
    assert row(copy, "K-08").endswith("| – |"), "--check must not write"
    assert coverage(copy).returncode == 0
    assert coverage(copy, "--check").returncode == 0


def test_coverageNamesFileAndLineOfAnUnknownId(copy):
    write(copy, "tests/typo_test.cpp", "#include <cmath>\n\n// K-81\nTEST(A, b) {\n}\n")
    unknown = coverage(copy, "--check")
    assert unknown.returncode == 1
    assert "tests/typo_test.cpp:3: K-81" in unknown.stderr


def count(*arguments):
    command = [sys.executable, str(ROOT / "scripts" / "count"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


CTEST = """<testsuite tests="4">
<testcase name="a" classname="a" status="run"/>
<testcase name="b" classname="b" status="{status}">{inside}</testcase>
<testcase name="off" classname="off" status="disabled"/>
<testcase name="c" classname="c" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>
</testsuite>"""
PYTEST = """<testsuites><testsuite tests="2"><testcase classname="t" name="d"/>
<testcase classname="t" name="e"><skipped type="pytest.skip"/></testcase></testsuite></testsuites>"""


def test_countSumsTheFilesAndEndsWithAPlainLine(tmp_path):
    write(tmp_path, "ctest.xml", CTEST.format(status="run", inside=""))
    write(tmp_path, "pytest.xml", PYTEST)
    result = count(tmp_path / "ctest.xml", tmp_path / "pytest.xml", "--")
    assert result.returncode == 0
    assert result.stdout.splitlines()[-1] == "3 passed, 0 failed"


@pytest.mark.parametrize(
    "status, inside",
    [("fail", '<failure message=""/>'), ("notrun", '<skipped message="Unable to find executable"/>')],
)
def test_countFailsWithAFailedOrLostTest(tmp_path, status, inside):
    write(tmp_path, "ctest.xml", CTEST.format(status=status, inside=inside))
    write(tmp_path, "pytest.xml", PYTEST)
    result = count(tmp_path / "ctest.xml", tmp_path / "pytest.xml", "--", "ctest")
    assert result.returncode == 1
    assert result.stdout.splitlines()[-1] == "2 passed, 1 failed"


def test_countFailsWhenAStepFailedOrLeftNoFile(tmp_path):
    write(tmp_path, "pytest.xml", PYTEST)
    result = count(tmp_path / "ctest.xml", tmp_path / "pytest.xml", "--", "format", "ctest")
    assert result.returncode == 1
    assert result.stdout.splitlines()[-1] == "1 passed, 2 failed"


@pytest.mark.parametrize("flags, option", [("fpu avx2 bmi1 bmi2 fma", ""), ("fpu sse4_2 avx", "-DPURL_ARCH=x86-64")])
def test_anOldCpuGetsPlainCode(tmp_path, flags, option):
    if subprocess.run(["uname", "-m"], capture_output=True, text=True).stdout.strip() != "x86_64":
        pytest.skip("only where x86-64-v3 is the default")
    write(tmp_path, "cpuinfo", f"flags\t\t: {flags}\n")
    script = f"source '{ROOT}/scripts/lib.sh'; archOption '{tmp_path}/cpuinfo'"
    result = subprocess.run(["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True)
    assert result.returncode == 0
    assert result.stdout.strip() == option
    assert bool(result.stderr) == bool(option)


def recipeComplaints(root, page):
    """One line for every path or name in backquotes of a page that is not in the project."""
    words = re.findall(r"`([^`\n]+)`", page)
    paths = [word for word in words if re.fullmatch(r"[\w.]+(/[\w.]*)+", word) and not word.startswith("build/")]
    complaints = [f"{path} does not exist" for path in paths if not (root / path).exists()]
    names = {match.group(1) for word in words if (match := re.fullmatch(r"(?:\w+::)?(\w*[a-z][A-Z]\w*)(?:\(\))?", word))}
    sources = [file for folder in ("solver", "nodes", "plugin", "host", "tests", "mel") for file in (root / folder).rglob("*")]
    text = "\n".join(file.read_text(encoding="utf-8") for file in sources if file.suffix in (".h", ".cpp", ".py", ".mel"))
    return complaints + [f"{name} is not in the sources" for name in sorted(names) if not re.search(rf"\b{name}\b", text)]


def test_recipesNameOnlyWhatExists():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipes = page.split("## How to add", 1)[1].split("\n## ", 1)[0]
    assert recipeComplaints(ROOT, recipes) == []


def test_aRecipeThatNamesWhatIsGoneIsNoticed(tmp_path):
    write(tmp_path, "solver/step.cpp", "void applyBonds() {}\n")
    assert recipeComplaints(tmp_path, "Call it in `applyBonds()` of `solver/step.cpp`.") == []
    assert recipeComplaints(tmp_path, "Add `walkFields()` to `solver/state.cpp`.") == [
        "solver/state.cpp does not exist", "walkFields is not in the sources"]
