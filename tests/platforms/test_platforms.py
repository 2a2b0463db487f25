"""The same bits on every platform. Builds for other platforms take minutes, so most of this is nightly."""
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tinyScene import tinyScene

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from platformBuilds import PLATFORMS, alignedStackMoves, dynamicSymbols, libraryVersions, tooNew  # noqa: E402


def test_alignedMovesOfTheStackAreFound():
    fine = ["vmovups %ymm0,0x40(%rsp)", "vmovaps %xmm6,0x20(%rsp)", "vmovaps (%rcx),%ymm1", "vmovapd %ymm1,%ymm2", "mov %rax,(%rsp)"]
    bad = ["vmovaps %ymm0,0x40(%rsp)", "vmovdqa -0x60(%rbp),%ymm3", "vmovdqa64 %zmm1,0x80(%rsp,%rax,1)"]
    assert alignedStackMoves(fine) == []
    assert alignedStackMoves(fine + bad) == bad


def test_theNewestVersionOfEachLibraryIsFound():
    symbols = ("0000 DF *UND* 0000 (GLIBC_2.2.5) free\n0000 DF *UND* 0000 (GLIBC_2.34) pthread_create\n"
               "0000 DF *UND* 0000 (GLIBC_2.9) x\n0000 DO *UND* 0000 (GLIBCXX_3.4.21) _ZSt4cout\n")
    assert libraryVersions(symbols) == {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 21)}
    assert libraryVersions("no symbols") == {}
    assert tooNew(symbols) == ["GLIBC 2.34"]
    assert tooNew("(GLIBC_2.28) (GLIBCXX_3.4.25) (CXXABI_1.3.11)") == []
    assert tooNew("(GLIBC_2.4) (GLIBCXX_3.4.26) (CXXABI_1.3.13)") == ["GLIBCXX 3.4.26", "CXXABI 1.3.13"]


def test_anUnknownPlatformIsRefused():
    done = subprocess.run([sys.executable, ROOT / "scripts/platforms", "--platforms", "irix"], text=True, capture_output=True)
    assert done.returncode == 1 and done.stderr == "platforms: irix is none of linux, windows, aarch64\n"


@pytest.mark.parametrize("words, complaint", [
    (["--scenes", "drape,noSuch"], "platforms: noSuch: no such scene in scenes/"),
    (["--platforms", "linux"],
     "platforms: fewer than two platforms are left, so that there is nothing to compare; name or install another"),
])
def test_aComparisonOfNothingIsRefusedBeforeAnythingIsBuilt(words, complaint):
    done = subprocess.run([sys.executable, ROOT / "scripts/platforms", *words], text=True, capture_output=True, timeout=20)
    assert done.returncode == 1 and done.stderr == complaint + "\n"


def built(name):
    """A platform with its program; skips the test where it cannot be built or run."""
    platform = PLATFORMS[name]
    if platform.missing():
        pytest.skip(f"{platform.missing()} is missing")
    platform.build(os.cpu_count(), "test_platforms")
    return platform


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["windows", "aarch64"])
def test_cachesAreTheSameOn(name):
    built(name)
    done = subprocess.run([sys.executable, ROOT / "scripts/platforms", "--platforms", f"linux,{name}", "--scenes",
                           "drape,jetOnKnit,softPool,floatingBodies", "--frames", "2"], text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["linux", "aarch64"])
def test_releasedProgramsForLinuxNeedNoLibrary(name):
    platform = built(name)
    assert libraryVersions(dynamicSymbols(platform.executable, platform.objdump)) == {}


@pytest.mark.parametrize("name", ["linux", "aarch64"])
def test_programsThatWereBuiltStartOnTheOldestFarms(name):
    platform = PLATFORMS[name]
    if not platform.executable.is_file() or not shutil.which(platform.objdump):
        pytest.skip(f"{platform.executable} was not built")
    assert tooNew(dynamicSymbols(platform.executable, platform.objdump)) == []


@pytest.fixture
def windows(tmp_path):
    """windows(words): purl.exe under wine, in the test's folder."""
    platform = built("windows")
    return lambda *words: platform.run(*words, cwd=tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("folder, out", [
    ("Wasser für Käthe", "Ausgabe 1/größer"),
    ("水", "キャッシュ"),
    ("plain", "deep/" + "/".join(["folderOfThirtyCharacters_012345"] * 9)),
], ids=["umlauts", "notInAnyCodePage", "longerThan260"])
def test_windowsTakesPathsOfEveryKind(windows, tmp_path, folder, out):
    here = tmp_path / folder
    here.mkdir()
    (here / "große Szene.ma").write_text(tinyScene(frames=2), encoding="utf-8")
    target = here / out
    drive = "Z:" + str(target).replace("/", "\\")
    done = windows("sim", "Z:" + str(here / "große Szene.ma"), "-o", drive, "-q")
    assert done.returncode == 0, done.stderr
    assert (target / "manifest.json").is_file()
    # Replaces every file of the cache, and the manifest by renaming over it.
    # Without a drive, a path begins with /, as options of Windows do.
    again = windows("sim", here / "große Szene.ma", "-o", target, "-q", "--force")
    assert again.returncode == 0, again.stderr
    assert windows("verify", drive).returncode == 0
    assert windows("verify", drive, "--rerun", "2").returncode == 0
    assert [path.name for path in target.rglob("*.part")] == []


@pytest.mark.nightly
def test_aCacheOfWindowsIsContinuedAndReproducedHere(windows, tmp_path, purl, scene, hashes):
    path = scene(tinyScene(frames=4))
    assert windows("sim", path.name, "-o", "cache", "-q", "--frames", "1-2").returncode == 0
    purl("verify", "cache", "--rerun", "2")
    purl("sim", path, "-o", "cache", "--resume")
    purl("sim", path, "-o", "here")
    assert hashes(tmp_path / "cache") == hashes(tmp_path / "here") and len(hashes(tmp_path / "here")) == 4
    assert windows("verify", "cache", "--rerun", "4").returncode == 0


@pytest.mark.nightly
def test_aSecondWriterOnWindowsIsRefused(windows, tmp_path):
    platform = built("windows")
    (tmp_path / "long.ma").write_text(tinyScene(frames=2000), encoding="utf-8")
    first = subprocess.Popen([*platform.runner, platform.executable, "sim", "long.ma", "-o", "cache", "-q"], cwd=tmp_path,
                             env=platform.environment(), stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            if (tmp_path / "cache" / "manifest.json").is_file():
                break
            time.sleep(0.1)
        second = windows("sim", "long.ma", "-o", "cache", "-q", "--force")
        assert second.returncode == 2 and "is being written by process" in second.stderr, second.stderr
    finally:
        first.kill()
        first.wait()


@pytest.mark.nightly
@pytest.mark.parametrize("words, complaint", [
    (["render", "cache"], "purl: render: this purl was built without OpenGL"),
    (["--plugin", "my.dll", "info", "tiny.ma"], "purl: my.dll: this program cannot load plugins"),
    (["sim", "tiny.ma", "-q", "--device", "rehearsal"], "purl: device rehearsal: not available on Windows"),
    (["sim", "gone.ma"], "purl: gone.ma: no such file"),
])
def test_whatIsMissingOnWindowsIsOneLine(windows, scene, words, complaint):
    scene(tinyScene(frames=1))
    done = windows(*words)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith(complaint), done.stderr


@pytest.mark.nightly
def test_theSolverCompilesForMacos(tmp_path):
    """Compiles only: there is nothing to run it on."""
    if not shutil.which("zig") and not shutil.which("python-zig"):
        pytest.skip("pip install ziglang, which compiles for macOS")
    options = [f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / 'toolchains' / 'zig.cmake'}", "-DPURL_ZIG_TARGET=aarch64-macos", "-DPURL_ARCH=",
               "-DPURL_RENDER=OFF", "-DPURL_PYTHON=OFF", "-DPURL_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Release"]
    for command in (["cmake", "-G", "Ninja", "-S", ROOT, "-B", tmp_path, *options],
                    ["cmake", "--build", tmp_path, "-j", str(os.cpu_count()), "--target", "purl_solver"]):
        done = subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout[-4000:]
