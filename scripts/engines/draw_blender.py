"""A moment of a .glb as Blender draws it (Cycles, no display needed).

Usage: blender --background --factory-startup --python draw_blender.py -- FILE.glb CLIP SECONDS EYE TARGET FOV WxH OUT.png
EYE, TARGET: "x,y,z" in model space, Y up; FOV: vertical, degrees.
"""
import math
import sys

import numpy

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # Blender 3.4 knows only numpy before 1.24

import bpy
from mathutils import Vector

file, clip, seconds, eye, target, fov, size, out = sys.argv[sys.argv.index("--") + 1:]


def place(text):
    x, y, z = map(float, text.split(","))
    return Vector((x, -z, y))  # Blender is Z up


bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
rate = 1000.0
scene.render.fps = int(rate)
bpy.ops.import_scene.gltf(filepath=file)
for thing in scene.objects:
    if thing.animation_data:
        for track in thing.animation_data.nla_tracks:
            track.mute = True
        actions = [a for a in bpy.data.actions if a.name.startswith(clip)]
        if thing.type == "ARMATURE" and actions:
            thing.animation_data.action = actions[0]
frame = float(seconds) * rate
scene.frame_set(int(frame), subframe=frame - int(frame))

# Files split vertices where normals differ; joined again, the posed surface is shaded smoothly.
for thing in [t for t in scene.objects if t.type == "MESH"]:
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
scene.render.filepath = out
bpy.ops.render.render(write_still=True)
