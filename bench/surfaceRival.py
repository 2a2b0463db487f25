"""Builds the surface of bench/surface with pysplashsurf, in a Python that has it, and prints the same results as
purl_bench_surface: one JSON line that begins with RESULT."""
import json
import sys
import time

import numpy as np
import pysplashsurf


def memory(line):
    with open("/proc/self/status") as status:
        return next(1.024e-3 * float(row.split()[1]) for row in status if row.startswith(line + ":"))


def main(path, repeats, smoothing):
    points = np.fromfile(path, dtype=np.float32).reshape(-1, 3)
    radius = 0.5 / round(len(points) ** (1 / 3))
    # Lengths are relative to the radius, contrary to its documentation.
    common = dict(particle_radius=radius, smoothing_length=2.0, cube_size=0.5, iso_surface_threshold=0.6)
    before = memory("VmRSS")
    times = []
    for _ in range(repeats):
        mesh = made = None
        start = time.perf_counter()
        if smoothing:
            made, _ = pysplashsurf.reconstruction_pipeline(
                points, mesh_cleanup=True, mesh_smoothing_weights=True, mesh_smoothing_iters=smoothing,
                compute_normals=True, normals_smoothing_iters=10, **common)
            mesh = made.mesh
        else:
            made = pysplashsurf.reconstruct_surface(points, multi_threading=True, subdomain_grid=True, **common)
            mesh = made.mesh
        times.append(time.perf_counter() - start)
    most = memory("VmHWM") - before
    times.sort()
    print("RESULT", json.dumps({"particles": len(points), "median": times[len(times) // 2], "best": times[0],
                                "vertices": len(mesh.vertices), "triangles": len(mesh.triangles),
                                "megabytes": round(most)}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
