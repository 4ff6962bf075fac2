"""A moment of a .glb or an .fbx as Blender draws it (Cycles, no display needed).

Usage: blender --background --factory-startup --python draw_blender.py -- FILE CLIP SECONDS EYE TARGET FOV WxH OUT.png|OUT.bmp
EYE, TARGET: "x,y,z" in model space, Y up; FOV: vertical, degrees.
"""
import math
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import bpy
from mathutils import Vector

file, clip, seconds, eye, target, fov, size, out = sys.argv[sys.argv.index("--") + 1:]


def compare_with_blender():
    """The module of that name, which has no ending."""
    path = Path(__file__).resolve().parent.parent / "compare_with_blender"
    loader = SourceFileLoader("compare_with_blender", str(path))
    module = module_from_spec(spec_from_loader("compare_with_blender", loader))
    loader.exec_module(module)
    return module


def place(text):
    x, y, z = map(float, text.split(","))
    return Vector((x, -z, y))  # Blender is Z up


bpy.ops.wm.read_factory_settings(use_empty=True)
compare = compare_with_blender()
compare.import_file(bpy, file)
scene = bpy.context.scene
compare.play(bpy, clip.split("|")[-1], float(seconds), file.lower().endswith(".fbx"))

# Files split vertices where normals differ; joined again, the posed surface is shaded smoothly.
for thing in [t for t in scene.objects if t.type == "MESH" and not t.name.startswith("Icosphere")]:
    thing.data.use_auto_smooth = False
    thing.data.polygons.foreach_set("use_smooth", [True] * len(thing.data.polygons))
    weld = thing.modifiers.new("weld", "WELD")
    bpy.context.view_layer.objects.active = thing
    bpy.ops.object.modifier_move_to_index(modifier=weld.name, index=0)

camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
scene.collection.objects.link(camera)
camera.location = place(eye)
camera.rotation_euler = (place(target) - camera.location).to_track_quat("-Z", "Y").to_euler()
camera.data.sensor_fit = "VERTICAL"
camera.data.angle = math.radians(float(fov))
camera.data.clip_end = 1e5
camera.data.clip_start = 0.001
scene.camera = camera
sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
scene.collection.objects.link(sun)
sun.data.energy = 1.6
sun.data.cycles.cast_shadow = False
sun.rotation_euler = ((place(target) - camera.location) + Vector((0, 0, -camera.location.length))).to_track_quat("-Z", "Y").to_euler()
world = bpy.data.worlds.new("world")
scene.world = world
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[0].default_value = (0.45, 0.46, 0.48, 1)

scene.render.engine = "CYCLES"
scene.cycles.samples = 24
scene.cycles.use_denoising = False
scene.view_settings.view_transform = "Standard"
scene.render.resolution_x, scene.render.resolution_y = map(int, size.split("x"))
scene.render.resolution_percentage = 100
scene.render.film_transparent = True
if out.endswith(".bmp"):
    scene.render.image_settings.file_format = "BMP"
    scene.render.image_settings.color_mode = "RGB"
scene.render.filepath = out
bpy.ops.render.render(write_still=True)
