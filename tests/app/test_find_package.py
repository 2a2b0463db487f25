"""The installed solver, used from a project outside: find_package(Purl), ten lines, and a simulation runs."""
import subprocess

CMAKE = """cmake_minimum_required(VERSION 3.22)
project(Outside LANGUAGES CXX)
find_package(Purl 0.2 REQUIRED)
add_executable(outside main.cpp)
target_link_libraries(outside PRIVATE Purl::solver)
target_compile_features(outside PRIVATE cxx_std_17)
"""

MAIN = """#include <cstdio>
#include "solver/simulator.h"

int main() {
    purl::Scene scene;
    purl::Fluid water = {"water", purl::fluidPreset("water"), {}, {}};
    water.params.particleSpacing = 0.02f;
    std::vector<purl::Vec3> corners;
    for (int corner = 0; corner < 8; ++corner)
        corners.push_back({corner & 1 ? 0.1f : 0.f, corner & 2 ? 0.1f : 0.f, corner & 4 ? 0.1f : 0.f});
    purl::TriangleMesh cube;  // 0.1 m
    cube.vertices = corners;
    cube.triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    water.volumes.push_back(cube);
    scene.fluids.push_back(water);
    purl::Simulator simulator(purl::Device::cpu(2));
    const float start = simulator.reset(scene).points.positions[0].y;
    const purl::Frame& frame = simulator.advanceTo(scene, 0.1);
    std::printf("%zu %.3f\\n", frame.points.count(), start - frame.points.positions[0].y);
}
"""


def run(*command):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_anOutsideProjectFindsAndUsesTheSolver(buildFolder, tmp_path):
    run("cmake", "--install", buildFolder, "--component", "solver", "--prefix", tmp_path / "prefix")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "CMakeLists.txt").write_text(CMAKE)
    (tmp_path / "outside" / "main.cpp").write_text(MAIN)
    run("cmake", "-S", tmp_path / "outside", "-B", tmp_path / "build", "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_PREFIX_PATH={tmp_path / 'prefix'}")
    run("cmake", "--build", tmp_path / "build")
    count, fallen = run(tmp_path / "build" / "outside").split()
    assert int(count) == 125
    assert abs(float(fallen) - 0.5 * 9.81 * 0.1**2) < 0.02  # free fall for 0.1 s, with a small effect of its own pressure
