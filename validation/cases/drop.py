"""An oscillating drop
A drop of water without gravity, stretched by a tenth and released, oscillates between prolate and oblate. Rayleigh (Proc. R. Soc. 29, 1879) gives the frequency of small undamped oscillations: ω² = 8 σ/(ρ R³). A damped cosine is fitted to the
ratio of the drop's second moments, and the undamped frequency √(ω² + β²) is reported. The mean pressure inside is 2 σ/R (Laplace). Cohesion acts over two spacings, which is a quarter of the radius of the small drop (8 spacings); its period
may be off by 20 %.
"""
import numpy
import purl
import tank

REFERENCE = "Rayleigh 1879, Laplace"

TENSION, RADIUS = 0.0728, 0.008


def run(case):
    curves = []
    for cells, stretch in (((8, 1.1),) if case.quick else ((8, 1.1), (8, 1.3), (12, 1.1))):
        times, stretches, pressure, radius = play(cells, stretch)
        period = 2 * numpy.pi / numpy.sqrt(8 * TENSION / (1000 * radius**3))
        frequency, fading, fit = swing(times, stretches)
        name = f"R = {cells} spacings" + ("" if stretch == 1.1 else f", stretched by {stretch - 1:.1f}")
        case.row(f"period, {name}", period / numpy.hypot(frequency, fading / (2 * numpy.pi)), period, "s", within=20 if cells < 10 else 10)
        case.row(f"pressure inside, {name}", pressure, 2 * TENSION / radius, "Pa", within=10)
        curves += [(name, times, stretches, "."), (None, times, fit, "k-")]
    case.note("The period of the small drop is short because its oscillation is small against the rearranging of its particles: stretched by a tenth, what the damped cosine leaves over is a tenth of the oscillation, and the period is wrong by that much. "
              "Stretched by three tenths it is a twenty-fifth.")
    case.draw("drop", "time, in periods of Rayleigh's", "ln of height² to width²", curves)


def play(cells, stretch):
    """Simulates a drop of R = 8 mm. Returns times in periods, the elongation at each, the mean pressure inside, and the radius."""
    spacing = RADIUS / cells
    radii = RADIUS * numpy.array([stretch**-0.5, stretch, stretch**-0.5])
    water = purl.Fluid("water", [tank.ball((0, 0, 0), radii)], particle_spacing=spacing, rest_density=1000, viscosity=0.02,
                       surface_tension=TENSION, tension_model="cohesion", attraction=0)
    scene = tank.settings(purl.Scene([water]), pressure_solver="dfsph", gravity=0, xsph=0)
    simulator = purl.Simulator(threads=2)
    simulator.reset(scene)
    radius = spacing * (3 * len(simulator.advance_to(scene, 0).points) / (4 * numpy.pi))**(1 / 3)
    period = 2 * numpy.pi / numpy.sqrt(8 * TENSION / (1000 * radius**3))
    times = numpy.arange(6, 49) / 24  # by then the initial particle lattice has relaxed
    stretches, pressures = [], []
    for time in times:
        points = simulator.advance_to(scene, time * period).points
        x = (points.positions - points.positions.mean(axis=0)).astype(float)
        along = (x**2).mean(axis=0)
        stretches.append(numpy.log(2 * along[1] / (along[0] + along[2])))
        pressures.append(points.pressures[numpy.linalg.norm(x, axis=1) < 0.6 * radius].mean())
    return times, numpy.array(stretches), numpy.mean(pressures), radius


def swing(times, values):
    """Least-squares fit of m = c + exp(−β t) (a cos ωt + b sin ωt). Returns ω/2π, β and the fitted values."""
    best = (numpy.inf,)
    for frequency in numpy.arange(0.4, 2, 0.005):
        for fading in numpy.arange(0, 3, 0.05):
            turn, fade = 2 * numpy.pi * frequency * times, numpy.exp(-fading * times)
            basis = numpy.stack([fade * numpy.cos(turn), fade * numpy.sin(turn), numpy.ones_like(times)], axis=1)
            fit = basis @ numpy.linalg.lstsq(basis, values, rcond=None)[0]
            error = ((values - fit)**2).sum()
            if error < best[0]:
                best = error, frequency, fading, fit
    return best[1:]
