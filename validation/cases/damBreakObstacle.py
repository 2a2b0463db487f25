"""A dam break against a box
SPHERIC's test 2, the experiment at MARIN of Kleefsman et al. (J. Comput. Phys. 206, 2005): a column of water, 1.228 m long and 0.55 m high, collapses in a tank of 3.22 × 1 × 1 m and strikes a box of 16 cm. Probe H2 measures the height of the water between dam and box, H4 in the
reservoir, P1 the pressure 2 cm above the floor on the side of the box that the water strikes, and P5 on its top. Measured values are those of the test's data sheet. Heights are the volume of the water in a column of 10 × 16 cm, pressures the mean of the
particles within a spacing and a half of the sensor. Solver dfsph, 3 cm between particles and steps of 2 ms: the box is five particles high, and P1 lies within the first. Walls
have no friction; that of the default, 0.4, makes the front 0.1 s late at 5 cm.
"""
import numpy
import purl
import tank

REFERENCE = "experiment of Kleefsman et al. 2005 (SPHERIC 2)"
LENGTH, WIDTH, DAM, DEPTH = 3.22, 1.0, 1.228, 0.55
BOX = ((0.6635, 0, 0.2955), (0.8245, 0.161, 0.6985))
P1, P5 = (0.8245, 0.021, 0.471), (0.8035, 0.161, 0.471)
H2, H4 = 0.992, 2.638
# s, m
MARKS = numpy.array([0.4, 0.45, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0])
HEIGHTS2 = numpy.array([0.046, 0.077, 0.140, 0.179, 0.201, 0.236, 0.321, 0.287])
HEIGHTS4 = numpy.array([0.460, 0.443, 0.347, 0.279, 0.223, 0.182, 0.153, 0.130])
# s, Pa
TIMES1 = numpy.concatenate([numpy.arange(0.39, 0.481, 0.005), [0.75, 1.0, 1.25, 1.5, 1.75, 2.0]])
PRESSURES1 = numpy.array([0, 3675, 5622, 9603, 9463, 11239, 9761, 9201, 9363, 8967, 8620, 8452, 8059, 8016, 7833, 7588, 7390, 7288, 6986, 3605, 3016, 2975, 2766, 2932, 3066])
TIMES5 = numpy.array([1.0, 1.25, 1.3, 1.465, 1.5, 1.522, 1.54, 1.715, 1.742, 1.78, 1.96, 2.0])
PRESSURES5 = numpy.array([80, 384, 608, 914, 1127, 1576, 1266, 1758, 2082, 1748, 1564, 1576])


def run(case):
    spacing = 0.05 if case.quick else 0.03
    times, heights, pressures = play(spacing, 0.6 if case.quick else 2.0)
    marks = MARKS[MARKS <= times[-1]]
    for name, found, expected in (("H2", heights[:, 0], HEIGHTS2), ("H4", heights[:, 1], HEIGHTS4)):
        error = numpy.interp(marks, times, found) - expected[:len(marks)]
        case.below(f"rms error of the height, {name}", 100 * numpy.sqrt(numpy.mean(error**2)) / DEPTH, 10, "% of the depth")
    reached = times[int(numpy.argmax(pressures[:, 0] > 2000))]
    case.row("time at which P1 exceeds 2 kPa", reached, 0.394, "s", within=10)
    first = (times >= reached) & (times < reached + 0.08)
    measured = (TIMES1 >= 0.394) & (TIMES1 < 0.474)
    case.row("mean of P1 in the 80 ms that follow", pressures[first, 0].mean() / 1000, PRESSURES1[measured].mean() / 1000, "kPa", within=25)
    case.row("largest P1", smooth(pressures[:, 0], 4).max() / 1000, 11.2, "kPa", note="20 ms are averaged, in the experiment 1 ms")
    if not case.quick:
        for name, k, begin, end, expected in (("P1", 0, 0.74, 1.26, 3.15), ("P1", 0, 1.7, 2.0, 3.0), ("P5", 1, 1.7, 2.0, 1.74)):
            case.row(f"mean of {name} from {begin:g} to {end:g} s", pressures[(times > begin) & (times < end), k].mean() / 1000, expected, "kPa", within=25)
        case.note("Between impact and return P1 depends on the friction of the walls: with the default, 0.4, it is 2.9 kPa from 0.74 to 1.26 s instead of 4.3, but the front arrives at 0.50 s, strikes with 5.3 kPa and throws half as much water onto the box (P5 1.0 kPa). The boundary layer of the experiment is thinner than a particle. "
                  "2.5 cm between particles change P1 by 2 % and the heights by 2 % of the depth; the solver's own steps, of 2.7 ms, make the impact harder (9.5 kPa in the first 80 ms).")
        case.draw("damBreakObstacle", "time, s", "height of the water, m", [("H2", times, heights[:, 0], "-"), ("measured", MARKS, HEIGHTS2, "ko"), ("H4", times, heights[:, 1], "-"), (None, MARKS, HEIGHTS4, "ko")])
        case.draw("damBreakObstaclePressure", "time, s", "pressure, kPa", [("P1", times, smooth(pressures[:, 0], 4) / 1000, "-"), ("measured", TIMES1, PRESSURES1 / 1000, "ko"),
                                                                          ("P5", times, smooth(pressures[:, 1], 4) / 1000, "-"), (None, TIMES5, PRESSURES5 / 1000, "ks")])


def smooth(values, width):
    return numpy.convolve(values, numpy.ones(width) / width, mode="same")


def play(spacing, end):
    """Every 5 ms: heights at H2 and H4, and pressures at P1 and P5."""
    water = purl.Fluid("water", [tank.block((LENGTH - DAM, 0, 0), (LENGTH, DEPTH, WIDTH))], particle_spacing=spacing, rest_density=1000, surface_tension=0, attraction=0, viscosity=0.05)
    low, high = numpy.array(BOX)
    box = purl.Collider("box", shape="box", half_size=tuple((high - low) / 2), friction=0)
    box.position = tuple((low + high) / 2)
    scene = tank.settings(purl.Scene([water], [tank.closedBox((0, 0, 0), (LENGTH, 1, WIDTH), friction=0), box]), pressure_solver="dfsph", xsph=0, max_time_step=0.002)
    simulator = purl.Simulator(threads=2)
    simulator.reset(scene)
    times = numpy.arange(1, round(end / 0.005) + 1) * 0.005
    heights, pressures = [], []
    for time in times:
        points = simulator.advance_to(scene, time).points
        x, p = points.positions, points.pressures
        middle = numpy.abs(x[:, 2] - WIDTH / 2) < 0.08
        heights.append([(middle & (numpy.abs(x[:, 0] - place) < 0.05)).sum() * spacing**3 / (0.1 * 0.16) for place in (H2, H4)])
        near = [numpy.linalg.norm(x - numpy.array(place, numpy.float32), axis=1) < 1.5 * spacing for place in (P1, P5)]
        pressures.append([p[close].mean() if close.any() else 0 for close in near])
    return times, numpy.array(heights), numpy.array(pressures)
