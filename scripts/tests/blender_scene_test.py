#!/usr/bin/env python3
"""Cameras, lights, custom properties and second texture coordinates from FBX, beside Blender's.

Usage: blender_scene_test.py SINEW. Blender (skipped where it is missing) writes a scene as FBX. That
file becomes a .glb by `sinew export`, and one by Blender's own importer and exporter. The other way,
Blender reads the FBX file that `sinew export` makes of the .glb.
"""
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SINEW = ""
WATTS = 683.0  # lumens each: Blender's exporter takes an intensity for watts

WRITE = """
import bpy, math, sys
folder = sys.argv[-1]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.mesh.primitive_cube_add()
box = bpy.context.object
box.name = "Box"
first = box.data.uv_layers[0].data
second = box.data.uv_layers.new(name="Lightmap").data
for a, b in zip(first, second):
    b.uv = (0.5 * a.uv[0] + 0.25, 0.25 * a.uv[1])
box["health"], box["speed"], box["title"], box["home"] = 7, 1.5, 'the "first"', (1.0, 2.0, 3.5)
def add(name, data):
    made = bpy.data.objects.new(name, data)
    made.location, made.rotation_euler = (4, -5, 3), (1.1, 0.4, 0.7)
    bpy.context.collection.objects.link(made)
    return made
lens = bpy.data.cameras.new("Lens")
lens.lens, lens.sensor_width, lens.clip_start, lens.clip_end = 35, 32, 0.25, 80
add("Eye", lens)["shot"] = 3
for kind in ("SPOT", "POINT", "SUN"):
    light = bpy.data.lights.new(kind, kind)
    light.energy, light.color = 50, (1, 0.5, 0.25)
    if kind == "SPOT":
        light.spot_size, light.spot_blend = math.radians(60), 0.25
    add("Light" + kind, light)
render = bpy.context.scene.render
render.resolution_x, render.resolution_y = 1600, 1000
bpy.ops.export_scene.fbx(filepath=folder + "/scene.fbx", use_custom_props=True)
"""

CONVERT = """
import bpy, sys
source, target = sys.argv[-2:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.fbx(filepath=source)
render = bpy.context.scene.render
render.resolution_x, render.resolution_y = 1600, 1000
bpy.ops.export_scene.gltf(filepath=target, export_cameras=True, export_lights=True, export_extras=True)
"""


# Blender uses Debian's Python; another python3 first in PATH misleads it.
ENVIRONMENT = dict(os.environ, PATH="/usr/local/bin:/usr/bin:/bin:" + os.environ.get("PATH", ""))


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, check=False,
                          env=ENVIRONMENT)
    if done.returncode != 0:
        raise RuntimeError(done.stdout + done.stderr)


def blender(script, folder, *words):
    path = Path(folder) / "script.py"
    path.write_text(script)
    run("blender", "-b", "--factory-startup", "--python-exit-code", "1", "-P", path, "--", *words)


def json_of(glb):
    data = Path(glb).read_bytes()
    return json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])


def product(a, b):
    """Of two transforms: a matrix of three rows, a place."""
    rows = [[sum(a[0][r][k] * b[0][k][c] for k in range(3)) for c in range(3)] for r in range(3)]
    place = [a[1][r] + sum(a[0][r][k] * b[1][k] for k in range(3)) for r in range(3)]
    return rows, place


def local(node):
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    scale = node.get("scale", (1, 1, 1))
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[row[c] * scale[c] for c in range(3)] for row in rows], list(node.get("translation", (0, 0, 0)))


def unit(vector):
    length = math.sqrt(sum(x * x for x in vector))
    return [x / length for x in vector]


def parts(document):
    """By name: what a camera or light is, where it is, and which way it looks; extras of nodes."""
    out, extras = {}, {}

    def walk(index, above):
        node = document["nodes"][index]
        rows, place = product(above, local(node))
        if "extras" in node:
            extras[node["name"]] = node["extras"]
        found = None
        if "camera" in node:
            found = document["cameras"][node["camera"]]
        light = node.get("extensions", {}).get("KHR_lights_punctual")
        if light:
            found = document["extensions"]["KHR_lights_punctual"]["lights"][light["light"]]
        if found:
            out[found["name"]] = {"is": found, "at": place,
                                  "way": unit([-row[2] for row in rows]), "up": unit([row[1] for row in rows])}
        for child in node.get("children", []):
            walk(child, (rows, place))

    for root in document["scenes"][0]["nodes"]:
        walk(root, ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0]))
    return out, extras


def attributes(document):
    return {name for mesh in document["meshes"] for primitive in mesh["primitives"] for name in primitive["attributes"]}


@unittest.skipUnless(shutil.which("blender"), "Blender is not installed")
class Scene(unittest.TestCase):
    def near(self, found, wanted, limit, what):
        for a, b in zip(found, wanted, strict=True):
            self.assertLess(abs(a - b), limit, what)

    def compare(self, found, wanted):
        ours, our_extras = parts(found)
        theirs, their_extras = parts(wanted)
        self.assertEqual(our_extras, their_extras)
        self.assertEqual(set(ours), set(theirs))
        self.assertEqual(len(ours), 4)
        for name, other in theirs.items():
            own = ours[name]
            self.near(own["at"], other["at"], 1e-4, name)
            self.near(own["way"], other["way"], 1e-5, name)
            self.near(own["up"], other["up"], 1e-5, name)
            own, other = own["is"], other["is"]
            self.assertEqual(own["type"], other["type"])
            if own["type"] == "perspective":
                for key, value in other["perspective"].items():
                    self.assertAlmostEqual(own["perspective"][key], value, 5, key)
                continue
            self.near(own["color"], other["color"], 1e-6, name)
            self.near(own.get("spot", {}).values(), other.get("spot", {}).values(), 1e-6, name)
            factor = WATTS if own["type"] == "directional" else WATTS / (4 * math.pi)
            self.assertAlmostEqual(factor * own["intensity"] / other["intensity"], 1.0, 5, name)

    def test_as_blender(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            blender(WRITE, folder, folder)
            blender(CONVERT, folder, place / "scene.fbx", place / "blender.glb")
            run(SINEW, "export", place / "scene.fbx", "-o", place / "ours.glb")
            ours, theirs = json_of(place / "ours.glb"), json_of(place / "blender.glb")
            self.compare(ours, theirs)
            self.assertEqual(attributes(ours), attributes(theirs))
            self.assertIn("TEXCOORD_1", attributes(ours))
            # Blender reads the FBX file that is made of Blender's .glb.
            run(SINEW, "export", place / "blender.glb", "-o", place / "ours.fbx")
            blender(CONVERT, folder, place / "ours.fbx", place / "back.glb")
            back = json_of(place / "back.glb")
            self.assertIn("TEXCOORD_1", attributes(back))
            self.compare(theirs, back)


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main()
