"""Rules for the repository: which folder may include which, and that the checking scripts detect mistakes."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# The table of docs/architecture.md. The rule for a file is the longest key that its path begins with; the values are prefixes of
# the paths it may include, besides its own. A file without a rule is an error, so every new folder needs one.
SOLVER_PUBLIC = ["solver/core/", "solver/geometry/", "solver/scene.", "solver/sceneText.", "solver/state.", "solver/simulator.", "solver/frame.", "solver/surface/", "solver/cache/", "solver/reference/registry."]
MATERIAL = ["solver/core/", "solver/geometry/", "solver/search/", "solver/fractional/", "solver/scene.", "solver/state.", "solver/particles."]
MAY_INCLUDE = {
    "solver/core/": [],
    "solver/geometry/": ["solver/core/"],
    "solver/particles.": ["solver/core/"],
    "solver/params/": ["solver/core/", "solver/geometry/", "solver/reference/params."],
    "solver/reference/params.": ["solver/core/"],
    "solver/reference/registry.": ["solver/core/"],
    "solver/reference/": ["solver/"],
    "solver/scene.": ["solver/core/", "solver/params/", "solver/sceneText."],
    "solver/sceneText.": ["solver/scene."],
    "solver/outline.": ["solver/core/", "solver/scene."],
    "solver/state.": ["solver/core/", "solver/particles.", "solver/scene."],
    "solver/stateCheck.": ["solver/core/", "solver/particles.", "solver/scene.", "solver/state."],
    "solver/frame.": ["solver/core/", "solver/geometry/"],
    "solver/search/": ["solver/core/"],
    "solver/fractional/": ["solver/core/", "solver/particles."],
    "solver/colliders/": MATERIAL,
    "solver/boundary/": MATERIAL + ["solver/colliders/"],
    "solver/fluid/": MATERIAL + ["solver/colliders/", "solver/boundary/", "solver/reference/"],
    "solver/fluid/pressure/": MATERIAL + ["solver/colliders/", "solver/boundary/", "solver/coupling/", "solver/fluid/", "solver/reference/"],
    "solver/cloth/": MATERIAL + ["solver/colliders/", "solver/params/", "solver/reference/"],
    "solver/knit/": MATERIAL + ["solver/colliders/", "solver/params/"],
    "solver/soft/": MATERIAL + ["solver/colliders/", "solver/params/", "solver/fluid/fill."],
    "solver/wet/": MATERIAL + ["solver/colliders/", "solver/boundary/", "solver/fluid/", "solver/params/", "solver/reference/"],
    "solver/coupling/": ["solver/"],
    "solver/surface/": ["solver/core/", "solver/geometry/", "solver/search/", "solver/frame.", "solver/reference/"],
    "solver/cache/": ["solver/core/", "solver/search/", "solver/frame.", "solver/scene.", "solver/state.", "solver/stateCheck.",
                      "solver/particles."],
    "solver/stateFit.": ["solver/"],
    "solver/guard.": ["solver/"],
    "solver/initialCounts.": ["solver/"],
    "solver/stepLength.": ["solver/"],
    "solver/warnings.": ["solver/"],
    "solver/step.": ["solver/"],
    "solver/workspace.": ["solver/"],
    "solver/simulator.": ["solver/"],
    "solver/makeFrame.": ["solver/"],
    "render/": ["solver/core/", "solver/geometry/", "solver/frame."],
    "host/": ["solver/core/math.", "solver/core/path."],
    "nodes/": SOLVER_PUBLIC,
    "panel/": ["solver/core/displayName."],
    "plugin/": ["nodes/", "panel/", "render/"] + SOLVER_PUBLIC,
    "farm/": ["host/", "nodes/"] + SOLVER_PUBLIC,
    "app/": ["farm/", "host/", "nodes/", "plugin/viewport/display.", "render/"] + SOLVER_PUBLIC,
    "app/view/": ["app/", "farm/", "host/", "nodes/", "panel/", "plugin/panelNodes.", "plugin/panelSamples.", "plugin/viewport/display.", "render/"] + SOLVER_PUBLIC,
    "python/": ["farm/", "host/", "nodes/"] + SOLVER_PUBLIC,
}

# Libraries that only some folders may include, by the prefix of their headers.
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
    """One line for every include that violates a rule, does not start at the root, or has no rule."""
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


# Headers of one operating system, and the files that may include them. threadPool.cpp, guardedPages.cpp and host.cpp do so
# under an #if and do without elsewhere; the rest of render/ is left out of builds for Windows.
OPERATING_SYSTEM = re.compile(r"(sys|arpa|netinet)/|(unistd|fcntl|dlfcn|signal|pthread|sched|spawn|poll|dirent|pwd|termios|windows|io|psapi|shellapi|winioctl|direct|process)\.h$")
MAY_CALL_THE_SYSTEM = ("solver/core/machine.cpp", "solver/core/system.cpp", "solver/core/systemWindows.cpp", "solver/core/threadPool.cpp", "solver/core/guardedPages.cpp",
                       "host/host.cpp", "render/partFile.cpp", "render/movie.h", "render/movie.cpp", "render/context.cpp")
# std::filesystem takes text for the code page of Windows, not for UTF-8.
PLAIN_PATH = re.compile(r"\b(fs|filesystem)::path\s*\(|\.(generic_)?string\(\)|std::[io]fstream \w+\((?!to(System)?Path|\"/proc)|std::fopen\(")


def systemComplaints(root):
    """One line for every header of an operating system outside its place, and for every path that does not go through
    solver/core/path.h."""
    complaints = []
    for folder in ("solver", "render", "host", "nodes", "plugin", "farm", "panel", "app"):
        for file in sorted((root / folder).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix not in (".h", ".cpp") or path == "solver/core/path.h":
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if match and match[2] and OPERATING_SYSTEM.match(match[2]) and path not in MAY_CALL_THE_SYSTEM:
                    complaints.append(f"{path}:{number}: <{match[2]}> belongs to solver/core/system.cpp")
                if folder != "render" and path not in MAY_CALL_THE_SYSTEM and PLAIN_PATH.search(re.sub(r"//.*", "", line)):
                    complaints.append(f"{path}:{number}: paths go through toPath() and toText() of solver/core/path.h")
    return complaints


def test_onlyThePlatformFilesKnowTheOperatingSystem():
    assert systemComplaints(ROOT) == []


@pytest.mark.parametrize("line", ["#include <unistd.h>", "#include <sys/stat.h>", "#include <windows.h>", "auto p = fs::path(text);",
                                  "auto t = folder.string();", "std::ifstream file(path);", 'auto f = std::fopen(name, "r");'])
def test_aCallOfTheOperatingSystemElsewhereIsNoticed(tmp_path, line):
    fine = '#include <signal.hpp>\n// fs::path(x)\nauto p = toPath(text); std::ifstream file(toPath(path)); stream.str();\n'
    write(tmp_path, "solver/core/system.cpp", "#include <unistd.h>\n#include <windows.h>\n")
    write(tmp_path, "farm/a.cpp", fine)
    assert systemComplaints(tmp_path) == []
    write(tmp_path, "farm/a.cpp", fine + line + "\n")
    found = systemComplaints(tmp_path)
    assert len(found) == 1 and found[0].startswith("farm/a.cpp:4: ")


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


# The functions of the C library that round as it pleases; sqrt, floor, fabs, fma and fmod are exact in IEEE arithmetic.
ROUNDING = "exp exp2 expm1 log log2 log10 log1p pow cbrt hypot sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc tgamma lgamma"
LIBRARY_CALL = re.compile(rf"((?<!\w)(?:std)?::|(?<![\w.>:]))({'|'.join(ROUNDING.split())})[fl]?\s*\(")
COMPLEX_CALL = re.compile(r"\bstd::(polar|arg)\s*\(|\bstd::abs\s*\(\s*std::complex")
OWN_MATH = '#include "solver/core/math.h"'


def libraryMath(root):
    """One line for every call in solver/ or host/ of an elementary function that is not Purl's own (solver/core/math.h)."""
    complaints = []
    for file in sorted([*(root / "solver").rglob("*"), *(root / "host").rglob("*")]):
        path = file.relative_to(root).as_posix()
        if file.suffix not in (".h", ".cpp") or path == "solver/core/math.h":
            continue
        text = file.read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            line = re.sub(r'//.*|"(?:[^"\\]|\\.)*"', "", line)
            for match in [*LIBRARY_CALL.finditer(line), *COMPLEX_CALL.finditer(line)]:
                if "::" in match[0] or OWN_MATH not in text:
                    complaints.append(f"{path}:{number}: {match[0]}…): call the function of solver/core/math.h")
    return complaints


def test_solverAndHostCallNoElementaryFunctionOfTheCLibrary():
    assert libraryMath(ROOT) == []


@pytest.mark.parametrize("call", ["std::pow(x, 2)", "::sinf(x)", "exp(x)", "std::hypot(x, y)", "std::polar(1.0, x)"])
def test_anElementaryFunctionOfTheCLibraryIsNoticed(tmp_path, call):
    fine = "// exp(x)\nfloat f(float x) { return std::sqrt(x) + own.exp(x) + power(x); }\n"
    write(tmp_path, "solver/fluid/a.h", OWN_MATH + "\n" + fine + "float g(float x) { return pow(x, 2); }\n")
    write(tmp_path, "solver/fluid/b.h", fine)
    assert libraryMath(tmp_path) == []
    write(tmp_path, "solver/fluid/b.h", fine + f"double g(double x) {{ return {call}; }}\n")
    found = libraryMath(tmp_path)
    assert len(found) == 1 and found[0].startswith("solver/fluid/b.h:3: ")


COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
# The head of a scope, up to its brace: a namespace, or the definition of a type.
NAMESPACE = re.compile(r"(?:inline\s+)?namespace\s+([\w:]*)\s*$")
TYPE = re.compile(r"\b(?:struct|class|enum(?:\s+class)?)\s+(?:alignas\s*\([^)]*\)\s*)?(\w+)\s*(?:final\s*)?(?::[^:].*)?$", re.DOTALL)


def typesOf(text):
    """Names of the types that a header defines at namespace scope, qualified."""
    text = COMMENT_OR_STRING.sub(" ", text)
    names, scopes, head = [], [], ""
    for character in text:
        if character == "{":
            space, kind = NAMESPACE.search(head), TYPE.search(head)
            if kind and not space and None not in scopes:
                names.append("::".join([*scopes, kind[1]]))
            scopes.append(space[1] if space else None)
            head = ""
        elif character == "}":
            scopes.pop()
            head = ""
        elif character == ";":
            head = ""
        else:
            head += character
    return names


def clashes(root):
    """One line for every type that two headers of solver/ define under the same name: including both would not compile."""
    places = {}
    for file in sorted((root / "solver").rglob("*.h")):
        text = re.sub(r"^\s*#.*$", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for name in set(typesOf(text)):  # a header may define it twice, for either side of an #if
            places.setdefault(name, []).append(file.relative_to(root).as_posix())
    return [f"{name}: {', '.join(files)}" for name, files in sorted(places.items()) if len(files) > 1]


def test_noTwoHeadersOfTheSolverDefineTheSameType():
    assert clashes(ROOT) == []


def test_aTypeDefinedTwiceIsNoticed(tmp_path):
    write(tmp_path, "solver/a.h", "namespace purl {\nclass Later;\nstruct Box : Base<int> {\n    struct Inner {};\n};\n}\n")
    write(tmp_path, "solver/b/b.h", "namespace purl {\n// struct Box {\nclass Later {};\nstruct Inner {};\nnamespace triangle { enum Box { a }; }\n}\n")
    assert typesOf((tmp_path / "solver/a.h").read_text()) == ["purl::Box"]
    assert typesOf((tmp_path / "solver/b/b.h").read_text()) == ["purl::Later", "purl::Inner", "purl::triangle::Box"]
    assert clashes(tmp_path) == []
    write(tmp_path, "solver/c.h", "namespace purl {\ntemplate <class T>\nstruct alignas(16) Box {};\nenum class Inner : char { a };\n}\n")
    assert clashes(tmp_path) == ["purl::Box: solver/a.h, solver/c.h", "purl::Inner: solver/b/b.h, solver/c.h"]


@pytest.fixture
def copy(tmp_path):
    """A small repository with the real script and tables, one test and an up-to-date page."""
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
