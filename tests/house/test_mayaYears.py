"""Purl's nodes and commands with the APIs of other Maya versions: they compile, and use only what that version has.

Maya's own headers are not here. The host's stand in for them: MAYA_API_VERSION says which year's interface they show,
and tests/house/mayaApi.txt says since when each class and member has been in Maya's."""
import concurrent.futures
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from house.strippedHeaders import needsComplete, stripped, writeStripped

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("mayaApi.txt")
BUILT = 2024  # the host's default version, which the build itself compiles
YEARS = {2016: 201600, 2022: 20220000}
ALL_YEARS = {**YEARS, BUILT: 20240000, 2026: 20260000}
SPACE = "Autodesk::Maya::OpenMayaHost::"


def apiTable(text):
    """{class: (since, {member: since})} of lines like `MPlug 2016 asInt source:2017`; # begins a comment."""
    table = {}
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        members = dict(word.split(":") if ":" in word else (word, words[1]) for word in words[2:])
        known = table.setdefault(words[0], (int(words[1]), {}))
        known[1].update({name: int(since) for name, since in members.items()})
    return table


def unknown(table, used, year):
    """One line for every name in `used` that, according to the table, Maya of that year does not have."""
    complaints = []
    for name in sorted(used):
        owner, _, member = name.partition("::")
        since, members = table.get(owner, (None, {}))
        if member and since is not None:
            since = members.get(member)
        if since is None:
            complaints.append(f"{name}: not in mayaApi.txt; say since when Maya has it")
        elif since > year:
            complaints.append(f"{name}: since Maya {since}, used for {year}")
    return complaints


def membersOf(symbols):
    """Class::member of every API symbol in the output of `nm -C`; constructors and operators count as their class."""
    used = set()
    for line in symbols.splitlines():
        for found in re.finditer(re.escape(SPACE) + r"(?:MHWRender::)?(M\w+)(?:::(~?\w+))?", line):
            owner, member = found.groups()
            plain = not member or member == owner or member.startswith(("~", "operator"))
            # Nested types (MPxNode::Type) are not called members.
            used.add(owner if plain or member[0].isupper() else f"{owner}::{member}")
    return used


def namesIn(source, classes):
    """The API classes and members that a source mentions: MFnData, MSyntax::kString."""
    source = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"', "", source, flags=re.S)
    names = set()
    for owner, member in re.findall(r"\b(M[A-Z]\w*)(?:::(\w+))?", source):
        if owner in classes:
            nested = not member or member == owner or (member[0].isupper() and member != "MTick")
            names.add(owner if nested else f"{owner}::{member}")
    return names


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """{year: complaints of the compiler, and names of the API used}, all of a folder as one source: it takes a tenth of
    the time, and what a file forgets to include is noticed where it is built alone."""
    compiler, nm = shutil.which("c++"), shutil.which("nm")
    if not compiler or not nm:
        pytest.skip("no compiler here")
    folder = tmp_path_factory.mktemp("years")

    def build(job):
        year, room = job
        sources = sorted((ROOT / room).glob("*.cpp")) + sorted((ROOT / room / "viewport").glob("*.cpp"))
        unity = folder / f"{room}{year}.cpp"
        unity.write_text("".join(f'#include "{source}"\n' for source in sources), encoding="utf-8")
        # -O0 keeps every inline API function that is used visible in the object file.
        done = subprocess.run(
            [compiler, "-std=c++17", "-O0", "-Wall", "-Wextra", "-Wconversion", "-Wno-sign-conversion", "-Werror",
             f"-DMAYA_API_VERSION={YEARS[year]}", '-DPURL_VERSION="0"', f"-I{ROOT}", f"-I{ROOT}/host/include",
             "-c", str(unity), "-o", str(unity.with_suffix(".o"))], capture_output=True, text=True)
        if done.returncode != 0:
            return year, done.stderr, ""
        symbols = subprocess.run([nm, "-C", str(unity.with_suffix(".o"))], capture_output=True, text=True, check=True)
        return year, "", symbols.stdout

    results = {year: ["", set()] for year in YEARS}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for year, errors, symbols in pool.map(build, [(y, r) for y in YEARS for r in ("nodes", "plugin")]):
            results[year][0] += errors
            results[year][1] |= membersOf(symbols)
    return results


# What sources of nodes/ and plugin/ include besides the API: parsed once, since only the API's includes are under test.
SHARED_INCLUDES = """#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <sstream>
#include <vector>
#include "render/frameView.h"
#include "render/overlay.h"
#include "solver/cache/cache.h"
#include "solver/cache/stateFile.h"
#include "solver/reference/registry.h"
#include "solver/simulator.h"
#include "solver/surface/surface.h"
"""


@pytest.mark.parametrize("year", [year if year == BUILT else pytest.param(year, marks=pytest.mark.nightly) for year in ALL_YEARS])
def test_everySourceIncludesTheApiItUses(tmp_path, year):
    """Each file by itself, against headers that include as little as possible."""
    compiler = shutil.which("c++")
    if not compiler:
        pytest.skip("no compiler here")
    writeStripped(ROOT / "host" / "include" / "maya", tmp_path / "include")
    shared = tmp_path / "shared.h"
    shared.write_text(SHARED_INCLUDES, encoding="utf-8")
    options = [compiler, "-std=c++17", "-O0", f"-I{ROOT}"]
    subprocess.run([*options, "-x", "c++-header", str(shared), "-o", f"{shared}.gch"], check=True)
    own = [str(file) for folder in ("nodes", "plugin", "plugin/viewport") for file in sorted((ROOT / folder).glob("*.cpp"))]
    done = subprocess.run(
        [*options, "-fsyntax-only", "-fmax-errors=3", f"-DMAYA_API_VERSION={ALL_YEARS[year]}", '-DPURL_VERSION="0"',
         "-include", str(shared), f"-I{tmp_path}/include", f"-I{ROOT}/host/include", *own], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_includesThatAClassOnlyMentionsAreStripped():
    text = '#pragma once\n#include <maya/MString.h>\n#include <maya/MObject.h>\nclass MA { MString name() const; MObject node_; };\n'
    kept = stripped(text, "MA", ["MA", "MString", "MObject"])
    assert "MString.h" not in kept and "MObject.h" in kept
    assert needsComplete("MString", "void set(const MString& text = MString());")
    assert not needsComplete("MString", "MString name(const MString& of) const;")


def sources():
    return [file for room in ("nodes", "plugin") for file in sorted((ROOT / room).rglob("*")) if file.suffix in (".h", ".cpp")]


@pytest.mark.parametrize("year", YEARS)
def test_nodesAndPluginCompileAsOfEveryYear(compiled, year):
    assert compiled[year][0] == ""


@pytest.mark.parametrize("year", YEARS)
def test_onlyWhatMayaHadThatYearIsUsed(compiled, year):
    assert len(compiled[year][1]) > 100, "the symbols are not understood any more"
    assert unknown(apiTable(TABLE.read_text(encoding="utf-8")), compiled[year][1], year) == []


def test_everyNameInTheSourcesIsKnown():
    """Includes names that no object file shows: constants, and code that is built only with Maya's Qt."""
    texts = [file.read_text(encoding="utf-8") for file in sources()]
    table = apiTable(TABLE.read_text(encoding="utf-8"))
    classes = set(table).union(*(re.findall(r"#\s*include <maya/(\w+)\.h>", text) for text in texts))
    used = set().union(*(namesIn(text, classes) for text in texts))
    assert unknown(table, used, BUILT) == []


@pytest.mark.parametrize("room", ["panel", "plugin/maya"])
def test_thePanelCompilesWithQt5Too(tmp_path, room):
    """Maya 2022 to 2024 use Qt 5.15, later versions and our own window Qt 6, with the same source."""
    compiler, config = shutil.which("c++"), shutil.which("pkg-config")
    found = config and subprocess.run([config, "--cflags", "Qt5Widgets >= 5.15"], capture_output=True, text=True)
    if not compiler or not found or found.returncode != 0:
        pytest.skip("no Qt 5.15 here; apt install qtbase5-dev")
    unity = tmp_path / "panel.cpp"
    unity.write_text("".join(f'#include "{source}"\n' for source in sorted((ROOT / room).glob("*.cpp"))), encoding="utf-8")
    qt = [word.replace("-I", "-isystem", 1) for word in found.stdout.split()]
    done = subprocess.run(
        [compiler, "-std=c++17", "-fsyntax-only", "-fPIC", "-Wall", "-Wextra", "-Wconversion", "-Wno-sign-conversion", "-Werror",
         *qt, f"-I{ROOT}", f"-I{ROOT}/host/include", str(unity)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_yearsAreTestedInOneHeaderOnly():
    """Everything that depends on the Maya version is in nodes/mayaYear.h."""
    found = [str(file.relative_to(ROOT)) for file in sources() if "MAYA_API_VERSION" in file.read_text(encoding="utf-8")]
    assert found == ["nodes/mayaYear.h"]


def test_thePluginReadsSimulationsThroughCopies():
    """In Maya a simulator may be stepped in the background at any time: only SolverNode::result() and state() are safe."""
    found = [str(file.relative_to(ROOT)) for file in sources() if file.parts[-2] != "nodes" or file.name == "scenePlayer.cpp"
             if re.search(r"\bsimulator\(\)|[.>]scene\(\)", file.read_text(encoding="utf-8"))]
    assert found == []


def test_aNameOfALaterYearIsNoticed():
    table = apiTable("MPlug 2016 asInt source:2017\nMTimeRange 2020 bounds:2022\n")
    assert unknown(table, {"MPlug::asInt", "MPlug"}, 2016) == []
    assert unknown(table, {"MPlug::source"}, 2016) == ["MPlug::source: since Maya 2017, used for 2016"]
    assert unknown(table, {"MTimeRange"}, 2016) == ["MTimeRange: since Maya 2020, used for 2016"]
    assert unknown(table, {"MPlug::fly"}, 2024) == ["MPlug::fly: not in mayaApi.txt; say since when Maya has it"]
    symbols = f"   U {SPACE}MPlug::asInt({SPACE}MStatus*) const\n   W {SPACE}MTime::MTime()\n"
    assert membersOf(symbols) == {"MPlug::asInt", "MStatus", "MTime"}
