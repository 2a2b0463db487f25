"""Runs bench/soft.cpp's block in pyPBD, inside a Python that has it: 30 x 30 x 30 points matched tetrahedron by tetrahedron, five
iterations a step. Prints one JSON line that begins with RESULT; times are milliseconds."""
import json
import sys
import time

import numpy as np
import pypbd as pbd


def main(n, steps):
    sim = pbd.Simulation.getCurrent()
    sim.initDefault()
    model = sim.getModel()
    block = model.addRegularTetModel(n, n, n, [0, 0, 0], np.eye(3), [n * 0.1] * 3, testMesh=False)
    points = model.getParticles()
    for i in range(n * n):
        points.setMass(i, 0.0)
    shape_matching = 5
    model.addSolidConstraints(block, shape_matching, 1.0, 0.3, 1.0, False, False)
    stepper = sim.getTimeStep()
    stepper.setValueUInt(pbd.TimeStepController.NUM_SUB_STEPS, 1)
    stepper.setValueUInt(pbd.TimeStepController.MAX_ITERATIONS, 5)
    pbd.TimeManager.getCurrent().setTimeStepSize(1 / 60)
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        stepper.step(model)
        times.append(1e3 * (time.perf_counter() - start))
    print("RESULT", json.dumps({"points": n ** 3, "clusters": len(model.getConstraints()),
                                "step": round(float(np.median(times)), 3), "best": round(min(times), 3)}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
