"""What the build promises: every kernel of a CUDA build has GPU code, and scripts/buildTimes adds up what ninja recorded."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def kernelsWithoutGpu(symbols):
    """Objects of `nm --print-file-name --demangle` output that launch kernels which g++ compiled, not nvcc."""
    return sorted(set(re.findall(r"^[^:]*:([^:]*):.*withoutGpu::forEach<", symbols, flags=re.M)))


def test_kernelsThatGccCompiledAreFound():
    symbols = ("lib.a:cloth.cpp.o:0 W void purl::withoutGpu::forEach<purl::Kick>(purl::Device const&)\n"
               "lib.a:wet.cpp.o:0 W void purl::withGpu::forEach<purl::Soak>(purl::Device const&)\n")
    assert kernelsWithoutGpu(symbols) == ["cloth.cpp.o"]


def test_everyKernelOfACudaBuildHasGpuCode(buildFolder):
    if "PURL_CUDA:BOOL=ON" not in (buildFolder / "CMakeCache.txt").read_text():
        pytest.skip("built without CUDA")
    symbols = subprocess.run(["nm", "--print-file-name", "--demangle", buildFolder / "solver/libpurl_solver.a"],
                             capture_output=True, text=True, check=True).stdout
    assert "withGpu::forEach<" in symbols
    assert not kernelsWithoutGpu(symbols), "compiled by g++; see the pattern in solver/CMakeLists.txt"


def test_buildTimesAddUpPerTarget(tmp_path):
    (tmp_path / ".ninja_log").write_text("# ninja log v5\n"
                                         "0\t2000\t0\tsolver/CMakeFiles/purl_solver.dir/step.cpp.o\ta\n"
                                         "500\t1500\t0\tsolver/CMakeFiles/purl_solver.dir/cloth/cloth.cpp.o\tb\n"
                                         "2000\t2500\t0\thost/CMakeFiles/purl_host.dir/Unity/unity_graph_cxx.cxx.o\tc\n")
    printed = subprocess.run([sys.executable, ROOT / "scripts/buildTimes", tmp_path], capture_output=True, text=True, check=True).stdout
    rows = [line.split()[:3] for line in printed.splitlines()]
    assert ["purl_solver", "2", "3.0"] in rows
    assert ["purl_host", "1", "0.5"] in rows


def test_buildTimesWithoutABuildSaysWhatIsMissing(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "scripts/buildTimes", tmp_path], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.strip() == f"buildTimes: {tmp_path}/.ninja_log does not exist; build with scripts/demo or scripts/test first"
