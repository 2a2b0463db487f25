"""Decay of Taylor–Green vortices
A periodic square full of vortices, u = U (−cos kx sin ky, sin kx cos ky), k = 2π/L, keeps its pattern, and its speed decays as exp(−2 ν k² t) (Taylor and Green, Proc. R. Soc. A 158, 1937). Reynolds number U L/ν = 10, wcsph in the plane with Morris's
viscosity and Wendland's kernel with about 40 neighbours. The speed is the amplitude of the pattern in the particles' velocities, by projection. Particles start on a lattice, which the flow stirs in the first tenth of the time.
"""
import numpy
import purl
import tank

REFERENCE = "exact solution (Taylor and Green 1937)"
SIDE, SPEED, REYNOLDS, END = 1.0, 1.0, 10.0, 0.25


def run(case):
    rate = 8 * numpy.pi**2 / REYNOLDS * SPEED / SIDE
    curves, errors, sizes = [], [], (20,) if case.quick else (20, 40)
    for across in sizes:
        times, amplitudes = play(across)
        later = times >= 0.2 * END
        measured = -numpy.polyfit(times[later], numpy.log(amplitudes[later]), 1)[0]
        errors.append(abs(measured / rate - 1))
        case.row(f"rate of decay, {across} particles across", measured, rate, "1/s", within=10 if across < 40 else 5)
        curves.append((f"{across} across", times, amplitudes, "."))
    if len(errors) > 1:
        case.note(f"Observed order: {numpy.log2(errors[0] / errors[1]):.1f}.")
    times = numpy.linspace(0, END, 50)
    case.draw("taylorGreen", "time, L/U", "speed, U", [*curves, ("exact", times, numpy.exp(-rate * times), "k-")], yscale="log")


def pattern(x):
    k = 2 * numpy.pi / SIDE
    return numpy.stack([-numpy.cos(k * x[:, 0]) * numpy.sin(k * x[:, 1]), numpy.sin(k * x[:, 0]) * numpy.cos(k * x[:, 1])], axis=1)


def play(across):
    """Returns times, and the amplitude of the pattern at each."""
    spacing, step = SIDE / across, 0.02 / across
    fluid = purl.Fluid("water", [tank.block((-SIDE / 2, -SIDE / 2, -1), (SIDE / 2, SIDE / 2, 1))], particle_spacing=spacing, rest_density=1000,
                       viscosity=1000 * SPEED * SIDE / REYNOLDS, viscosity_model="morris", kernel="wendland", kernel_particles=40, surface_tension=0, attraction=1, stiffness=100)
    scene = tank.settings(purl.Scene([fluid]), pressure_solver="wcsph", dimensions=2, gravity=0, integrator="semiImplicitEuler", periodic_size=(SIDE, SIDE, 0),
                          max_time_step=step, cfl=0)
    simulator = purl.Simulator(threads=2)
    x = simulator.reset(scene).points.positions.astype(float)
    # A source around each particle gives it its velocity in the first step.
    sources = []
    for k, (place, velocity) in enumerate(zip(x, SPEED * pattern(x))):
        field = purl.Field(f"source{k}", magnitude=float(numpy.linalg.norm(velocity)) / step, direction=(float(velocity[0]), float(velocity[1]), 0), radius=0.3 * spacing)
        field.position = tuple(map(float, place))
        if numpy.linalg.norm(velocity) > 1e-6:
            sources.append(field)
    scene.fields = sources
    simulator.advance_to(scene, step)
    scene.fields = []
    times = numpy.linspace(0.04, 1, 25) * END
    amplitudes = []
    for time in times:
        points = simulator.advance_to(scene, time).points
        shape = pattern(points.positions.astype(float))
        amplitudes.append((points.velocities[:, :2] * shape).sum() / (shape**2).sum())
    return times, numpy.array(amplitudes)
