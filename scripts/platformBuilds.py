"""The programs that are released: how each is built and run. Used by scripts/platforms and scripts/package."""
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOOLCHAINS = ROOT / "cmake" / "toolchains"
VERSION = re.search(r"project\(Purl VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


@dataclass
class Platform:
    name: str
    options: list
    compiler: str
    package: str  # of Debian, which has the compiler
    objdump: str
    runner: list = field(default_factory=list)  # words before the program; empty: runs here
    emulator: str = ""  # what the runner needs, as a Debian package
    program: str = "purl"

    @property
    def folder(self):
        return ROOT / "build" / self.name

    @property
    def executable(self):
        return self.folder / "app" / self.program

    def missing(self):
        """What has to be installed before it can be built and run; empty if nothing."""
        absent = [] if shutil.which(self.compiler) else [self.package]
        if self.emulator and not self.runs():
            absent.append(self.emulator)
        return " and ".join(absent)

    def runs(self):
        return not self.runner or bool(shutil.which(self.runner[0]))

    def environment(self):
        """Of its programs: wine keeps its files in the build folder and says nothing of its own."""
        if self.name != "windows":
            return dict(os.environ)
        return {**os.environ, "WINEPREFIX": str(ROOT / "build" / "wine"), "WINEDEBUG": "-all",
                "WINEDLLOVERRIDES": "mscoree,mshtml=;winemenubuilder.exe=d"}

    def run(self, *words, **options):
        return subprocess.run([*self.runner, str(self.executable), *map(str, words)], text=True, capture_output=True,
                              encoding="utf-8", env=self.environment(), **options)

    def build(self, jobs, who):
        """The program, built if need be. Ends this program with the end of the log if that fails."""
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DPURL_STATIC=ON", "-DPURL_RENDER=OFF", "-DPURL_PYTHON=OFF", "-DPURL_TESTS=OFF"]
        if shutil.which("ccache"):
            options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        for command in (["cmake", "-G", "Ninja", "-S", ROOT, "-B", self.folder, *self.options, *options],
                        ["cmake", "--build", self.folder, "-j", str(jobs), "--target", "purl"]):
            done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode:
                sys.exit(f"{who}: the build for {self.name} failed:\n{done.stdout[-4000:]}")
        return self.executable


def wine():
    """wine's 64-bit loader; Debian's package does not put it on the path."""
    for name in ("wine64", "wine", "/usr/lib/wine/wine64"):
        if shutil.which(name):
            return name
    return "wine64"


PLATFORMS = {
    platform.name: platform
    for platform in (
        Platform("linux", [], "g++", "g++", "objdump"),
        Platform("windows", [f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAINS / 'mingw-w64.cmake'}"], "x86_64-w64-mingw32-g++-posix",
                 "g++-mingw-w64-x86-64-posix", "x86_64-w64-mingw32-objdump", [wine()], "wine64", "purl.exe"),
        Platform("aarch64", [f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAINS / 'aarch64-linux.cmake'}"], "aarch64-linux-gnu-g++",
                 "g++-aarch64-linux-gnu", "aarch64-linux-gnu-objdump", ["qemu-aarch64"], "qemu-user"),
    )
}


def namedPlatforms(words, who):
    """The platforms of a comma-separated list."""
    names = words.split(",")
    unknown = [name for name in names if name not in PLATFORMS]
    if unknown:
        sys.exit(f"{who}: {', '.join(unknown)} is none of {', '.join(PLATFORMS)}")
    return [PLATFORMS[name] for name in names]


def alignedStackMoves(disassembly):
    """Moves of 256 bits or more to or from the stack that need it aligned to 32 bytes, which Windows does not do (GCC bug
    54412). Wine's stack happens to be aligned, so that no test run finds them."""
    aligned = re.compile(r"\bvmov(?:ap[sd]|dqa(?:32|64)?|ntdq|ntp[sd])\b.*%[yz]mm\d+.*")
    stack = re.compile(r"\(%r[sb]p\b")
    return [line.strip() for line in disassembly if aligned.search(line) and stack.search(line)]


# What the oldest farms have: the libraries of Rocky Linux 8.
OLDEST = {"GLIBC": (2, 28), "GLIBCXX": (3, 4, 25), "CXXABI": (1, 3, 11)}


def libraryVersions(dynamicSymbols):
    """The newest version of each library that a program asks for, from the output of objdump -T: {"GLIBC": (2, 28)}."""
    newest = {}
    for library, version in re.findall(r"\b(GLIBC|GLIBCXX|CXXABI)_([0-9][0-9.]*)", dynamicSymbols):
        newest[library] = max(newest.get(library, ()), tuple(map(int, version.split("."))))
    return newest


def tooNew(symbols):
    """The versions of libraries in the output of objdump -T that the oldest farms do not have: ["GLIBC 2.34"]."""
    return [f"{library} {'.'.join(map(str, version))}" for library, version in libraryVersions(symbols).items() if version > OLDEST[library]]


def dynamicSymbols(program, objdump="objdump"):
    """The output of objdump -T; that of a static program has no versions."""
    return subprocess.run([objdump, "-T", program], text=True, capture_output=True).stdout
