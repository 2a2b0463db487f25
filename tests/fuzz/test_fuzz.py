"""Hostile files: every reader under libFuzzer with address and undefined-behaviour sanitizers, where clang is at hand.
No single piece of memory may be larger than 128 times the largest file that is tried, but for what docs/limits.md allows
small ones. corpus/READER/ holds files that were found to reach far, and those that once did harm."""
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READERS = ["mcx", "xml", "abc", "usda", "bgeo", "vdb", "ply", "obj", "manifest", "journal", "folder", "frames", "chart", "knitout",
           "state"]
HOST_READERS = ["ma", "mel", "set"]
SKY_READERS = ["hdr", "exr"]
LARGEST = 65536
# Bytes of one piece of memory where a few words stand for much: a wide pattern, a range of elements, a string that doubles, a
# picture's runs or compressed rows, a simulation.
LARGEST_PIECES = {"knitout": 2**28, "ma": 2**28, "mel": 2**26, "hdr": 2**26, "exr": 2**28, "states": 2**28}


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
    """The readers of caches and patterns."""
    return built(buildFolder, "purl_fuzz")


@pytest.fixture(scope="session")
def hostProgram(buildFolder):
    """The readers of scenes, scripts and values."""
    return built(buildFolder, "purl_fuzz_scenes")


def fuzz(program, folder, reader, seconds):
    seeds, found = folder / "seeds", folder / "found"
    seeds.mkdir()
    found.mkdir()
    environment = {**os.environ, "PURL_READER": reader, "UBSAN_OPTIONS": "print_stacktrace=1"}
    subprocess.run([program], env={**environment, "PURL_SEEDS": str(seeds)}, cwd=folder, check=True)
    assert list(seeds.iterdir())
    kept = Path(__file__).parent / "corpus" / reader
    done = subprocess.run(
        [program, found, seeds, *[kept] * kept.is_dir(), f"-max_total_time={seconds}", f"-max_len={LARGEST}", "-timeout=10",
         f"-malloc_limit_mb={LARGEST_PIECES.get(reader, LARGEST * 128) // 2**20}", "-rss_limit_mb=1024", "-print_final_stats=1",
         f"-artifact_prefix={folder}/"],
        env=environment, cwd=folder, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stderr[-6000:]


def namesOf(program):
    return subprocess.run([program], capture_output=True, text=True).stdout.split()


def test_everyReaderIsTried(program):
    assert namesOf(program) == READERS


@pytest.mark.parametrize("reader", READERS)
def test_hostileFilesDoNoHarm(program, tmp_path, reader):
    fuzz(program, tmp_path, reader, 2)


@pytest.mark.nightly
@pytest.mark.parametrize("reader", READERS)
def test_hostileFilesDoNoHarmForAMinute(program, tmp_path, reader):
    fuzz(program, tmp_path, reader, 60)


@pytest.mark.nightly
@pytest.mark.parametrize("reader", HOST_READERS)
def test_hostileScenesAndScriptsDoNoHarmForAMinute(hostProgram, tmp_path, reader):
    assert namesOf(hostProgram) == HOST_READERS
    fuzz(hostProgram, tmp_path, reader, 60)


@pytest.mark.nightly
@pytest.mark.parametrize("reader", SKY_READERS)
def test_hostileSkiesDoNoHarmForAMinute(buildFolder, tmp_path, reader):
    program = built(buildFolder, "purl_fuzz_skies")
    assert namesOf(program) == SKY_READERS
    fuzz(program, tmp_path, reader, 60)


@pytest.mark.nightly
def test_hostileStatesDoNoHarmForAMinute(buildFolder, tmp_path):
    fuzz(built(buildFolder, "purl_fuzz_states"), tmp_path, "states", 60)
