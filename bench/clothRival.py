"""Runs bench/cloth's cloth in pyPBD, inside a Python that has it, and prints what purl_bench_cloth prints, as one JSON
line that begins with RESULT."""
import json
import sys
import time

import numpy as np
import pypbd as pbd


def main(n, steps, bend):
    sim = pbd.Simulation.getCurrent()
    sim.initDefault()
    model = sim.getModel()
    level = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], dtype=float)
    cloth = model.addRegularTriangleModel(n, n, [0, 0, 0], level, [10.0, 10.0], testMesh=False)
    points = model.getParticles()
    points.setMass(0, 0.0)
    points.setMass(n - 1, 0.0)
    xpbd_distance, xpbd_isometric_bending = 4, 3
    model.addClothConstraints(cloth, xpbd_distance, 1e5, 1e5, 1e5, 1e5, 0.3, 0.3, False, False)
    if bend:
        model.addBendingConstraints(cloth, xpbd_isometric_bending, 50.0)
    stepper = sim.getTimeStep()
    stepper.setValueUInt(pbd.TimeStepController.NUM_SUB_STEPS, 1)
    stepper.setValueUInt(pbd.TimeStepController.MAX_ITERATIONS, 10)
    pbd.TimeManager.getCurrent().setTimeStepSize(1 / 60)
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        stepper.step(model)
        times.append(1e3 * (time.perf_counter() - start))
    constraints = len(model.getConstraints())
    median = float(np.median(times))
    print("RESULT", json.dumps({"points": n * n, "constraints": constraints, "step": round(median, 3),
                                "best": round(min(times), 3),
                                "nsPerConstraintIteration": round(1e6 * median / (10 * constraints), 2)}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), len(sys.argv) > 3 and sys.argv[3] == "bend")
