#!/usr/bin/env python3
"""The command line as docs/cli.md promises it, on real files.

Usage: cli_test.py SINEW. Reads models from ../shared/models where they are, else only the
generated ones.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import viewer_test  # its reader of PNG files

SINEW = ""
ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "models"


def sinew(*words, timeout=240):
    return subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True, timeout=timeout)


def needs(path):
    return unittest.skipUnless((SHARED / path).exists(), f"needs {path}")


def read_ply(path):
    """Positions and normals of a binary little-endian PLY as export writes it."""
    data = Path(path).read_bytes()
    header, body = data.split(b"end_header\n", 1)
    count = int(header.split(b"element vertex ")[1].split(b"\n")[0])
    rows = [struct.unpack_from("<8f", body, 32 * i) for i in range(count)]
    return [r[0:3] for r in rows], [r[3:6] for r in rows]


def largest(a, b):
    return max(max(abs(x - y) for x, y in zip(p, q)) for p, q in zip(a, b))


def size_of(positions):
    low = [min(p[i] for p in positions) for i in range(3)]
    high = [max(p[i] for p in positions) for i in range(3)]
    return sum((h - l) ** 2 for h, l in zip(high, low)) ** 0.5


def png_size(path):
    data = Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.dir = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def fails(self, code, *words, says=()):
        run = sinew(*words)
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stdout, "")
        lines = [l for l in run.stderr.splitlines() if l.startswith("sinew: ")]
        self.assertEqual(len(lines), 1, run.stderr)
        for word in says:
            self.assertIn(word, lines[0])
        self.assertNotIn("\n", lines[0])

    # Usage

    def test_help_of_every_command(self):
        for command in ["view", "info", "render", "export", "bench", "doctor"]:
            run = sinew(command, "--help")
            self.assertEqual(run.returncode, 0)
            self.assertIn("Usage", run.stdout)
        self.assertIn("Exit codes", sinew("--help").stdout)
        self.assertRegex(sinew("--version").stdout, r"^sinew \d+\.\d+")

    def test_usage_errors_are_one_line_and_code_2(self):
        self.fails(2, "render", "demo:arm")
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--method", "wrong",
                   says=["wrong", "lbs", "rigid"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--clip", "wrong",
                   says=["wrong"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.jpg", says=["a.jpg", ".png"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--size", "10by10",
                   says=["10by10"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "none" / "a.png", says=["none"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--show", "colour",
                   says=["colour", "skeleton"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--show", "weights:Nobody",
                   says=["Nobody"])
        self.fails(2, "info", "demo:nobody", says=["nobody", "humanoid"])
        self.fails(2, "bench", "--vertices", "0")
        self.assertEqual(list(self.dir.iterdir()), [])

    # Bad files

    def bad(self, name, content, says=()):
        path = self.dir / name
        path.write_bytes(content)
        self.fails(3, "info", path, says=[name, *says])

    def test_bad_files_are_one_line_and_code_3(self):
        self.fails(3, "info", self.dir / "missing.fbx", says=["missing.fbx", "no such file"])
        self.fails(3, "info", self.dir, says=["folder"])
        self.bad("empty.x", b"")
        self.bad("text.glb", b"this is no model at all, only some words\n" * 10)
        self.bad("short.fbx", b"Kaydara FBX Binary  \x00\x1a\x00")
        self.bad("kind.xyzzy", b"unknown kind")
        self.bad("broken.gltf", b'{"asset": {"version": "2.0"}, "meshes": [')

    def test_a_pose_that_is_none_is_refused(self):
        pose = self.dir / "p.json"
        pose.write_text("{")
        self.fails(3, "render", "demo:arm", "--pose", pose, "-o", self.dir / "a.png",
                   says=["p.json", "JSON"])

    @needs("tiny/tiny.x")
    def test_a_time_limit_is_code_4(self):
        self.fails(4, "info", SHARED / "tiny/tiny.x", "--time-limit", "0.01", says=["tiny.x"])

    # info

    def test_info_json(self):
        run = sinew("info", "demo:body-arm", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        info = json.loads(run.stdout)
        for key in ["file", "format", "meshes", "vertices", "triangles", "joints", "clips",
                    "textures", "repairs", "warnings"]:
            self.assertIn(key, info)
        self.assertEqual(info["vertices"], 12864)
        self.assertEqual(info["repairs"], [])
        for key in ["name", "vertices", "triangles", "skinned", "joints", "max_influences"]:
            self.assertIn(key, info["meshes"][0])

    @needs("wuson/Testwuson.X")
    def test_info_of_a_real_file(self):
        info = json.loads(sinew("info", SHARED / "wuson/Testwuson.X", "--json").stdout)
        self.assertEqual({c["name"] for c in info["clips"]}, {"Wuson_Run", "Wuson_Walk", "Wuson_Bind"})
        self.assertEqual(info["triangles"], 3732)

    # render

    def test_render_draws_something_and_leaves_nothing_else(self):
        out = self.dir / "a.png"
        run = sinew("render", "demo:humanoid", "--time", "0.3", "--size", "320x200", "-o", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(png_size(out), (320, 200))
        self.assertEqual([p.name for p in self.dir.iterdir()], ["a.png"])

    def test_every_method_and_palette_gives_a_picture_like_the_first(self):
        reference = {}
        for method in ["rigid", "lbs"]:
            for palette in ["texture", "block", "uniform-array"]:
                out = self.dir / f"{method}-{palette}.png"
                words = ["render", "demo:humanoid", "--clip", "walk", "--time", "0.3", "--size",
                         "240x240", "--method", method, "--palette", palette, "-o", out]
                if method in reference:
                    words += ["--reference", reference[method], "--threshold", "0.001"]
                run = sinew(*words)
                self.assertEqual(run.returncode, 0, run.stderr)
                reference.setdefault(method, out)

    def test_a_reference_that_differs_is_code_1_with_a_picture_of_it(self):
        a, b = self.dir / "a.png", self.dir / "b.png"
        sinew("render", "demo:arm", "--clip", "none", "--size", "200x200", "-o", a)
        run = sinew("render", "demo:arm", "--time", "0.8", "--size", "200x200", "-o", b,
                    "--reference", a, "--threshold", "0.01")
        self.assertEqual(run.returncode, 1)
        self.assertTrue((self.dir / "b.difference.png").exists())

    # Several methods

    def test_methods_side_by_side(self):
        out = self.dir / "a.png"
        run = sinew("render", "demo:humanoid", "--method", "lbs,lbs", "--clip", "wave", "--time",
                    "1", "--size", "203x150", "-o", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        width, height, rows = viewer_test.read_png(out)
        self.assertEqual((width, height), (203, 150))
        left = [row[:100] for row in rows]
        self.assertTrue(left == [row[102:202] for row in rows], "the views differ")
        self.assertGreater(len({p for row in left for p in row}), 100)

    def test_a_sequence_and_a_reference_of_several_methods(self):
        words = ["render", "demo:arm", "--clip", "elbow-twist", "--method",
                 "lbs,arc-spline:attachments=1", "--size", "160x120"]
        run = sinew(*words, "--frames", "2", "--fps", "2", "-o", self.dir / "seq")
        self.assertEqual(run.returncode, 0, run.stderr)
        frames = sorted((self.dir / "seq").iterdir())
        self.assertEqual([png_size(f) for f in frames], [(160, 120)] * 2)
        out = self.dir / "a.png"
        self.assertEqual(sinew(*words, "--time", "1", "-o", out).returncode, 0)
        run = sinew(*words, "--time", "1", "-o", self.dir / "b.png", "--reference", out, "--json")
        self.assertEqual((run.returncode, json.loads(run.stdout)["changed"]), (0, 0))

    def test_difference(self):
        words = ["render", "demo:humanoid", "--clip", "wave", "--time", "1", "--size", "200x200",
                 "--json", "-o", self.dir / "a.png", "--method", "lbs,arc-spline,lbs"]
        run = sinew(*words, "--difference", "lbs")
        self.assertEqual(run.returncode, 0, run.stderr)
        difference = json.loads(run.stdout)["difference"]
        self.assertEqual(difference["from"], "lbs")
        self.assertEqual([v["method"] for v in difference["views"]], ["lbs", "arc-spline", "lbs"])
        for same in (0, 2):
            self.assertEqual(difference["views"][same]["largest_percent"], 0)
        other = difference["views"][1]
        self.assertTrue(0.1 < other["largest_percent"] < 5, other)
        self.assertTrue(0 < other["mean_percent"] < other["largest_percent"], other)
        self.fails(2, *words, "--difference", "lbs", "--weights", "Hips", says=["--difference"])
        self.fails(2, *words, "--difference", "lbs,dqs", says=["one method"])
        self.fails(2, *words, "--difference", "magic", says=["magic", "lbs"])

    def test_lists_of_methods_that_cannot_be_shown(self):
        render = ["render", "demo:arm", "-o", self.dir / "a.png", "--method"]
        self.fails(2, *render, "lbs,magic", says=["magic", "lbs"])
        self.fails(2, *render, "lbs,", says=["'lbs,'"])
        self.fails(2, *render, "lbs:attachments=9", says=["attachments"])
        self.fails(2, *render, ",".join(["lbs"] * 7), says=["at most 6"])
        self.fails(2, "export", "demo:arm", "-o", self.dir / "a.ply", "--method", "lbs,dqs",
                   says=["lbs,dqs", "one method", "render"])
        self.assertEqual(list(self.dir.iterdir()), [])

    def test_a_sequence_of_pictures(self):
        run = sinew("render", "demo:tentacle", "--frames", "3", "--fps", "10", "--size", "64x64",
                    "-o", self.dir / "seq")
        self.assertEqual(run.returncode, 0, run.stderr)
        names = sorted(p.name for p in (self.dir / "seq").iterdir())
        self.assertEqual(names, ["0000.png", "0001.png", "0002.png"])
        self.assertNotEqual((self.dir / "seq/0000.png").read_bytes(),
                            (self.dir / "seq/0002.png").read_bytes())

    # export

    def export(self, model, *words):
        out = self.dir / f"{len(list(self.dir.iterdir()))}.ply"
        run = sinew("export", model, "-o", out, *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return read_ply(out)

    def compare_devices(self, model, *words):
        info = json.loads(sinew("info", model, "--json").stdout)
        for method in ["rigid", "lbs"]:
            cpu = self.export(model, "--method", method, *words)
            gpu = self.export(model, "--method", method, "--device", "gpu", *words)
            self.assertEqual(len(cpu[0]), info["vertices"])
            self.assertLess(largest(cpu[0], gpu[0]), 1e-5 * size_of(cpu[0]))
            self.assertLess(largest(cpu[1], gpu[1]), 1e-5)

    def test_cpu_and_gpu_export_the_same(self):
        self.compare_devices("demo:humanoid", "--clip", "walk", "--time", "0.37")

    @needs("tiny/tiny.x")
    def test_cpu_and_gpu_export_the_same_x_file(self):
        self.compare_devices(SHARED / "tiny/tiny.x", "--time", "0.5")

    @needs("male_suit/Male_Suit.fbx")
    def test_cpu_and_gpu_export_the_same_fbx(self):
        self.compare_devices(SHARED / "male_suit/Male_Suit.fbx", "--clip", "1", "--time", "0.4")

    @needs("arnaud/locomotions.fbx")
    def test_motion_from_another_file(self):
        model = SHARED / "arnaud/arnaud.fbx"
        still = self.export(model)
        moved = self.export(model, "--motion", SHARED / "arnaud/locomotions.fbx", "--time", "0.4")
        self.assertGreater(largest(still[0], moved[0]), 0.05 * size_of(still[0]))

    def test_a_saved_pose_is_held(self):
        pose = self.dir / "pose.json"
        joint = "LeftLowerArm"
        pose.write_text(json.dumps({"sinew": "pose", "nodes": {joint: {
            "rotation": [0, 0, 0.7071068, 0.7071068]}}}))
        rest = self.export("demo:humanoid", "--clip", "none")
        bent = self.export("demo:humanoid", "--pose", pose)
        self.assertGreater(largest(rest[0], bent[0]), 0.1)

    def test_a_pose_is_exported_and_read_back(self):
        pose = self.dir / "pose.json"
        words = ["--clip", "walk", "--time", "0.4"]
        self.assertEqual(sinew("export", "demo:humanoid", *words, "-o", pose).returncode, 0)
        moved = self.export("demo:humanoid", *words)
        held = self.export("demo:humanoid", "--pose", pose)
        self.assertLess(largest(moved[0], held[0]), 1e-5)

    def test_obj(self):
        out = self.dir / "a.obj"
        self.assertEqual(sinew("export", "demo:arm", "-o", out).returncode, 0)
        lines = out.read_text().splitlines()
        info = json.loads(sinew("info", "demo:arm", "--json").stdout)
        self.assertEqual(sum(l.startswith("v ") for l in lines), info["vertices"])
        self.assertEqual(sum(l.startswith("f ") for l in lines), info["triangles"])

    # bench and doctor

    def test_bench_json(self):
        run = sinew("bench", "--vertices", "20000", "--frames", "3", "--size", "64x64", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        bench = json.loads(run.stdout)
        for key in ["renderer", "version", "cpu", "vertices", "instances", "results"]:
            self.assertIn(key, bench)
        self.assertGreaterEqual(bench["vertices"], 20000)
        self.assertEqual([r["method"] for r in bench["results"]][0], "static")
        keys = ["method", "ms_median", "ms_p95", "ms_min", "cpu_pose_ms", "upload_ms", "gpu_ms",
                "vertices_per_second", "ratio_to_static"]
        for result in bench["results"]:
            for key in keys:
                self.assertIn(key, result)
            self.assertLessEqual(result["ms_min"], result["ms_median"])
            self.assertLessEqual(result["ms_median"], result["ms_p95"])

    def test_draw_calls_do_not_grow_with_the_crowd(self):
        draws = []
        for vertices in [20000, 80000]:
            run = sinew("bench", "--vertices", vertices, "--frames", "1", "--method", "lbs",
                        "--size", "32x32", "--vertex-only", "--json")
            draws.append(json.loads(run.stdout)["results"][1]["draws"])
        self.assertEqual(draws[0], draws[1])

    def test_doctor(self):
        run = sinew("doctor", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        doctor = json.loads(run.stdout)
        self.assertTrue(any(c["works"] for c in doctor["contexts"]))

    # shader

    def test_the_page_of_shaders_is_that_of_the_shaders(self):
        page = os.path.join(ROOT, "docs", "shaders.md")
        run = sinew("shader", "all", "--markdown")
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(page) as file:
            self.assertTrue(file.read() == run.stdout,
                            "docs/shaders.md is out of date: sinew shader all --markdown -o " + page)

    def test_a_shader_is_made_for_the_rig(self):
        few = sinew("shader", "lbs").stdout
        many = sinew("shader", "lbs", "--model", "demo:tentacle", "--palette", "texture").stdout
        self.assertIn("layout(std140) uniform PaletteBlock", few)
        self.assertIn("texelFetch", many)
        self.assertTrue(few.startswith("#version 330 core\n"))
        self.fails(2, "shader", "all")
        self.fails(2, "shader", "nothing", says=["nothing"])


if __name__ == "__main__":
    SINEW = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
