"""Runs Purl's benchmarks in pyPBD, in a Python that has it: bench/cloth's square (`cloth N STEPS [bend]`), or
bench/soft.cpp's block of N x N x N points matched tetrahedron by tetrahedron (`soft N STEPS`). Prints one JSON line that begins
with RESULT; times are milliseconds."""
import json
import sys
import time

import numpy as np
import pypbd as pbd

XPBD_DISTANCE, XPBD_ISOMETRIC_BENDING, SHAPE_MATCHING = 4, 3, 5  # pyPBD's method numbers


def cloth(model, n, bend):
    level = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], dtype=float)
    square = model.addRegularTriangleModel(n, n, [0, 0, 0], level, [10.0, 10.0], testMesh=False)
    for corner in (0, n - 1):
        model.getParticles().setMass(corner, 0.0)
    model.addClothConstraints(square, XPBD_DISTANCE, 1e5, 1e5, 1e5, 1e5, 0.3, 0.3, False, False)
    if bend:
        model.addBendingConstraints(square, XPBD_ISOMETRIC_BENDING, 50.0)
    return n * n, 10


def soft(model, n):
    block = model.addRegularTetModel(n, n, n, [0, 0, 0], np.eye(3), [n * 0.1] * 3, testMesh=False)
    for i in range(n * n):
        model.getParticles().setMass(i, 0.0)
    model.addSolidConstraints(block, SHAPE_MATCHING, 1.0, 0.3, 1.0, False, False)
    return n ** 3, 5


def main(kind, n, steps, bend):
    sim = pbd.Simulation.getCurrent()
    sim.initDefault()
    model = sim.getModel()
    points, iterations = cloth(model, n, bend) if kind == "cloth" else soft(model, n)
    stepper = sim.getTimeStep()
    stepper.setValueUInt(pbd.TimeStepController.NUM_SUB_STEPS, 1)
    stepper.setValueUInt(pbd.TimeStepController.MAX_ITERATIONS, iterations)
    pbd.TimeManager.getCurrent().setTimeStepSize(1 / 60)
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        stepper.step(model)
        times.append(1e3 * (time.perf_counter() - start))
    constraints = len(model.getConstraints())
    median = float(np.median(times))
    print("RESULT", json.dumps({"points": points, "constraints": constraints, "step": round(median, 3), "best": round(min(times), 3),
                                "nsPerConstraintIteration": round(1e6 * median / (iterations * constraints), 2)}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), "bend" in sys.argv[4:])
