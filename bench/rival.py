"""Runs one of bench/fluid's scenes in pySPlisHSPlasH, inside a Python that has it, and prints what purl_bench_fluid
prints, as one JSON line that begins with RESULT."""
import json
import os
import sys
import time

import pysplishsplash as sph


def main(scene, warm, steps, out):
    import numpy as np

    base = sph.Exec.SimulatorBase()
    base.init(sceneFile=os.path.abspath(scene), useGui=False, initialPause=False, useCache=False,
              outputDir=os.path.abspath(out))
    base.initSimulation()
    timing, counting = sph.Utilities.Timing, sph.Utilities.Counting
    stamps, seen = [], []

    def totals():
        return ({t.name: t.totalTime for t in timing.m_averageTimes.values()},
                {name: c.sum for name, c in counting.m_averageCounts.items()})

    def after_step():
        stamps.append(time.perf_counter())
        if len(stamps) in (warm + 1, warm + steps + 1):
            seen.append(totals())
        if len(stamps) > warm + steps:
            report()

    def report():
        simulation = sph.Simulation.getCurrent()
        fluid = simulation.getFluidModel(0)
        count = fluid.numActiveParticles()
        ratio = np.array(fluid.getFieldBuffer("density"), copy=True)[:count] / 1000
        ms = 1e3 * np.diff(np.array(stamps[warm:]))
        (times0, counts0), (times1, counts1) = seen
        phases = {k: round((v - times0.get(k, 0)) / steps, 3) for k, v in times1.items()}
        iterations = {k: round((v - counts0.get(k, 0)) / steps, 2) for k, v in counts1.items()}
        print("RESULT", json.dumps(dict(
            particles=count, steps=len(ms), mean=round(float(ms.mean()), 3), median=round(float(np.median(ms)), 3),
            best=round(float(ms.min()), 3), compression=round(float(np.maximum(ratio - 1, 0).mean()), 6),
            largest=round(float(ratio.max()), 5), counts=iterations, phases=phases)), flush=True)
        os._exit(0)  # its threads do not end by themselves

    base.setTimeStepCB(after_step)
    base.setValueFloat(base.STOP_AT, 1000.0)
    base.runSimulation()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
