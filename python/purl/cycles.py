"""Renders Purl's caches with Blender's Cycles, through bpy (pip install bpy: 300 MB, for one version of Python).

    python -m purl.cycles out/jetOnKnit --frames 28 --size 960x540 --samples 64

It reads the files like any other renderer: liquids from Alembic; cloths, yarns and foam from USD. Camera, lights and materials
are those of `purl render` (`--format json`), so both images show the same scene. Water is glass with absorption in its volume. Each ply
of a yarn is a curve, darker and shinier where it is wet.
"""
import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

import purl


class Refused(Exception):
    """Invalid input: one line that says who, what, and what would help."""


def read_frames(text, known):
    """Parses "3" or "3-7" and checks that the cache has these frames; an empty text means all frames."""
    if not text:
        return known
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not match:
        raise Refused(f'frames "{text}": expected a frame or a range, like 1-24')
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first or any(number not in known for number in range(first, last + 1)):
        raise Refused(f'frames "{text}": the cache has {known[0]}-{known[-1]}')
    return list(range(first, last + 1))


def read_size(text):
    match = re.fullmatch(r"(\d+)x(\d+)", text)
    if not match or not all(16 <= int(side) <= 16384 for side in match.groups()):
        raise Refused(f'size "{text}": expected width x height in pixels, like 960x540')
    return int(match[1]), int(match[2])


def cached_frames(cache):
    """Numbers of the frames in a cache, ascending. While a run writes it, the latest ones are listed only in manifest.journal;
    read_cache reads both."""
    if not (Path(cache) / "manifest.json").is_file():
        raise Refused(f"{cache}: not a cache; purl sim makes one")
    try:
        numbers = purl.read_cache(cache).numbers
    except purl.Error as reason:
        raise Refused(str(reason)) from None
    if not numbers:
        raise Refused(f"{cache}: the cache holds no frames")
    return numbers


def run_purl(*words):
    program = os.environ.get("PURL_BIN") or shutil.which("purl")
    if not program:
        raise Refused("purl: not found; add it to the PATH, or set PURL_BIN to its path")
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise Refused(done.stderr.strip().splitlines()[-1].removeprefix("purl: "))


def absorption(color, depth):
    """Absorption coefficients by Beer's law, such that white light has the given colour after `depth`."""
    return [-math.log(min(max(c, 1e-3), 0.999)) / depth for c in color]


def upright(points):
    """Converts from Maya's y-up to Blender's z-up."""
    points = numpy.asarray(points, dtype=numpy.float32).reshape(-1, 3)
    return numpy.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1)


def spans(positions, values, per_span):
    """Samples a pinned Catmull-Rom curve with `per_span` points per span; `values` (dict) are interpolated linearly."""
    p = numpy.concatenate([2 * positions[:1] - positions[1:2], positions, 2 * positions[-1:] - positions[-2:-1]])
    a, b, c, d = (p[k:len(p) - 3 + k, None, :] for k in range(4))
    t = numpy.linspace(0, 1, per_span, endpoint=False, dtype=numpy.float32)[None, :, None]
    x = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t ** 2 + (3 * b - a - 3 * c + d) * t ** 3)

    def along(v):
        v = v.reshape(len(v), -1)
        between = v[:-1, None, :] * (1 - t) + v[1:, None, :] * t
        return numpy.concatenate([between.reshape(-1, v.shape[1]), v[-1:]])

    return numpy.concatenate([x.reshape(-1, 3), positions[-1:]]), {name: along(v) for name, v in values.items()}


UPWARDS = (0.16, 0.30, 0.52)  # factor on the colour of the studio's wall at the top


def unit(v):
    return v / numpy.maximum(numpy.linalg.norm(v, axis=-1, keepdims=True), 1e-12)


def sides(x):
    """Rotation-minimizing frames along a curve: two unit vectors normal to it."""
    tangents = unit(numpy.gradient(x, axis=0)).astype(numpy.float64)
    side, result = numpy.array([1.0, 0, 0]), numpy.empty_like(tangents)
    for i, tangent in enumerate(tangents):
        across = side - side.dot(tangent) * tangent
        length = math.sqrt(across.dot(across))
        if length < 1e-6:
            across = numpy.cross(tangent, [0, 1, 0] if abs(tangent[0]) > 0.7 else [1, 0, 0])
            length = math.sqrt(across.dot(across))
        side = result[i] = across / length
    return result, numpy.cross(tangents, result)


def ply_curves(positions, radii, twists, plies, values, per_span=3):
    """The plies of a yarn: one curve [positions, radii, values] each. They touch each other and fill the width of the yarn."""
    x, along = spans(positions, {**values, "radius": radii, "twist": twists}, per_span)
    share = math.sin(math.pi / plies) / (1 + math.sin(math.pi / plies))
    side, other = sides(x)
    radius = along.pop("radius")
    turn = along.pop("twist")
    threads = []
    for k in range(plies):
        angle = turn + 2 * math.pi * k / plies
        offset = (1 - share) * radius * (numpy.cos(angle) * side + numpy.sin(angle) * other)
        threads.append([(x + offset).astype(numpy.float32), (share * radius).ravel(), along])
    return threads


class BlenderScene:
    """The Blender scene of one frame, built from a view of `purl render`. Lengths are in scene units."""

    def __init__(self, bpy, size, samples):
        self.bpy, self.size = bpy, size
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.scene = bpy.context.scene
        self.scene.render.engine = "CYCLES"
        cycles = self.scene.cycles
        cycles.device = "CPU"
        cycles.samples = samples
        cycles.seed = 0
        cycles.use_denoising = True
        cycles.denoiser = "OPENIMAGEDENOISE"
        # Total internal reflection in drops and jets (which Cycles counts as glossy) needs many bounces; terminated paths are black.
        cycles.max_bounces = cycles.transmission_bounces = cycles.glossy_bounces = cycles.transparent_max_bounces = 48
        cycles.sample_clamp_indirect = 8  # avoids fireflies from light paths through water
        self.scene.render.resolution_x, self.scene.render.resolution_y = size
        self.scene.render.image_settings.file_format = "PNG"
        self.scene.view_settings.view_transform = "Khronos PBR Neutral"  # preserves colours, compresses highlights

    def set(self, view, files, number):
        """`files`: the files of the frame, by (item, file extension)."""
        for thing in list(self.bpy.data.objects):
            self.bpy.data.objects.remove(thing)
        self.bpy.ops.outliner.orphans_purge(do_recursive=True)
        low, high = (numpy.array(view["focus"][end]) for end in ("low", "high"))
        self.radius = max(0.5 * numpy.linalg.norm(high - low), 1e-4) if (high >= low).all() else 1.0
        self.middle = 0.5 * (low + high)
        self.scene.view_settings.exposure = math.log2(view["exposure"])
        self.set_camera(view["camera"])
        self.set_sky(view)
        self.add_softboxes(view)
        for light in view["lights"]:
            self.add_light(light)
        if view["ground"]["visible"]:
            self.add_ground(view["ground"])
        shown = 0
        for mesh in view["meshes"]:
            shown += self.add_mesh(mesh, files, number)
        for yarn in view["yarns"]:
            shown += self.add_yarn(yarn, files, number)
        for foam in view["foams"]:
            shown += self.add_foam(foam, files, number)
        for lines in view["lines"]:
            self.add_lines(lines)
        return shown

    def draw(self, path):
        self.scene.render.filepath = str(path)
        self.bpy.ops.render.render(write_still=True)

    def add(self, name, data):
        thing = self.bpy.data.objects.new(name, data)
        self.scene.collection.objects.link(thing)
        return thing

    def turned(self, position, right, up, back):
        """Blender's transformation matrix for a position and axes in Maya's coordinates."""
        from mathutils import Matrix

        columns = upright([right, up, back, position])
        return Matrix([[*(float(columns[c][r]) for c in range(4))] for r in range(3)] + [[0, 0, 0, 1]])

    def set_camera(self, camera):
        lens = self.bpy.data.cameras.new("camera")
        lens.sensor_fit = "VERTICAL"
        lens.angle_y = camera["verticalFov"]
        away = float(numpy.linalg.norm(numpy.array(camera["position"]) - self.middle))
        lens.clip_start, lens.clip_end = 1e-3 * self.radius, away + 100 * self.radius
        thing = self.add("camera", lens)
        thing.matrix_world = self.turned(camera["position"], camera["right"], camera["up"], camera["back"])
        self.scene.camera = thing

    def set_sky(self, view):
        """The sky illuminates the scene. Camera rays, also through water, see the studio's wall instead: bright above the horizon and
        bluer upwards, as in `purl render` (render/shaders/backdrop.glsl)."""
        world = self.scene.world = self.bpy.data.worlds.new("sky")
        world.use_nodes = True
        tree = world.node_tree
        new, link = tree.nodes.new, tree.links.new
        ambient = sum((numpy.array(light["color"]) for light in view["lights"] if light["kind"] == "ambient"), numpy.zeros(3))
        where = new("ShaderNodeTexCoord")
        height = new("ShaderNodeSeparateXYZ")
        link(where.outputs["Generated"], height.inputs[0])
        share = new("ShaderNodeMapRange")
        share.inputs["From Min"].default_value = -1
        link(height.outputs["Z"], share.inputs["Value"])

        def ramp(stops):
            node = new("ShaderNodeValToRGB")
            for _ in stops[2:]:
                node.color_ramp.elements.new(0.5)
            for stop, (at, color) in zip(node.color_ramp.elements, stops):
                stop.position, stop.color = at, (*color, 1)
            link(share.outputs[0], node.inputs[0])
            return node.outputs["Color"]

        sky = ramp([(at, numpy.array(view["sky"][name]) + ambient)
                    for at, name in ((0.35, "floor"), (0.51, "horizon"), (1.0, "zenith"))])
        wall = numpy.array(view["background"])
        heights = (0, 0.05, 0.12, 0.22, 0.36, 0.6, 1)
        seen = ramp([(0.5 + 0.5 * y, wall * (1 - (1 - numpy.array(UPWARDS)) * (1 - math.exp(-3 * y)))) for y in heights])
        path = new("ShaderNodeLightPath")
        lights = path.outputs["Is Diffuse Ray"]
        either = new("ShaderNodeMix")
        either.data_type = "RGBA"
        link(lights, either.inputs["Factor"])
        link(seen, either.inputs[6])
        link(sky, either.inputs[7])
        link(either.outputs[2], tree.nodes["Background"].inputs["Color"])

    def add_softboxes(self, view):
        """Lamps visible only as reflections in water: a large one overhead on the key light's side, a long one opposite."""
        key = next((light for light in view["lights"] if light["kind"] == "directional"), None)
        if key is None:
            return
        towards = -unit(numpy.array(key["direction"]))
        level = unit(numpy.array([towards[0], 0, towards[2]]) + [1e-6, 0, 0])
        for place, size, strength in ((8 * unit(0.75 * level + [0, 1, 0]), (7, 12), 4.5), (8 * unit([0, 0.62, 0] - level), (14, 3.2), 1.6)):
            lamp = self.bpy.data.lights.new("softbox", "AREA")
            lamp.shape, (lamp.size, lamp.size_y) = "RECTANGLE", (self.radius * side for side in size)
            lamp.color = [c / (max(key["color"]) or 1) for c in key["color"]]
            lamp.energy = math.pi * strength * max(key["color"]) * lamp.size * lamp.size_y  # power of a lamp of radiance L and area A: π L A
            back = unit(place)
            right = unit(numpy.cross(level, back))
            thing = self.add("softbox", lamp)
            thing.matrix_world = self.turned(self.middle + self.radius * place, numpy.cross(right, back), right, back)
            thing.visible_camera = thing.visible_diffuse = thing.visible_transmission = thing.visible_volume_scatter = False

    def add_light(self, light):
        """Converts units: in `purl render` a surface has the radiance albedo × light × cos, in Cycles albedo / π × irradiance × cos."""
        if light["kind"] == "ambient":
            return
        kind = light["kind"]
        lamp = self.bpy.data.lights.new("light", {"directional": "SUN"}.get(kind, kind.upper()))
        strength = max(light["color"]) or 1
        lamp.color = [c / strength for c in light["color"]]
        # other decays than quadratic are matched at the centre of the picture
        away = float(numpy.linalg.norm(numpy.array(light["position"]) - self.middle))
        strength *= away ** (2 - light["decay"]) if kind != "directional" else 1
        back = -unit(numpy.array(light["direction"]))
        right = unit(numpy.cross([0, 1, 0] if abs(back[1]) < 0.9 else [1, 0, 0], back))
        if kind == "directional":
            lamp.energy, lamp.angle = math.pi * strength, 0.03
        elif kind == "area":
            lamp.energy = math.pi ** 2 * strength  # P watts give P / (π d²) in front of it
            lamp.shape = "RECTANGLE"
            lamp.size, lamp.size_y = (2 * float(numpy.linalg.norm(light[side])) for side in ("across", "up"))
            right = unit(numpy.array(light["across"]))
        else:
            lamp.energy = 4 * math.pi ** 2 * strength  # P watts give P / (4π d²)
            lamp.shadow_soft_size = 0.02 * self.radius
        if kind == "spot":
            outer = light["cone"] + 2 * max(light["penumbra"], 0)
            lamp.spot_size = min(outer, 3.14)
            lamp.spot_blend = min(2 * abs(light["penumbra"]) / outer, 1) if outer > 0 else 0
        self.add("light", lamp).matrix_world = self.turned(light["position"], right, numpy.cross(back, right), back)

    def shader(self, name, color, roughness):
        material = self.bpy.data.materials.new(name)
        material.use_nodes = True
        bsdf = material.node_tree.nodes["Principled BSDF"]
        bsdf.inputs["Base Color"].default_value = (*color, 1)
        bsdf.inputs["Roughness"].default_value = roughness
        return material, material.node_tree, bsdf

    def water(self, look):
        material, tree, bsdf = self.shader(look["name"], (1, 1, 1), 0)
        bsdf.inputs["IOR"].default_value = 1.333
        bsdf.inputs["Transmission Weight"].default_value = 1
        taken = absorption(look["color"], look["clarity"] or 0.45 * self.radius)
        volume = tree.nodes.new("ShaderNodeVolumeAbsorption")
        # Cycles absorbs density × (1 − colour).
        volume.inputs["Color"].default_value = (*(1 - t / max(taken) for t in taken), 1)
        volume.inputs["Density"].default_value = max(taken)
        end = tree.nodes["Material Output"]
        tree.links.new(volume.outputs[0], end.inputs["Volume"])
        # Shadow rays pass straight through water, attenuated by the volume: caustics would need very many paths.
        clear, either, path = map(tree.nodes.new, ("ShaderNodeBsdfTransparent", "ShaderNodeMixShader", "ShaderNodeLightPath"))
        tree.links.new(path.outputs["Is Shadow Ray"], either.inputs[0])
        tree.links.new(bsdf.outputs[0], either.inputs[1])
        tree.links.new(clear.outputs[0], either.inputs[2])
        tree.links.new(either.outputs[0], end.inputs["Surface"])
        return material

    def fabric(self, name, color, attributes):
        """Uses the colours of the points if they have any; wetness adds shine and removes fuzz."""
        material, tree, bsdf = self.shader(name, color, 0.75)

        def attribute(of, output):
            node = tree.nodes.new("ShaderNodeAttribute")
            node.attribute_name = of
            return node.outputs[output]

        def mapped(value, dry, wet, to):
            node = tree.nodes.new("ShaderNodeMapRange")
            node.inputs["To Min"].default_value, node.inputs["To Max"].default_value = dry, wet
            tree.links.new(value, node.inputs["Value"])
            tree.links.new(node.outputs[0], bsdf.inputs[to])

        own = next((n for n in ("wetColor", "displayColor", "Cd") if n in attributes), None)
        if own:
            tree.links.new(attribute(own, "Color"), bsdf.inputs["Base Color"])
        if "wetness" in attributes:
            wet = attribute("wetness", "Fac")
            mapped(wet, 0.75, 0.25, "Roughness")
            mapped(wet, 0.4, 0.0, "Sheen Weight")
        else:
            bsdf.inputs["Sheen Weight"].default_value = 0.4
        return material

    def set_glow(self, tree, bsdf, look, attributes):
        """Emission, which fades with age if the material cools."""
        strength = max(look["glow"])
        if strength <= 0:
            return
        bsdf.inputs["Emission Color"].default_value = (*(c / strength for c in look["glow"]), 1)
        bsdf.inputs["Emission Strength"].default_value = strength
        if look["cooling"] <= 0 or "age" not in attributes:
            return
        age, share, fade = tree.nodes.new("ShaderNodeAttribute"), tree.nodes.new("ShaderNodeMath"), tree.nodes.new("ShaderNodeMath")
        age.attribute_name = "age"
        share.operation, share.inputs[1].default_value = "MULTIPLY", -1 / look["cooling"]
        fade.operation, fade.inputs[0].default_value = "POWER", math.e
        scale = tree.nodes.new("ShaderNodeMath")
        scale.operation, scale.inputs[1].default_value = "MULTIPLY", strength
        for a, b in ((age.outputs["Fac"], share.inputs[0]), (share.outputs[0], fade.inputs[1]), (fade.outputs[0], scale.inputs[0]),
                     (scale.outputs[0], bsdf.inputs["Emission Strength"])):
            tree.links.new(a, b)

    def load(self, path, number):
        """Imports a file as one object; None if it is empty."""
        before = set(self.bpy.data.objects)
        if path.suffix == ".abc":
            self.bpy.ops.wm.alembic_import(filepath=str(path), as_background_job=False, set_frame_range=False)
        else:
            self.bpy.ops.wm.usd_import(filepath=str(path), set_frame_range=False)
        self.scene.frame_set(number)
        shapes = [o for o in self.bpy.data.objects if o not in before and o.type in ("MESH", "CURVES", "POINTCLOUD")]
        if not shapes:
            return None
        # Keep scene units: some versions of Blender convert to metres with a scaled parent.
        turn = shapes[0].matrix_world.to_quaternion().to_matrix().to_4x4()
        shapes[0].parent = None
        shapes[0].matrix_world = turn
        return shapes[0]

    def frozen(self, thing):
        """Evaluates the shape at this frame, which importers leave to a modifier."""
        return thing.evaluated_get(self.bpy.context.evaluated_depsgraph_get()).data

    def add_mesh(self, look, files, number):
        water = look["material"] == "water"
        if look["inCache"]:
            path = files.get((look["name"], ".abc" if water else ".usda"))
            thing = self.load(path, number) if path else None
            if thing is None:
                return 0
        else:
            data = self.bpy.data.meshes.new(look["name"] or "solid")
            triangles = numpy.array(look["triangles"]).reshape(-1, 3)
            data.from_pydata(upright(look["positions"]).tolist(), [], triangles.tolist())
            thing = self.add(data.name, data)
        data = thing.data
        if len(data.polygons) == 0:
            return 0
        names = {attribute.name for attribute in self.frozen(thing).attributes}
        if water:
            material = self.water(look)
        elif look["inCache"] and look["opacity"] >= 1 and look["roughness"] > 0.7:
            material = self.fabric(look["name"], look["color"], names)
        else:
            material, tree, bsdf = self.shader(look["name"] or "solid", look["color"], look["roughness"])
            # A container is a surface without thickness: mostly transparent, visible by its reflections.
            bsdf.inputs["Alpha"].default_value = 0.1 if look["material"] == "glass" else look["opacity"]
            self.set_glow(tree, bsdf, look, names)
        data.materials.clear()
        data.materials.append(material)
        if look["inCache"]:
            data.polygons.foreach_set("use_smooth", [True] * len(data.polygons))
        else:
            data.set_sharp_from_angle(angle=look["creaseAngle"])
        return 1

    def add_yarn(self, look, files, number):
        path = files.get((look["name"], ".usda"))
        thing = self.load(path, number) if path else None
        if thing is None:
            return 0
        data = self.frozen(thing)
        kept = {a.name: a for a in data.attributes}

        def read(name, width, field):
            values = numpy.empty(len(kept[name].data) * width, dtype=numpy.float32)
            kept[name].data.foreach_get(field, values)
            return values.reshape(-1, width) if width > 1 else values

        x, radii = read("position", 3, "vector"), read("radius", 1, "value")
        twists = read("twist", 1, "value") if "twist" in kept else numpy.zeros(len(x), dtype=numpy.float32)
        values = {}
        if "wetness" in kept:
            values["wetness"] = read("wetness", 1, "value")
        ends = numpy.cumsum([curve.points_length for curve in data.curves])
        counts = numpy.diff(ends, prepend=0)
        if "wetColor" in kept:
            values["wetColor"] = read("wetColor", 4, "color")
        elif "displayColor" in kept:  # one per yarn
            values["wetColor"] = numpy.repeat(read("displayColor", 4, "color"), counts, axis=0)
        threads = []
        for first, end in zip(ends - counts, ends):
            if end - first < 2:
                continue
            own = {name: v[first:end] for name, v in values.items()}
            if look["plies"] > 1:
                threads += ply_curves(x[first:end], radii[first:end], twists[first:end], look["plies"], own)
            else:
                threads.append([x[first:end], radii[first:end], own])
        matrix = thing.matrix_world.copy()
        self.bpy.data.objects.remove(thing)
        if not threads:
            return 0
        curves = self.bpy.data.hair_curves.new(look["name"])
        curves.add_curves([len(thread[0]) for thread in threads])

        def write(name, kind, field, arrays):
            attribute = curves.attributes.get(name) or curves.attributes.new(name, kind, "POINT")
            attribute.data.foreach_set(field, numpy.concatenate([numpy.ravel(a) for a in arrays]).astype(numpy.float32))

        write("position", "FLOAT_VECTOR", "vector", [thread[0] for thread in threads])
        write("radius", "FLOAT", "value", [thread[1] for thread in threads])
        for name in values:
            kind, field = ("FLOAT_COLOR", "color") if name == "wetColor" else ("FLOAT", "value")
            write(name, kind, field, [thread[2][name] for thread in threads])
        self.add(look["name"], curves).matrix_world = matrix
        curves.materials.append(self.fabric(look["name"], (0.7, 0.55, 0.35), set(values)))
        return 1

    def add_foam(self, look, files, number):
        path = files.get((look["name"], ".usda"))
        thing = self.load(path, number) if path else None
        if thing is None:
            return 0
        material, _, bsdf = self.shader(look["name"], look["color"], 0.5)
        bsdf.inputs["Alpha"].default_value = 0.6  # films of water: mostly transparent
        thing.data.materials.append(material)
        return 1

    def add_ground(self, ground):
        # Slightly above the lowest object: a gap of air below water would reflect.
        side, height = 50 * self.radius, ground["height"] + 9e-3 * self.radius
        corners = [(self.middle[0] + sx * side, height, self.middle[2] + sz * side)
                   for sx, sz in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        data = self.bpy.data.meshes.new("ground")
        data.from_pydata(upright(corners).tolist(), [], [(0, 1, 2, 3)])
        material, tree, bsdf = self.shader("ground", ground["color"], 0.85)
        # The ground fades into the wall with distance.
        place, away, there, clear, either = map(tree.nodes.new, (
            "ShaderNodeNewGeometry", "ShaderNodeVectorMath", "ShaderNodeMapRange", "ShaderNodeBsdfTransparent", "ShaderNodeMixShader"))
        away.operation = "DISTANCE"
        away.inputs[1].default_value = upright([[self.middle[0], height, self.middle[2]]])[0]
        there.interpolation_type = "SMOOTHSTEP"
        there.inputs["From Min"].default_value, there.inputs["From Max"].default_value = self.radius, 6.6 * self.radius
        for a, b in ((place.outputs["Position"], away.inputs[0]), (away.outputs["Value"], there.inputs["Value"]),
                     (there.outputs[0], either.inputs[0]), (bsdf.outputs[0], either.inputs[1]), (clear.outputs[0], either.inputs[2]),
                     (either.outputs[0], tree.nodes["Material Output"].inputs["Surface"])):
            tree.links.new(a, b)
        data.materials.append(material)
        self.add("ground", data)

    def add_lines(self, lines):
        """Edges of transparent objects, as thin rods."""
        ends = upright(lines["ends"])
        if not len(ends):
            return
        curves = self.bpy.data.hair_curves.new("lines")
        curves.add_curves([2] * (len(ends) // 2))
        curves.attributes["position"].data.foreach_set("vector", ends.ravel())
        curves.attributes.new("radius", "FLOAT", "POINT").data.foreach_set("value", [1.5e-3 * self.radius] * len(ends))
        curves.materials.append(self.shader("lines", lines["color"], 0.5)[0])
        self.add("lines", curves)


def files_of(folder):
    """Files of a cache with one frame, by item and file extension. The cache is complete, so it has no journal."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    foams = {body["name"] for body in manifest["bodies"] if body["kind"] == "foam"}
    return {(file["item"], Path(file["name"]).suffix): folder / file["name"] for file in manifest["frames"][0]["files"]
            if file["content"] != "points" or file["item"] in foams}


def render(bpy, cache, out, frames, size, samples, camera=""):
    stage = BlenderScene(bpy, size, samples)
    named = ["--camera", camera] if camera else []
    for number in frames:
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            run_purl("convert", cache, folder / "files", "--format", "abc:meshes,usda", "--frames", f"{number}-{number}", "--quiet")
            run_purl("render", cache, "--format", "json", "-o", folder, "--frames", f"{number}-{number}", "--size",
                     f"{size[0]}x{size[1]}", "--quiet", *named)
            view = json.loads((folder / f"{number:04}.json").read_text(encoding="utf-8"))
            if not stage.set(view, files_of(folder / "files"), number):
                print(f"purl: warning: frame {number}: the cache has nothing to render", file=sys.stderr)
            stage.draw(out / f"{number:04}.png")


def main(words=None):
    parser = argparse.ArgumentParser(prog="python -m purl.cycles", description="Render a cache with Blender's Cycles.")
    parser.add_argument("cache", help="cache folder")
    parser.add_argument("--frames", default="", help="A-B [all]")
    parser.add_argument("--size", default="960x540", help="width x height in pixels [960x540]")
    parser.add_argument("--samples", type=int, default=64, help="samples per pixel [64]")
    parser.add_argument("--camera", default="", help="camera of the scene [the renderable one, or one fitted to the subject]")
    parser.add_argument("--out", default="", help="folder for the images [<cache>/cycles]")
    options = parser.parse_args(words)
    try:
        frames = read_frames(options.frames, cached_frames(options.cache))
        size = read_size(options.size)
        if options.samples < 1:
            raise Refused(f"samples {options.samples}: must be at least 1")
        try:
            import bpy
        except ImportError:
            raise Refused("cycles: needs Blender as a Python module: pip install bpy") from None
        out = Path(options.out or Path(options.cache) / "cycles").resolve()
        out.mkdir(parents=True, exist_ok=True)
        render(bpy, options.cache, out, frames, size, options.samples, options.camera)
    except Refused as reason:
        print(f"purl: {reason}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
