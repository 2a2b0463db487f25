"""A ball on cornstarch
Cornstarch in water hardens under impact, but an object placed on it sinks (Özgen 2013, chapter 5; solver doubleDensity, preset cornstarch). A ball two and a half times as dense as water hits it at 3 m/s, or is placed on it at rest; the impact is repeated
without hardening. The depth of the ball's lowest point below the surface is given in diameters. The fluid must stop the ball on impact (in Özgen's figure 5.7 it bounces and stays on the surface for a while), and without hardening the ball must sink
deeper. Limits and ball were fixed before the first run; the parameters of the fluid were not: the thesis does not give them, and those of the preset were chosen so that a ball bounces. The fluid is at rest before the ball hits it.
"""
import numpy
import purl
import tank

REFERENCE = "Özgen 2013, figure 5.7"

WIDTH, DEPTH, RADIUS, STRIKE = 0.4, 0.24, 0.05, 0.4


def run(case):
    curves, depths = [], {}
    for name, speed, hardens, factor in (("struck", 3, True, 1), ("struck, twice the hardening", 3, True, 2), ("struck, no hardening", 3, False, 1), ("laid down", 0, True, 1)):
        times, depths[name], room = play(speed, hardens, 0.03 if case.quick else 0.02, factor)
        curves.append((name, times, depths[name], "-"))
    soon = times <= 0.3
    struck = depths["struck"]
    case.below("maximum depth in the first 0.3 s after impact", struck[soon].max(), 0.5, "diameters")
    case.row("the same with twice the hardening", depths["struck, twice the hardening"][soon].max(), struck[soon].max(), "diameters", note="the preset's")
    case.below("relative to the maximum depth without hardening", struck[soon].max() / depths["struck, no hardening"][soon].max(), 0.7)
    deepest = int(struck[times <= 0.5].argmax())
    case.above("rebound after impact", struck[deepest] - struck[deepest:].min(), 0.02, "diameters")
    case.above("depth after 1.5 s, placed at rest", depths["laid down"][-1], 0.5, "diameters")
    case.note("The depth is a matter of the material, which the thesis does not give. With a spacing of 0.03 m it is 0.66 diameters with the preset, 0.45 with twice the hardening, 0.46 with three times the stiffness of the springs and 0.43 with both; 0.53 for a ball of "
              "1500 kg/m³ and 0.56 at 2 m/s. After 1.5 s the ball has sunk to 0.54, 0.53 and 0.41 diameters in the stiffer ones.")
    case.note(f"The floor is at a depth of {room:.2f} diameters.")
    case.draw("impact", "time, s", "depth of the lowest point, diameters", curves)


def play(speed, hardens, spacing, factor=1):
    """Returns times since the ball was released just above the surface, the depths of the ball, and that of the fluid."""
    paste = purl.Fluid("paste", preset="cornstarch")
    paste.volumes = [tank.block((-WIDTH / 2, 0, -WIDTH / 2), (WIDTH / 2, DEPTH, WIDTH / 2))]
    paste.particle_spacing = spacing
    paste.hardening = factor * paste.hardening if hardens else 0
    ball = purl.Collider("ball", shape="sphere", radius=RADIUS, density=2500, friction=0.5)
    ball.position = (0, 1, 0)
    walls = tank.closedBox((-WIDTH / 2, 0, -WIDTH / 2), (WIDTH / 2, 2, WIDTH / 2), friction=0.5)
    scene = tank.settings(purl.Scene([paste], [walls, ball]), pressure_solver="doubleDensity")
    simulator = purl.Simulator(threads=2)
    simulator.reset(scene)
    heights = simulator.advance_to(scene, STRIKE).points.positions[:, 1]
    surface = float(numpy.percentile(heights, 99)) + spacing / 2
    begin = surface + RADIUS + 0.01
    for frames in (1, 0):  # keyed for two frames, so that the ball gets its initial velocity
        ball.position = (0, begin + frames * 0.02 * speed, 0)
        simulator.advance_to(scene, STRIKE + 0.04 - 0.02 * frames)
    ball.motion = "dynamic"
    times = numpy.arange(1, 76) / 50
    low = [next(mesh for mesh in simulator.advance_to(scene, STRIKE + 0.04 + time).meshes if mesh.name == "ball").positions[:, 1].min()
           for time in times]
    return times, (surface - numpy.array(low)) / (2 * RADIUS), surface / (2 * RADIUS)
