"""Hostile files: every reader under libFuzzer with address and undefined-behaviour sanitizers, where clang is at hand.
No single piece of memory may be larger than 128 times the largest file that is tried."""
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READERS = ["mcx", "xml", "abc", "usda", "bgeo", "vdb", "ply", "obj", "manifest", "state"]
LARGEST = 65536


def built(buildFolder, target):
    """One of the programs, built by clang with its sanitizers: beside the build, so that it is there the next time."""
    clang = shutil.which("clang++")
    if not clang:
        pytest.skip("no clang++; apt install clang")
    folder = buildFolder.parent / "fuzz"
    options = ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER={clang}", "-DPURL_FUZZ=ON", "-DPURL_CUDA=OFF",
               "-DPURL_APP=OFF", "-DPURL_PYTHON=OFF", "-DPURL_TESTS=OFF"]
    if shutil.which("ccache"):
        options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    for command in (["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *options],
                    ["cmake", "--build", folder, "--target", target]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode and "fuzzer" in done.stdout + done.stderr and "cannot find" in done.stdout + done.stderr:
            pytest.skip("this clang has no libFuzzer")
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "tests" / "fuzz" / target


@pytest.fixture(scope="session")
def program(buildFolder):
    """The readers of caches."""
    return built(buildFolder, "purl_fuzz")


def fuzz(program, folder, reader, seconds):
    seeds, found = folder / "seeds", folder / "found"
    seeds.mkdir()
    found.mkdir()
    environment = {**os.environ, "PURL_READER": reader, "UBSAN_OPTIONS": "print_stacktrace=1"}
    subprocess.run([program], env={**environment, "PURL_SEEDS": str(seeds)}, check=True)
    assert list(seeds.iterdir())
    done = subprocess.run(
        [program, found, seeds, f"-max_total_time={seconds}", f"-max_len={LARGEST}", "-timeout=10",
         f"-malloc_limit_mb={LARGEST * 128 // 2**20}", "-rss_limit_mb=1024", "-print_final_stats=1",
         f"-artifact_prefix={folder}/"],
        env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-6000:]


def test_everyReaderIsTried(program):
    assert subprocess.run([program], capture_output=True, text=True).stdout.split() == READERS


@pytest.mark.parametrize("reader", READERS)
def test_hostileFilesDoNoHarm(program, tmp_path, reader):
    fuzz(program, tmp_path, reader, 2)


@pytest.mark.nightly
@pytest.mark.parametrize("reader", READERS)
def test_hostileFilesDoNoHarmForTenMinutes(program, tmp_path, reader):
    fuzz(program, tmp_path, reader, 600)


@pytest.mark.nightly
def test_hostileScenesDoNoHarmForTenMinutes(buildFolder, tmp_path):
    fuzz(built(buildFolder, "purl_fuzz_scenes"), tmp_path, "ma", 600)
