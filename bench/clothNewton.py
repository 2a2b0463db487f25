"""Simulates a square of cloth with Newton's XPBD on the CPU, in a Python with newton and warp-lang: springs along edges and
diagonals, and bending, ten iterations per time step of 1/60 s. Prints one JSON line that begins with RESULT; times are milliseconds."""
import json
import sys
import time

import newton
import numpy as np
import warp as wp


def main(n, steps):
    wp.config.quiet = True
    wp.init()
    wp.set_device("cpu")
    builder = newton.ModelBuilder()
    builder.add_cloth_grid(pos=wp.vec3(0, 0, 4), rot=wp.quat_identity(), vel=wp.vec3(0, 0, 0), dim_x=n - 1, dim_y=n - 1,
                           cell_x=10 / (n - 1), cell_y=10 / (n - 1), mass=0.1, fix_left=True, edge_ke=10.0, edge_kd=0.0,
                           particle_radius=0.05, add_springs=True, spring_ke=1e3, spring_kd=1.0)
    model = builder.finalize(device="cpu")
    solver = newton.solvers.SolverXPBD(model=model, iterations=10)
    now, after, control = model.state(), model.state(), model.control()
    times = []
    for step in range(steps + 3):
        start = time.perf_counter()
        now.clear_forces()
        solver.step(now, after, control, None, 1 / 60)
        wp.synchronize()
        now, after = after, now
        if step >= 3:  # kernels are compiled in the first steps
            times.append(1e3 * (time.perf_counter() - start))
    constraints = model.spring_count + model.edge_count + model.tri_count
    median = float(np.median(times))
    print("RESULT", json.dumps({"points": model.particle_count, "constraints": constraints, "step": round(median, 3),
                                "best": round(min(times), 3),
                                "nsPerConstraintIteration": round(1e6 * median / (10 * constraints), 2)}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
