"""A sphere sinking in a viscous fluid
A heavy sphere sinks slowly through a viscous fluid (Reynolds number 0.01). In an infinite fluid its speed would be Stokes's 2/9 Δρ g R²/μ. Here it falls along the axis of a tube three times as wide, which slows it; the reference is the correction of
Haberman and Sayre (1958) for R/R₀ = 1/3. The ends of the tube are more than three tube radii away, where the flow around the sphere has decayed. A third of the drag is pressure, two thirds are viscous. The radius is only a few particles, so the
position of the interface is known to half a particle.

The sphere is as dense as tungsten because the particle fluid seems to resist a little shear like a solid; ordinary spheres follow for comparison. The dense sphere also slows down, by a seventh during the measurement: the figure is its mean speed from 0.35 s on, not a steady speed, and
approaches the reference from above. The sphere is held for the first 0.3 s while the initial particle lattice settles.
"""
import numpy
import purl
import tank

REFERENCE = "Haberman and Sayre 1958"

RADIUS, TUBE, VISCOSITY, DENSITY, BALL, HELD = 0.04, 0.12, 365.0, 1000.0, 19250.0, 0.3
STOKES = 2 / 9 * (BALL - DENSITY) * 9.81 * RADIUS**2 / VISCOSITY


def slowed(ratio):
    """Factor by which the wall of a tube slows the sphere, Haberman and Sayre 1958: K = (1 − 0.75857 λ⁵)/(1 − 2.1050 λ + 2.0865 λ³ − 1.7068 λ⁵ + 0.72603 λ⁶)"""
    return (1 - 2.1050 * ratio + 2.0865 * ratio**3 - 1.7068 * ratio**5 + 0.72603 * ratio**6) / (1 - 0.75857 * ratio**5)


def run(case):
    expected = STOKES * slowed(RADIUS / TUBE)
    curves = []
    for cells in ((3,) if case.quick else (3, 4)):
        times, heights = play(cells)
        case.row(f"speed, {cells} particles per radius", speed(times, heights), expected, "m/s", within=20 if cells == 3 else 15)
        curves.append((f"{cells} particles per radius", times[1:], -numpy.diff(heights) / numpy.diff(times), "-"))
    if not case.quick:
        for ratio in (4, 2):
            times, heights = play(3, ratio)
            case.row(f"the same, {ratio} times as dense as the fluid", speed(times, heights), expected, "m/s", within=20)
            curves.append((f"{ratio} times as dense", times[1:], -numpy.diff(heights) / numpy.diff(times), "-"))
    case.note("The lighter balls sink through a fluid of a lower viscosity, at which Stokes's speed is the same. A ball of 1.5 times the density sank at 0.08 of that speed, 0.5 expected, and one as dense as the fluid drifted up at 0.06: the resistance acts against sinking and rising alike, so that it is not a wrong buoyancy. "
              "It is about as large as half the weight of the displaced fluid, whatever the density of the ball, as if the particles yielded only under a stress: 3 % of the weight of a ball of tungsten, and half that of an ordinary one.")
    curves.append(("Haberman and Sayre", times, 0 * times + expected, "k--"))
    case.draw("stokes", "time, s", "speed, m/s", curves)


def speed(times, heights):
    late = times > 0.35
    return -numpy.polyfit(times[late], heights[late], 1)[0]


def play(cells, ratio=BALL / DENSITY):
    """Times and heights of a ball of that density relative to the fluid, whose viscosity gives it the speed of the tungsten one."""
    spacing = RADIUS / cells
    room = tank.hollow(tank.tube(TUBE, -0.24, 0.24), tank.ball((0, 0.02, 0), RADIUS + 0.4 * spacing))
    syrup = purl.Fluid("syrup", [room], particle_spacing=spacing, rest_density=DENSITY, viscosity=VISCOSITY * (ratio - 1) * DENSITY / (BALL - DENSITY),
                       viscosity_model="implicit", surface_tension=0)
    ball = purl.Collider("ball", shape="sphere", radius=RADIUS, density=ratio * DENSITY, friction=1)
    ball.position = (0, 0.02, 0)
    walls = purl.Collider("tube", shape="mesh", container=True, friction=1)
    walls.mesh = tank.tube(TUBE, -0.24, 0.4)
    scene = tank.settings(purl.Scene([syrup], [walls, ball]), pressure_solver="dfsph", xsph=0, max_time_step=0.002)
    simulator = purl.Simulator(threads=2)
    simulator.reset(scene)
    simulator.advance_to(scene, HELD)
    ball.motion = "dynamic"
    times, heights = numpy.arange(1, 81) * 0.01, []
    for time in times:
        meshes = simulator.advance_to(scene, HELD + time).meshes
        heights.append(next(mesh for mesh in meshes if mesh.name == "ball").positions[:, 1].mean())
    return times, numpy.array(heights)
