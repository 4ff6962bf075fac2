#!/usr/bin/env python3
"""Baked models in engines that nobody here wrote: their posed vertices agree with ours.

Usage: bake_test.py SINEW. three.js needs node and npm's three (NODE_PATH), Blender its program;
both are skipped where they are missing, as are models in ../shared/models.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import command_line
from fbx_reference import largest_gap

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "models"
TOLERANCE = 1e-4  # of the model's size

# Model, method, clips, further options. Compared where all joints have keys, and in three.js half
# way to the next key too.
CASES = [
    ("demo:humanoid", "arc-spline", ["walk", "wave", "stretch"], []),
    ("demo:humanoid", "dqs", ["walk", "wave", "stretch"], []),
    ("demo:arm", "arc-spline", ["elbow-twist", "bend-and-twist", "shoulder-twist"], ["--helpers", "6", "--morphs", "8"]),
    ("fox/Fox.glb", "arc-spline", None, []),  # its first three
    ("fox/Fox.glb", "bones-blending", None, []),
    ("mannequiny/mannequiny.glb", "arc-spline", None, []),
]


def common_key(file, clip):
    """The time in the middle of a clip of a .glb at which all tracks that move have a key."""
    data = file.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    gltf, binary = json.loads(data[20:20 + length]), data[28 + length:]
    animation = next(a for a in gltf["animations"] if a["name"] == clip)
    common = None
    for index in {s["input"] for s in animation["samplers"]}:
        accessor = gltf["accessors"][index]
        view = gltf["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        times = struct.unpack_from(f"<{accessor['count']}f", binary, start)
        if len(times) > 1:
            rounded = {round(t, 4): t for t in times}
            common = rounded if common is None else {k: t for k, t in common.items() if k in rounded}
    middle = 0.4 * max(common)
    return common[min(common, key=lambda t: abs(t - middle))]


def helper_keys(file, clip):
    """Per helper of a clip of a .glb the times and rotations of its keys."""
    data = file.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    gltf, binary = json.loads(data[20:20 + length]), data[28 + length:]

    def floats(index, width):
        accessor = gltf["accessors"][index]
        view = gltf["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        values = struct.unpack_from(f"<{accessor['count'] * width}f", binary, start)
        return [values[i:i + width] for i in range(0, len(values), width)]

    animation = next(a for a in gltf["animations"] if a["name"] == clip)
    for channel in animation["channels"]:
        name = gltf["nodes"][channel["target"]["node"]].get("name", "")
        if "_helper" in name and channel["target"]["path"] == "rotation":
            sampler = animation["samplers"][channel["sampler"]]
            yield name, [t for t, in floats(sampler["input"], 1)], floats(sampler["output"], 4)


def half_way(file, clip, time):
    """Half way from a moment to the helpers' next key."""
    later = [t for _, times, _ in helper_keys(file, clip) for t in times if t > time + 1e-4]
    return 0.5 * (time + min(later)) if later else time


def pixels_of_bmp(path):
    """Of 24 bits."""
    data = path.read_bytes()
    start, = struct.unpack_from("<I", data, 10)
    width, height = struct.unpack_from("<ii", data, 18)
    stride = (3 * width + 3) // 4 * 4
    rows = (data[start + stride * y:start + stride * y + 3 * width] for y in range(abs(height)))
    return [tuple(row[i:i + 3]) for row in rows for i in range(0, len(row), 3)]


def run_three(*words):
    return subprocess.run(["node", ROOT / "scripts" / "tests" / "engine_vertices.mjs", "three", *map(str, words)],
                          capture_output=True, text=True, timeout=240)


def has_three():
    try:
        return run_three("--check").returncode == 0
    except OSError:
        return False


def has_blender():
    try:
        # Its own Python; another python3 first in PATH misleads it (scripts/compare_with_blender).
        environment = dict(os.environ, PATH="/usr/local/bin:/usr/bin:/bin:" + os.environ.get("PATH", ""))
        run = subprocess.run(["blender", "--background", "--factory-startup", "--python-exit-code", "1",
                              "--python-expr", "import numpy"], capture_output=True, timeout=120, env=environment)
        return run.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


class Bake(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.dir = Path(cls.folder.name)
        cls.made = None

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def sinew(self, *words):
        run = command_line.sinew(*words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def baked(self):
        """Per case the baked file, and for three clips name, time and our posed vertices' file."""
        if Bake.made is None:
            Bake.made = list(self.bake_all())
        return Bake.made

    def bake_all(self):
        for number, (model, method, clips, words) in enumerate(CASES):
            path = model if model.startswith("demo:") else SHARED / model
            if not model.startswith("demo:") and not path.exists():
                continue
            out = self.dir / f"baked{number}.glb"
            report = json.loads(self.sinew("bake", path, "--method", method, "--json", "--quiet",
                                           "--drivers-file", "none", *words, "-o", out))
            self.assertLessEqual(report["held_out"]["mean"], 0.0005, model)
            self.assertLessEqual(report["held_out"]["largest"], 0.005, model)
            found = json.loads(self.sinew("info", out, "--json"))["clips"]
            chosen = [c for c in found if c["name"] in clips] if clips else found[:3]
            self.assertEqual(len(chosen), 3)
            for each in report["each_clip"]:
                self.assertLessEqual(each["excess"], 0.005, (model, each["clip"]))
                self.assertLessEqual(each["between"]["largest"], 0.005, (model, each["clip"]))
            moments = []
            keys = [(clip, common_key(out, clip["name"])) for clip in chosen]
            for clip, time in keys + [(clip, half_way(out, clip["name"], time)) for clip, time in keys]:
                ply = self.dir / f"{number}-{len(moments)}.ply"
                self.sinew("export", out, "--method", "lbs", "--clip", clip["name"], "--time", repr(time),
                           "--quiet", "-o", ply)
                moments.append((clip["name"], time, ply))
            yield model, out, moments

    @unittest.skipUnless(has_three(), "needs node and npm's three (NODE_PATH)")
    def test_three_js_poses_the_same_vertices(self):
        for model, file, moments in self.baked():
            run = run_three(file, *[word for name, time, _ in moments for word in (name, time)])
            self.assertEqual(run.returncode, 0, run.stderr)
            for (name, time, ply), theirs in zip(moments, json.loads(run.stdout)):
                ours, _ = command_line.read_ply(ply)
                theirs = list(zip(theirs[0::3], theirs[1::3], theirs[2::3]))
                # A patched file keeps corners apart that we join when we read it.
                self.assertGreaterEqual(len(theirs), len(ours))
                share = (command_line.largest(ours, theirs) / command_line.size_of(ours)
                         if len(ours) == len(theirs) else largest_gap(ours, theirs))
                print(f"three.js: {model}, {name} at {time:.3f} s: {share:.1e} of the size")
                self.assertLess(share, TOLERANCE, (model, name))

    @unittest.skipUnless(has_blender(), "needs blender")
    def test_blender_poses_the_same_vertices(self):
        # A start for each: one clip of each model, or all three with SINEW_THOROUGH.
        count = 3 if "SINEW_THOROUGH" in os.environ else 1
        for model, file, moments in self.baked():
            for name, time, ply in moments[:count]:
                run = subprocess.run([sys.executable, ROOT / "scripts" / "compare_with_blender", file, ply,
                                      "--clip", name, "--time", repr(time), "--tolerance", str(TOLERANCE)],
                                     capture_output=True, text=True, timeout=240)
                print(f"Blender: {model}, {name} at {time:.3f} s: {run.stdout.strip()}")
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    @unittest.skipUnless(has_blender() and (SHARED / "mannequiny").exists(), "needs blender and mannequiny")
    def test_blender_shows_a_baked_fbx_like_the_glb(self):
        clip, time, size = "fight_kick_root.001", 0.5, 300
        glb, fbx, ply = self.dir / "helpers.glb", self.dir / "helpers.fbx", self.dir / "helpers.ply"
        self.sinew("bake", SHARED / "mannequiny/mannequiny.glb", "--method", "arc-spline", "--helpers", "8", "--clip", clip,
                   "--poses", "60", "--quiet", "--drivers-file", "none", "-o", glb)
        self.sinew("export", glb, "--quiet", "-o", fbx)
        self.sinew("export", glb, "--method", "lbs", "--clip", clip, "--time", time, "--quiet", "-o", ply)
        engines = ROOT / "scripts" / "engines"
        camera = subprocess.run([sys.executable, engines / "camera", ply, "30", "5", "1"], check=True, capture_output=True,
                                text=True).stdout.split()
        environment = dict(os.environ, PATH="/usr/local/bin:/usr/bin:/bin:" + os.environ.get("PATH", ""))
        pictures = []
        for file in (glb, fbx):
            out = file.with_suffix(file.suffix + ".bmp")
            words = ["blender", "--background", "--factory-startup", "--python-exit-code", "1", "--python",
                     engines / "draw_blender.py", "--", file, clip, time, *camera, "34.3775", f"{size}x{size}", out]
            subprocess.run([str(word) for word in words], check=True, capture_output=True, timeout=600, env=environment)
            pictures.append(pixels_of_bmp(out))
        shown = sum(max(pixel) > 8 for pixel in pictures[0])
        different = sum(max(abs(a - b) for a, b in zip(*pair)) > 32 for pair in zip(*pictures))  # beyond the noise of the rays
        print(f"Blender: baked mannequiny as .fbx and as .glb: {different} of {shown} pixels differ")
        self.assertGreater(shown, 0.05 * size * size)  # the ground is black
        self.assertLess(different, 0.01 * shown)


if __name__ == "__main__":
    command_line.SINEW = sys.argv.pop(1)
    unittest.main()
