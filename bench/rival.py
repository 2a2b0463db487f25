"""Runs a scene of bench/fluid in pySPlisHSPlasH, in a Python that has it, and prints the same results as purl_bench_fluid:
one JSON line that begins with RESULT."""
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
    stamps, seen, compressions = [], [], []  # stamps: wall-clock and CPU time, before and after each observation

    def totals():
        return ({t.name: t.totalTime for t in timing.m_averageTimes.values()},
                {name: c.sum for name, c in counting.m_averageCounts.items()})

    def now():
        return time.perf_counter(), time.process_time()

    def ratios():
        fluid = sph.Simulation.getCurrent().getFluidModel(0)
        return np.array(fluid.getFieldBuffer("density"), copy=False)[:fluid.numActiveParticles()] / 1000

    def after_step():
        before = now()
        if len(stamps) in (warm, warm + steps):
            seen.append(totals())
        if len(stamps) >= warm:
            ratio = ratios()
            compressions.append((float(np.maximum(ratio - 1, 0).mean()), float(ratio.max())))
        stamps.append((before, now()))
        if len(stamps) > warm + steps:
            report()

    def report():
        count = len(ratios())
        spent = np.array([np.subtract(b[0], a[1]) for a, b in zip(stamps[warm:], stamps[warm + 1:])])
        ms, cpu = 1e3 * spent[:, 0], 1e3 * spent[:, 1]
        compression = np.array(compressions[1:])
        (times0, counts0), (times1, counts1) = seen
        phases = {k: round((v - times0.get(k, 0)) / steps, 3) for k, v in times1.items()}
        iterations = {k: round((v - counts0.get(k, 0)) / steps, 2) for k, v in counts1.items()}
        print("RESULT", json.dumps(dict(
            particles=count, steps=len(ms), mean=round(float(ms.mean()), 3), median=round(float(np.median(ms)), 3),
            best=round(float(ms.min()), 3), cpu=round(float(cpu.mean()), 3),
            compression=round(float(compression[:, 0].mean()), 6), largest=round(float(compression[:, 1].max()), 5),
            counts=iterations, phases=phases)), flush=True)
        os._exit(0)  # its threads do not terminate on their own

    base.setTimeStepCB(after_step)
    base.setValueFloat(base.STOP_AT, 1000.0)
    base.runSimulation()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
