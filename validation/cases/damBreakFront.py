"""The front of a dam break
Martin and Moyce (Phil. Trans. R. Soc. A 244, 1952, table 2) let columns of water, twice as high as wide, collapse onto a dry floor and recorded when the front passed marks along it: Z = x/a at T = t √(2g/a), where a = 57 mm is the
width of the column. Their first marks include the opening time of the waxed-paper gate, so the curves are aligned at Z = 1.44, as is usual; the comparison is of the speed of the front. Walls have no friction: with the
default's 0.4 the front is 0.4 to 0.5 a behind, because the water is six particles thick between two walls. wcsph uses the same kernel for density and pressure:
Müller's two different kernels are not derived from one energy, and without strong viscosity, which would slow the front, they add energy until the water explodes.
"""
import numpy
import purl
import tank

REFERENCE = "experiment of Martin and Moyce 1952"

T = numpy.array([0.41, 0.84, 1.19, 1.43, 1.63, 1.83, 1.98, 2.20, 2.32, 2.51, 2.65, 2.83, 2.98, 3.11, 3.33])
Z = numpy.array([1.11, 1.22, 1.44, 1.67, 1.89, 2.11, 2.33, 2.56, 2.78, 3.00, 3.22, 3.44, 3.67, 3.89, 4.11])
A = 0.05715  # m


def run(case):
    curves = [("Martin and Moyce", T, Z, "ko")]
    scale = numpy.sqrt(2 * 9.81 / A)
    for solver in ("wcsph", "pbf", "dfsph"):
        spacing = A / (12 if case.quick else 20)
        depth = 6 * spacing
        water = purl.Fluid("water", [tank.block((0, 0, 0), (A, 2 * A, depth))], particle_spacing=spacing, rest_density=1000,
                           surface_tension=0, attraction=0, viscosity=0.05)
        if solver == "wcsph":
            water.state_equation, water.stiffness, water.kernel = "tait", 250, "cubicSpline"
        walls = tank.closedBox((0, 0, 0), (6 * A, 4 * A, depth), friction=0, boundary="particles" if solver == "wcsph" else "automatic")
        scene = purl.Scene([water], [walls])
        tank.settings(scene, pressure_solver=solver, xsph=0)
        if solver == "pbf":
            tank.settings(scene, pbf_iterations=50, max_density_error=0.1)
        simulator = purl.Simulator(threads=2)
        simulator.reset(scene)
        times = numpy.linspace(0, 3.6, 37)[1:]
        front = []
        for time in times:
            x = simulator.advance_to(scene, time / scale).points.positions[:, 0]
            # The foremost 1 % of the water is spray.
            front.append((numpy.sort(x)[int(0.99 * len(x))] + spacing / 2) / A)
        front = numpy.array(front)
        shift = numpy.interp(1.44, Z, T) - numpy.interp(1.44, front, times)
        curves.append((solver, times + shift, front, "-"))
        late = Z >= 1.44
        error = numpy.interp(T[late], times + shift, front) - Z[late]
        case.below(f"rms distance from the marks, {solver}", numpy.sqrt(numpy.mean(error**2)), 0.15, "a")
    case.draw("damBreakFront", "T = t √(2g/a)", "front, Z = x/a", curves)
