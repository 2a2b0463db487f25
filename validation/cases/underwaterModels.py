"""Underwater cloth with four damping models
Özgen (2013, fig. 3.12) swings a towel by its upper edge. He finds that waves travel down and persist with half derivatives (his model 4), but not with viscous drag (2), normal drag (3) or both (1) combined with dashpots. Here: 31 × 21 points, 0.6 × 0.4 m, the upper
edge swung by 5 cm once a second, the same buoyancy and added mass in all four. His coefficients are not known: drag is chosen so that all models damp steady motion equally. The measure is the deviation of
the lowest tenth of the points from the straight line between upper and lower edge, relative to that of the row at a fifth of the height: the waves that arrive. Three sets of coefficients: internal damping as in the other scenes (relaxation time 0.01 s), ten times as
much, and coefficients of fractional springs and dashpots that are equal as numbers, as in the thesis, which compares kg/√s with kg/s.
"""
import numpy
import purl
from sheets import STILL, positions, scene, sheet

REFERENCE = "Özgen 2013, figure 3.12"

ROWS, COLUMNS = 31, 21
# Pa·s/m, for motion normal to the cloth: viscous 2 μ/δ = 1; half derivative 0.5 1/√s times a gain of 0.36 √s (25 samples of 4 ms).
STEADY = 1.18




def play(gravity=9.81, density=0.2, rows=ROWS, columns=COLUMNS, seconds=6, stop=None, **params):
    """Points of the cloth at every frame: frames × rows × columns × 3. The upper edge swings until `stop`, s, and then rests."""
    cloth = sheet(columns, rows, (0, 0, 0), (0.4, 0, 0), (0, -0.6, 0), held=lambda p: p[1] > -1e-6, density=density,
                  stretch_stiffness=500, shear_stiffness=20, bend_stiffness=1e-5, iterations=10, max_time_step=0.004, **{**STILL, "damping": 0.002, "bend_damping": 0.01, **params})
    made = scene(cloth, gravity=gravity)
    simulator = purl.Simulator(threads=1)
    simulator.reset(made)
    rest = numpy.array(made.cloths[0].points)
    shapes = []
    for frame in range(1, 24 * seconds + 1):
        time = frame / 24 if stop is None else min(frame / 24, stop)
        made.cloths[0].points[:, 2] = rest[:, 2] + 0.05 * numpy.sin(2 * numpy.pi * time)
        shapes.append(positions(simulator.advance_to(made, frame / 24)).reshape(rows, columns, 3))
    return numpy.array(shapes)


def bumps(shapes):
    """How far the middle column is from the straight line between its ends: frames × rows, m."""
    line = shapes[:, :, shapes.shape[2] // 2, 2]
    share = numpy.linspace(0, 1, line.shape[1])
    return line - (line[:, :1] + share * (line[:, -1:] - line[:, :1]))


def arrival(shapes):
    """Bumps near the lower edge relative to those at a fifth of the height, and the bumps of every row, after the first two swings."""
    spread = bumps(shapes[48:]).std(axis=0)
    last = len(spread) - 1
    return spread[last - last // 10] / spread[round(0.2 * last)], spread


def models(damping=1.0, equalNumbers=False):
    """The settings of the four models. `damping`: factor on the internal damping. equalNumbers: the coefficient of the fractional springs is the
    number of the dashpots' coefficient, as in the thesis; otherwise both damp steady motion equally with a relaxation time of 0.01 s."""
    # Models 1 to 3 are simulated in air with the weight reduced by buoyancy and the added mass included, so that buoyancy is the same in all.
    heavier = 1 + 0.5 * 1000 / 1050
    own = {"damping": 0.002 * damping, "bend_damping": 0.01 * damping}
    dashpot = {"gravity": 9.81 * (1 - 1000 / 1050) / heavier, "density": 0.2 * heavier, **own}
    # A fractional spring of relaxation time τ has the coefficient k √τ, a dashpot k τ.
    fractional = {name: value**2 for name, value in own.items()} if equalNumbers else own
    return {"1, viscous and normal drag": dict(dashpot, air_drag=STEADY / 2, wind_drag=STEADY / 2), "2, viscous drag": dict(dashpot, air_drag=STEADY),
            "3, normal drag": dict(dashpot, wind_drag=STEADY), "4, half derivatives": dict(fractional, immersion=1, normal_drag=0, boundary_layer=0.002)}


def wrinkles(shapes):
    """Mean curvature down the sheet, away from its edges, 1/m."""
    edge = numpy.linalg.norm(shapes[0, 1, 0] - shapes[0, 0, 0])
    return (numpy.linalg.norm(numpy.diff(shapes[48:], 2, axis=1), axis=3) / edge**2)[:, 3:-3, 1:-1].mean()


def settling(shapes, stop):
    """Seconds from the end of the drive until the energy of the bumps stays below a tenth."""
    energy = (bumps(shapes[round(24 * stop):])**2).mean(axis=1)
    later = numpy.maximum.accumulate(energy[::-1])[::-1]
    return numpy.argmax(later < 0.1 * later[0]) / 24


def run(case):
    curves = []
    for label, settings in (("damping as elsewhere", {}), ("ten times the internal damping", {"damping": 10}), ("equal numbers", {"equalNumbers": True})):
        shares = {}
        for name, params in models(**settings).items():
            shares[name], spread = arrival(play(**params))
            curves.append((f"{name}, {label}", numpy.linspace(0, 1, ROWS), 1e3 * spread, "-") if label != "equal numbers" or name.startswith("4") else None)
        regular = max(share for name, share in shares.items() if not name.startswith("4"))
        if label == "damping as elsewhere":
            for name, share in shares.items():
                case.row(f"waves that arrive, {label}, model {name}", share, regular)
        else:
            case.above(f"waves that arrive, {label}, half derivatives", shares["4, half derivatives"], regular, note="the best of models 1 to 3")
    case.above("waves that arrive, equal numbers, half derivatives", shares["4, half derivatives"], 0.3, note="limit set by the specification")
    pulled = {name: settling(play(stop=2, seconds=5, **params), 2) for name, params in models().items()}
    for name, time in pulled.items():
        case.row(f"time to settle after the drive stops, model {name}", time, pulled["3, normal drag"], "s")
    case.note("With little internal damping the drags decide, and the four models differ by a few per cent. Özgen's finding shows where internal damping decides: with ten times as much, half derivatives carry waves farthest, because they damp fast waves less than "
              "dashpots of the same steady damping. It shows, too, when the coefficients are equal as numbers, because a half derivative with a short history then damps a sixteenth as much. After the drive stops, the sheet settles later with normal "
              "drag alone than with half derivatives: only normal drag leaves tangential motion undamped.")
    case.draw("underwaterModels", "down from the upper edge, of the length", "spread out of the straight line, mm", [curve for curve in curves if curve])
