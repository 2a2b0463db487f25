"""Break-up of a jet
A column of water without gravity breaks up into drops (Plateau, Rayleigh). A ripple of wave number k along a column of radius R grows as cosh ωt with ω² = σ/(ρ R³) x (1 − x²) I₁(x)/I₀(x), x = kR (Rayleigh, Proc. London Math. Soc. 10, 1878), fastest at x = 0.697; ripples shorter than the circumference, x > 1, do not grow. A jet of speed v
breaks up after the length v t, where t is the time in which the ripple grows to R. The column is five ripples long, and the two in the middle are measured before its ends have drawn back to them; its radius is six spacings, and tension acts over two. The ripple is the first Fourier component of the mass along the axis.
"""
import numpy
import purl
import tank

REFERENCE = "Rayleigh 1878"
TENSION, RADIUS, CELLS, RIPPLE, WAVES, SETTLED = 0.0728, 0.003, 6, 0.25, 5, 0.03


def run(case):
    curves = []
    for x in (0.697,) if case.quick else (0.697, 1.3):
        rate = numpy.sqrt(TENSION / (1000 * RADIUS**3) * x * abs(1 - x * x) * bessel(1, x) / bessel(0, x))
        times, ripples, broken = play(x, 0.12 if x > 1 else 0.22, 4 if case.quick else CELLS)
        if x > 1:
            case.below(f"largest ripple of kR = {x:g}, begun with {RIPPLE:g} R", ripples.max(), 1.2 * RIPPLE, "R")
        else:
            case.row(f"rate of growth, kR = {x:g}", grown(times, ripples), rate, "1/s", within=25)
            begun = numpy.interp(0.3, numpy.maximum.accumulate(ripples), times)
            case.row(f"time from a ripple of 0.3 R to break-up, kR = {x:g}", broken - begun, (numpy.arccosh(1 / RIPPLE) - numpy.arccosh(0.3 / RIPPLE)) / rate, "s", within=25)
            early = rate * times < numpy.arccosh(1 / RIPPLE)
            curves.append(("Rayleigh", 1e3 * times[early], RIPPLE * numpy.cosh(rate * times[early]), "k--"))
        curves.append((f"kR = {x:g}", 1e3 * times, ripples, "-"))
    case.note("For the first 0.03 s nothing grows: the lattice has to give way first, and a ripple of a tenth of R, 0.6 spacings, waits 0.1 s; this is why the ripple starts with 0.25 R and its growth is taken after that. It then grows, somewhat too slowly, up to 0.6 R. What breaks late is the thread between two drops: "
              "when it is as thin as a particle its gradient of the colour field is zero, and with it the tension that pinches it.")
    case.draw("jetBreakup", "time, ms", "ripple, R", curves, yscale="log")


def bessel(order, x):
    """Modified Bessel function of the first kind, order 0 or 1."""
    return sum((x / 2)**(2 * k + order) / (float(numpy.prod(numpy.arange(1, k + 1)))**2 * (k + 1 if order else 1)) for k in range(12))


def grown(times, ripples):
    """ω of the best fit of a exp ωt + b exp −ωt, once the lattice has given way and while the ripple is small against the radius."""
    used = (times > SETTLED) & (ripples < 0.5) & (times < times[int(numpy.argmax(ripples))])

    def error(rate):
        waves = numpy.exp(numpy.outer(times[used], [rate, -rate]))
        return ((waves @ numpy.linalg.lstsq(waves, ripples[used], rcond=None)[0] - ripples[used])**2).sum()

    rates = numpy.linspace(1, 60, 591)
    return float(rates[int(numpy.argmin([error(rate) for rate in rates]))])


def play(x, end, cells):
    """Times, amplitude of the ripple over the radius in the middle of the column, and when that had broken."""
    spacing = RADIUS / cells
    wave = 2 * numpy.pi * RADIUS / x
    length = WAVES * wave
    u, turn = numpy.linspace(-0.5, 0.5, 40 * WAVES + 1) * length, numpy.arange(48) * numpy.pi / 24
    r = RADIUS * (1 + RIPPLE * numpy.cos(2 * numpy.pi * u / wave))
    rings = numpy.stack([numpy.repeat(u, 48), numpy.outer(r, numpy.cos(turn)).ravel(), numpy.outer(r, numpy.sin(turn)).ravel()], axis=1)
    rings = rings.reshape(len(u), 48, 3)[::-1].reshape(-1, 3)
    column = purl.Mesh(numpy.concatenate([rings, [[length / 2, 0, 0], [-length / 2, 0, 0]]]).astype(numpy.float32), numpy.array(tank.latticeOfRings(len(u), 48), numpy.int32))
    water = purl.Fluid("water", [column], particle_spacing=spacing, rest_density=1000, viscosity=0.005, surface_tension=TENSION, tension_model="cohesion", attraction=0)
    scene = tank.settings(purl.Scene([water]), pressure_solver="dfsph", gravity=0, xsph=0)
    simulator = purl.Simulator(threads=2)
    simulator.reset(scene)
    times, ripples, broken = numpy.linspace(0, end, 61)[1:], [], numpy.inf
    perWave = round(wave / spacing)
    for time in times:
        along = simulator.advance_to(scene, time).points.positions[:, 0].astype(float)
        along = along[numpy.abs(along) < wave]  # the two ripples in the middle
        # The mass along the axis goes with r²: a ripple a of the radius is one of 2a of the mass, whose first component is a.
        ripples.append(abs(numpy.exp(2j * numpy.pi * along / wave).mean()))
        if numpy.histogram(along, bins=perWave, range=(-wave, wave))[0].min() == 0:
            broken = min(broken, time)
    return times, numpy.array(ripples), broken
