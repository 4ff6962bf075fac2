#!/usr/bin/env python3
"""The command line as docs/cli.md promises it, on real files.

Usage: cli_test.py SINEW. Reads models from ../shared/models where they are, else only the
generated ones.
"""
import csv
import json
import os
import shutil
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


def sinew(*words, timeout=900, env=None):
    for _ in range(5):
        run = subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True, timeout=timeout, env=env)
        # The leak checker of a sanitized build, not the program, falls over now and then while the
        # driver's threads end.
        if "LeakSanitizer has encountered a fatal error" not in run.stderr:
            break
    return run


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


def validated(files):
    """Errors and warnings of the Khronos glTF validator."""
    run = subprocess.run(["node", ROOT / "scripts" / "tests" / "gltf_validate.js", *files],
                         capture_output=True, text=True, timeout=240)
    if run.returncode != 0:
        raise RuntimeError(run.stderr)
    return json.loads(run.stdout)


def gltf_validator():
    try:
        return validated(["--check"]) == []
    except (OSError, RuntimeError):
        return False


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

    # Baking

    def test_a_baked_model_is_linear_blending_near_the_method(self):
        out, curve = self.dir / "baked.glb", self.dir / "curve.csv"
        words = ["bake", "demo:arm", "--clip", "elbow-twist", "--method", "arc-spline", "-o", out, "--json"]
        run = sinew(*words, "--helpers", "3", "--curve", curve)
        self.assertEqual(run.returncode, 0, run.stderr)
        report = json.loads(run.stdout)
        self.assertLessEqual(report["helpers"], 3)
        self.assertLess(report["clips"]["largest"], 0.4 * report["linear"]["largest"])
        self.assertEqual([s["helpers"] for s in report["curve"]], list(range(report["helpers"] + 1)))
        rows = list(csv.DictReader(curve.read_text().splitlines()))
        self.assertEqual(len(rows), len(report["curve"]))
        info = json.loads(sinew("info", out, "--json").stdout)
        plain = self.dir / "plain.glb"
        self.assertEqual(sinew("export", "demo:arm", "--quiet", "-o", plain).returncode, 0)
        before = json.loads(sinew("info", plain, "--json").stdout)
        self.assertEqual(info["nodes"], before["nodes"] + report["helpers"])
        self.assertEqual([c["name"] for c in info["clips"]], ["elbow-twist"])
        # What was measured is what the file does.
        target, baked = self.dir / "target.ply", self.dir / "baked.ply"
        moment = ["--clip", "elbow-twist", "--time", "2", "--quiet", "-o"]
        self.assertEqual(sinew("export", "demo:arm", "--method", "arc-spline", *moment, target).returncode, 0)
        places = read_ply(target)[0]
        # With a distance against one coordinate; the drivers beside the file are read by themselves.
        drivers = report["drivers"]
        self.assertEqual(len(json.loads(Path(drivers["file"]).read_text())["drivers"]), report["helpers"])
        self.assertLessEqual(drivers["held_out"]["largest"], report["held_out"]["largest"] + 0.005 + 1e-6)
        for words_of, limit in (["--drivers", "none"], report["clips"]), ([], drivers["held_out"]):
            run = sinew("export", out, "--method", "lbs", *words_of, *moment, baked)
            self.assertEqual(run.returncode, 0, run.stderr)
            share = largest(places, read_ply(baked)[0]) / size_of(places)
            self.assertLessEqual(share, 1.8 * limit["largest"])

    def test_a_baked_model_with_corrective_shapes_is_shown_beside_its_target(self):
        out, plot, page = self.dir / "shapes.glb", self.dir / "curve.svg", self.dir / "report.html"
        run = sinew("bake", "demo:arm", "--clip", "elbow-twist", "--method", "arc-spline", "--helpers", "0", "--morphs",
                    "3", "--curve", plot, "--report", page, "-o", out, "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        report = json.loads(run.stdout)
        self.assertEqual(report["helpers"], 0)
        self.assertGreaterEqual(report["morphs"], 1)
        self.assertEqual([s["morphs"] for s in report["curve"]], list(range(report["morphs"] + 1)))
        self.assertLess(report["held_out"]["mean"], report["curve"][0]["mean"])
        self.assertIn("<svg", plot.read_text())
        info = json.loads(sinew("info", out, "--json").stdout)
        self.assertEqual(len(info["morph_targets"]), report["morphs"])
        # Drivers weigh them, and every command reads those by itself.
        shapes = report["drivers"]["shapes"]
        self.assertEqual([s["shape"] for s in shapes], [t["name"] for t in info["morph_targets"]])
        self.assertTrue(all(s["kind"] == "rbf" and s["inputs"] for s in shapes))
        self.assertTrue(any(s["on"] for s in shapes))
        self.assertLess(report["drivers"]["held_out"]["mean"], report["linear"]["mean"])
        listed = json.loads(sinew("corrective", "list", out, "--json").stdout)["drivers"]
        self.assertEqual([d["morphs"] for d in listed], [[s["shape"]] for s in shapes])
        text = page.read_text()
        for word in ["Arc-spline baked into linear blending", "Linear blend", "0 helpers", "<svg", "<img"]:
            self.assertIn(word, text)
        self.assertIn("measured against Arc-spline", text)

    def test_baking_says_what_it_cannot_do(self):
        self.fails(2, "bake", "demo:arm", "-o", self.dir / "a.fbx", says=["a.fbx", ".glb"])
        self.fails(2, "bake", "demo:arm", "--helpers", "many", "-o", self.dir / "a.glb", says=["--helpers many"])
        self.fails(2, "bake", "demo:arm", "--clip", "dance", "-o", self.dir / "a.glb", says=["dance"])
        self.fails(2, "bake", "demo:arm", "--drivers-file", "d.txt", "-o", self.dir / "a.glb", says=["d.txt", ".json"])
        self.fails(2, "bake", "demo:arm", "--curve", "c.pdf", "-o", self.dir / "a.glb", says=["c.pdf"])
        self.fails(2, "bake", "demo:arm", "--report", "r.pdf", "-o", self.dir / "a.glb", says=["r.pdf", ".html"])

    # Ragdolls

    def test_a_model_from_standard_input(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "arm.glb"
            self.assertEqual(sinew("export", "demo:arm", "-o", file, "--quiet").returncode, 0)
            run = subprocess.run([SINEW, "info", "-", "--json"], input=file.read_bytes(), capture_output=True,
                                 timeout=240)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(json.loads(run.stdout)["format"], "glTF binary")
        for bytes_, words in ((b"", "is empty"), (b"nonsense", "is not known")):
            run = subprocess.run([SINEW, "info", "-"], input=bytes_, capture_output=True, timeout=240)
            self.assertEqual(run.returncode, 3)
            self.assertIn(words, run.stderr.decode())

    def test_clips_of_several_files_in_one(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "all.glb"
            run = sinew("export", "demo:humanoid", "--add-motion", "demo:humanoid", "--add-motion", "demo:humanoid",
                        "-o", file)
            self.assertEqual(run.returncode, 0, run.stderr)
            clips = json.loads(sinew("info", file, "--json").stdout)["clips"]
            own = json.loads(sinew("info", "demo:humanoid", "--json").stdout)["clips"]
            self.assertEqual(len(clips), 3 * len(own))
            self.assertEqual([c["seconds"] for c in clips[len(own):2 * len(own)]], [c["seconds"] for c in own])
            self.assertEqual(len({c["name"] for c in clips}), len(clips))
            run = sinew("export", "demo:humanoid", "--add-motion", "demo:humanoid", "-o", Path(folder) / "a.ply")
            self.assertEqual(run.returncode, 2)

    def test_a_ragdoll_says_what_it_held(self):
        words = ["ragdoll", "demo:humanoid", "--from-clip", "walk", "--time", "0.4", "--seconds", "1.25", "--json"]
        for solver, steps in [("bullet", 600), ("severity", 600), ("reduced", 300)]:
            run = sinew(*words, "--solver", solver)
            self.assertEqual(run.returncode, 0, run.stderr)
            report = json.loads(run.stdout)
            self.assertEqual((report["solver"], report["clip"], report["steps"]), (solver, "walk", steps))
            self.assertLess(report["anchor_percent"]["max"], 1)
            self.assertLess(report["limit_degrees"]["max"], 5)
            self.assertLess(report["through_percent"], 2)
            self.assertLess(report["switch"]["energy_error"], 0.05)
            self.assertGreater(report["switch"]["animation_energy"], 1)
            self.assertTrue(report["finite"])
            self.assertEqual({j["type"] for j in report["joints"]}, {"hinge", "universal"})
            again = json.loads(sinew(*words, "--solver", solver).stdout)
            self.assertEqual(again["hash"], report["hash"])
        tossed = json.loads(sinew(*words, "--seed", "3").stdout)
        self.assertNotEqual(tossed["hash"], report["hash"])

    def test_starts_are_counted_and_checked(self):
        run = sinew("ragdoll", "demo:humanoid", "--starts", "2", "--seconds", "20", "--json")
        report = json.loads(run.stdout)
        self.assertEqual((report["starts"], report["passed"], report["at_rest"]), (2, 2, 2))
        self.assertEqual(run.returncode, 0)
        run = sinew("ragdoll", "demo:humanoid", "--starts", "1", "--seconds", "0.5")
        self.assertEqual(run.returncode, 1)  # it is still falling
        self.assertIn("not at rest", run.stdout)

    def test_a_ragdoll_is_written_beside_its_model_and_read_again(self):
        model = self.dir / "hero.glb"
        self.assertEqual(sinew("export", "demo:humanoid", "-o", model).returncode, 0)
        beside = self.dir / "hero.glb.ragdoll.json"
        words = ["ragdoll", model, "--seconds", "0.5", "--json"]
        run = sinew(*words, "--write", "none")
        self.assertFalse(beside.exists())
        first = sinew(*words)
        self.assertIn(f"ragdoll: written to {beside}", first.stderr)
        second = sinew(*words)
        self.assertIn(f"ragdoll: from {beside}", second.stderr)
        hashes = {json.loads(r.stdout)["hash"] for r in [run, first, second]}
        self.assertEqual(len(hashes), 1)
        config = json.loads(beside.read_text())
        config["joints"][0]["bend_freedom"] = -4
        beside.write_text(json.dumps(config))
        self.fails(3, *words, says=[str(beside), "bend_freedom", config["joints"][0]["child"]])
        beside.write_text("{\n\n]")
        self.fails(3, *words, says=[str(beside), "line 3"])
        self.fails(3, *words, "--config", self.dir / "none.json", says=["none.json"])

    def test_ragdoll_usage(self):
        fall = ["ragdoll", "demo:humanoid", "--seconds", 1.5, "--json"]
        hashes = set()
        for words in [[], ["--restitution", 0.8], ["--joint-damping", 0.99]]:
            run = sinew(*fall, *words)
            self.assertEqual(run.returncode, 0, run.stderr)
            hashes.add(json.loads(run.stdout)["hash"])
        self.assertEqual(len(hashes), 3)
        self.fails(2, "ragdoll", "demo:humanoid", "--restitution", 1.5, says=["restitution"])
        self.fails(2, "ragdoll", "demo:humanoid", "--solver", "other", says=["other", "severity"])
        self.fails(2, "ragdoll", "demo:humanoid", "--partial", "Tail", says=["Tail", "Head"])
        self.fails(2, "ragdoll", "demo:humanoid", "--from-clip", "swim", says=["swim", "walk"])
        self.fails(2, "ragdoll", "demo:humanoid", "-o", self.dir / "a.obj", says=["a.obj", ".glb"])
        self.fails(3, "ragdoll", ROOT / "README.md")

    def test_a_fall_is_recorded_as_a_clip_and_as_pictures(self):
        words = ["ragdoll", "demo:humanoid", "--from-clip", "walk", "--time", "0.4", "--lead", "0.2",
                 "--seconds", "1", "--quiet"]
        fallen = self.dir / "fallen.glb"
        self.assertEqual(sinew(*words, "-o", fallen).returncode, 0)
        clips = json.loads(sinew("info", fallen, "--json").stdout)["clips"]
        self.assertEqual([c["name"] for c in clips], ["ragdoll"])
        self.assertAlmostEqual(clips[0]["seconds"], 1.2, 3)
        # Before the switch it walks as the model does, after it is on its way down.
        walking = self.export("demo:humanoid", "--clip", "walk", "--time", "0.2")[0]
        start = self.export(fallen, "--time", "0")[0]
        self.assertAlmostEqual(max(p[1] for p in start), max(p[1] for p in walking), 3)
        end = self.export(fallen, "--time", "1.15")[0]
        self.assertLess(max(p[1] for p in end), 0.7 * max(p[1] for p in start))
        self.assertGreater(min(p[1] for p in end), -0.1)
        strip = self.dir / "fall.png"
        run = sinew(*words, "--moments", "3", "--size", "100x80", "-o", strip)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreaterEqual(png_size(strip)[0], 300)
        folder = self.dir / "frames"
        self.assertEqual(sinew(*words, "--fps", "10", "--size", "60x60", "-o", folder).returncode, 0)
        self.assertEqual(len(list(folder.glob("*.png"))), 13)

    def test_ragdolls_are_benchmarked(self):
        run = sinew("bench", "--ragdolls", "1,3", "--json")
        results = json.loads(run.stdout)["results"]
        self.assertEqual([(r["ragdolls"], r["solver"]) for r in results],
                         [(n, s) for n in (1, 3) for s in ("bullet", "severity", "reduced")])
        for result in results:
            self.assertGreater(result["ms_median"], 0)

    # Usage

    def test_help_of_every_command(self):
        for command in ["view", "info", "render", "export", "zones", "compare", "bench", "figure",
                        "shader", "page", "weights", "ragdoll", "doctor", "completion", "man"]:
            run = sinew(command, "--help")
            self.assertEqual(run.returncode, 0)
            self.assertIn("Usage", run.stdout)
            self.assertNotIn("{false}", run.stdout)
        self.assertIn("Exit codes", sinew("--help").stdout)
        self.assertRegex(sinew("--version").stdout, r"^sinew \d+\.\d+")
        self.assertEqual(sinew("version").stdout, sinew("--version").stdout)
        self.assertEqual(sinew("help").stdout, sinew("--help").stdout)
        self.assertEqual(sinew("help", "render").stdout, sinew("render", "--help").stdout)

    def test_usage_errors_are_one_line_and_code_2(self):
        self.fails(2, "rendr", "demo:arm", says=["rendr", "did you mean 'render'", "compare"])
        self.fails(2, "nosuchcommand", says=["command or file", "info"])
        self.fails(2, "render", "demo:arm")
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--method", "wrong",
                   says=["wrong", "lbs", "rigid"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--clip", "wrong",
                   says=["wrong"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.jpg", says=["a.jpg", ".png"])
        self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--size", "10by10",
                   says=["10by10"])
        for size in "4294967297x1", "100x", "x100", "100x100x", "-1x5":
            self.fails(2, "render", "demo:arm", "-o", self.dir / "a.png", "--size", size, says=[size])
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
    def test_the_documented_layers_move(self):
        for file in sorted((ROOT / "docs" / "layers").glob("*.json")):
            with self.subTest(file.name):
                poses = []
                for words in [[], ["--layers", file]]:
                    out = self.dir / "pose.json"
                    run = sinew("export", "demo:humanoid", "--clip", "walk", "--time", "1.3", *words, "-o", out)
                    self.assertEqual(run.returncode, 0, run.stderr)
                    poses.append(out.read_text())
                self.assertNotEqual(poses[0], poses[1])

    def test_a_sculpted_pose_becomes_a_shape_that_follows_the_pose(self):
        poses = ROOT / "docs" / "drivers"
        drivers, shape, glb = self.dir / "d.json", self.dir / "bend.ply", self.dir / "h.glb"
        pose = ["demo:humanoid", "--pose", poses / "humanoid-90.json"]
        done = [sinew("export", *pose, "--method", "arc-spline", "-o", shape),
                sinew("corrective", "add", *pose, "--shape", shape, "-o", drivers, "--json"),
                sinew("export", *pose, "--drivers", drivers, "-o", self.dir / "corrected.ply"),
                sinew("export", *pose, "-o", self.dir / "plain.ply"),
                sinew("export", "demo:humanoid", "--drivers", drivers, "-o", glb),
                sinew("corrective", "list", "demo:humanoid", "--drivers", drivers, "--json"),
                sinew("info", glb, "--json")]
        for run in done:
            self.assertEqual(run.returncode, 0, run.stderr)
        report, listed, info = (json.loads(done[i].stdout) for i in (1, 5, 6))
        self.assertEqual((report["driver"], report["missed"]), ("LeftLowerArm", 0))
        self.assertEqual(listed["drivers"][0]["morphs"], ["bend"])
        self.assertEqual([m["name"] for m in info["morph_targets"]], ["bend"])
        wanted, corrected, plain = (read_ply(self.dir / name)[0]
                                    for name in ("bend.ply", "corrected.ply", "plain.ply"))
        self.assertLess(largest(corrected, wanted), 1e-5 * size_of(wanted))
        self.assertGreater(largest(plain, wanted), 1e-3 * size_of(wanted))
        # In the .glb a clip that bends the elbow moves the shape, without any driver.
        def posed(name, *words):
            run = sinew("export", *words, "--clip", "walk", "--time", "0.6", "-o", self.dir / name)
            self.assertEqual(run.returncode, 0, run.stderr)
            return read_ply(self.dir / name)[0]

        driven = posed("driven.ply", "demo:humanoid", "--drivers", drivers)
        # The file has its vertices in another order: each is looked for in cells of a grid.
        cell = 1e-4 * size_of(driven)

        def cells(p):
            return tuple(int(x // cell) for x in p)

        filled = {tuple(c + d for c, d in zip(cells(p), (x, y, z)))
                  for p in driven for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)}
        self.assertEqual([p for p in posed("baked.ply", glb) if cells(p) not in filled], [])
        self.assertGreater(largest(posed("none.ply", "demo:humanoid"), driven), 1e-3 * size_of(driven))
        again = ["corrective", "add", *pose, "--drivers", drivers, "--shape", shape, "-o", drivers]
        self.fails(2, *again, says=["'bend'", "--name"])
        self.fails(2, *again, "--name", "more", says=["no vertex is moved"])
        self.fails(3, "corrective", "add", "demo:arm", "--shape", shape, "-o", drivers,
                   says=["bend.ply", "vertices", "order"])
        self.fails(2, "corrective", "add", *pose, "--shape", shape, says=["-o"])
        self.fails(2, "render", "demo:arm", "--drivers", "x.txt", "-o", self.dir / "a.png", says=["x.txt"])

    def test_no_file_outside_the_folder_of_a_model_reaches_the_output(self):
        corners = struct.pack("<9f", 0.5, 0.25, 0.125, 1.5, 0.25, 0.125, 0.5, 1.25, 0.125)
        with tempfile.TemporaryDirectory() as folder:
            pack = Path(folder) / "pack"
            pack.mkdir()
            (Path(folder) / "secret.bin").write_bytes(corners)
            (pack / "link.bin").symlink_to("../secret.bin")
            os.mkfifo(pack / "pipe.bin")
            model = pack / "m.gltf"

            def write(uri):
                model.write_text(json.dumps({
                    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
                    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
                    "bufferViews": [{"buffer": 0, "byteLength": 36}],
                    "buffers": [{"byteLength": 36, "uri": uri}]}))

            messages = set()
            for uri in "../secret.bin", "../gone.bin", "link.bin", "pipe.bin", "../" * 20 + "etc/passwd":
                write(uri)
                for name in "out.glb", "out.ply":
                    run = sinew("export", model, "-o", pack / name, timeout=60)
                    self.assertEqual(run.returncode, 3, run.stderr)
                    self.assertIn(f"'{uri}'", run.stderr)
                    self.assertFalse((pack / name).exists())
                    messages.add(run.stderr.replace(uri, "URI"))
            self.assertEqual(len(messages), 1, messages)  # they do not tell what is there
            # What lies in the folder is read, so the test could have found the bytes.
            (pack / "near.bin").write_bytes(corners)
            write("near.bin")
            self.assertEqual(sinew("export", model, "-o", pack / "out.glb").returncode, 0)
            self.assertIn(corners[:12], (pack / "out.glb").read_bytes())

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

    def test_info_names_free_splines(self):
        info = json.loads(sinew("info", "demo:body-arm-splines", "--json").stdout)
        self.assertEqual([s["name"] for s in info["splines"]], ["Body", "Arm", "Elbow"])
        self.assertEqual(info["splines"][1]["nodes"], ["ArmStart", "ArmMiddle", "ArmEnd"])
        self.assertEqual(info["vertices"], 12864)

    def test_storage_by_transform_is_refused_where_it_cannot_be(self):
        def export(model, choices):
            return ["export", model, "--method", "arc-spline", "--set", choices,
                    "-o", self.dir / "posed.ply"]
        self.fails(2, *export("demo:arm", "storage=transform"),
                   says=["storage=transform", "parameter-source=zone"])
        self.fails(2, *export("demo:curved-tube", "storage=transform"),
                   says=["curved", "storage=coordinates"])
        for model, choices in [("demo:arm", "storage=transform,parameter-source=zone"),
                               ("demo:body-arm-splines", "storage=transform")]:
            run = sinew(*export(model, choices))
            self.assertEqual(run.returncode, 0, run.stderr)

    @needs("wuson/Testwuson.X")
    def test_info_of_a_real_file(self):
        info = json.loads(sinew("info", SHARED / "wuson/Testwuson.X", "--json").stdout)
        self.assertEqual({c["name"] for c in info["clips"]}, {"Wuson_Run", "Wuson_Walk", "Wuson_Bind"})
        self.assertEqual(info["triangles"], 3732)

    def test_textures_are_decoded_where_they_are_shown(self):
        (self.dir / "a.obj").write_text("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\n"
                                        "vt 0 1\nusemtl a\nf 1/1 2/2 3/3\n")
        (self.dir / "a.mtl").write_text("newmtl a\nmap_Kd a.png\n")
        whole = self.dir / "whole.png"
        sinew("render", "demo:arm", "--size", "64x64", "-o", whole)
        (self.dir / "a.png").write_bytes(whole.read_bytes()[:200])
        render = ["render", self.dir / "a.obj", "--size", "64x64", "-o", self.dir / "b.png"]
        for words, warns in [[["info", self.dir / "a.obj", "--fail-on", "warning"], True],
                             [["info", self.dir / "a.obj"], False], [render, True],
                             [[*render, "--show", "no-textures"], False],
                             [[*render, "--show", "bone-colors"], False],
                             [[*render, "--method", "lbs,dqs", "--difference", "lbs"], True]]:
            run = sinew(*words)
            self.assertEqual(run.returncode, 1 if "--fail-on" in words else 0, run.stderr)
            self.assertEqual("is damaged" in run.stdout + run.stderr, warns, words)

    # render

    def test_samples_a_pixel(self):
        pictures = {}
        for samples in "", "1", "2", "4":
            out = self.dir / f"{samples}.png"
            more = ["--samples", samples] if samples else []
            run = sinew("render", "demo:arm", "--size", "64x64", "-o", out, *more)
            self.assertEqual(run.returncode, 0, run.stderr)
            pictures[samples] = out.read_bytes()
        self.assertNotEqual(pictures["1"], pictures["4"])
        report = json.loads(sinew("doctor", "--json").stdout)
        if "llvmpipe" in json.dumps(report):
            self.assertEqual(pictures[""], pictures["1"])
        self.fails(2, "render", "demo:arm", "--samples", "9", "-o", out, says=["samples"])

    def test_render_draws_something_and_leaves_nothing_else(self):
        out = self.dir / "a.png"
        run = sinew("render", "demo:humanoid", "--time", "0.3", "--size", "320x200", "-o", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(png_size(out), (320, 200))
        self.assertEqual([p.name for p in self.dir.iterdir()], ["a.png"])

    def test_every_method_and_palette_gives_a_picture_like_the_first(self):
        reference = {}
        for method in ["rigid", "lbs"]:
            for palette in ["texture", "storage-buffer", "block", "uniform-array"]:
                out = self.dir / f"{method}-{palette}.png"
                words = ["render", "demo:humanoid", "--clip", "walk", "--time", "0.3", "--size",
                         "240x240", "--method", method, "--palette", palette, "-o", out]
                if method in reference:
                    words += ["--reference", reference[method], "--threshold", "0.001"]
                run = sinew(*words)
                self.assertEqual(run.returncode, 0, run.stderr)
                reference.setdefault(method, out)

    def test_pictures_are_the_same_whatever_skins(self):
        words = ["render", "demo:humanoid", "--clip", "walk", "--time", "0.3", "--size", "360x240",
                 "--method", "lbs,arc-spline,cor", "--ghosts", "2"]
        reference = self.dir / "shader.png"
        run = sinew(*words, "-o", reference)
        self.assertEqual(run.returncode, 0, run.stderr)
        for skin_on in ["cpu", "compute", "auto"]:
            run = sinew(*words, "--skin-on", skin_on, "-o", self.dir / f"{skin_on}.png",
                        "--reference", reference, "--threshold", "0.001")
            self.assertEqual(run.returncode, 0, run.stderr)
            chosen = [line for line in run.stderr.splitlines() if line.startswith("skin-on auto: ")]
            self.assertEqual(len(chosen), 3 if skin_on == "auto" else 0, run.stderr)

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
        self.fails(2, *words, "--difference", "lbs", "--show", "weights:Hips", says=["--difference"])
        self.fails(2, *words, "--difference", "lbs,dqs", says=["one method"])
        self.fails(2, *words, "--difference", "magic", says=["magic", "lbs"])

    def test_light_from_a_picture(self):
        sky, square = self.dir / "sky.hdr", self.dir / "square.hdr"
        above, below = bytes([40, 80, 200, 130]), bytes([200, 60, 20, 124])

        def write(file, width, height):
            file.write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n" % (height, width)
                             + above * (width * height // 2) + below * (width * height // 2))
        write(sky, 64, 32)
        write(square, 32, 32)
        out = self.dir / "a.png"
        render = ["render", "demo:arm", "--size", "96x64", "--no-textures", "-o", out]
        blue = {}  # by method: how blue the middle column of the arm is, from above to below
        for method in "lbs", "dqs", "arc-spline":
            run = sinew(*render, "--method", method, "--light-from", sky)
            self.assertEqual(run.returncode, 0, run.stderr)
            rows = viewer_test.read_png(out)[2]
            blue[method] = [p[2] - p[0] for row in rows for p in row if max(p) - min(p) > 40]
            self.assertGreater(len(blue[method]), 100)
            self.assertGreater(max(blue[method]), 60)
        self.fails(3, *render, "--light-from", square, says=["square.hdr", "twice as wide"])
        self.fails(3, *render, "--light-from", self.dir / "none.hdr", says=["none.hdr"])

    def test_lists_of_methods_that_cannot_be_shown(self):
        render = ["render", "demo:arm", "-o", self.dir / "a.png", "--method"]
        self.fails(2, *render, "lbs,magic", says=["magic", "lbs"])
        self.fails(2, *render, "lbs,", says=["'lbs,'"])
        self.fails(2, *render, "lbs:attachments=9", says=["attachments"])
        self.fails(2, *render, ",".join(["lbs"] * 7), "--size", "8x8", says=["--size"])
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

    # films

    # Writes how many pictures it was given, or fails: what a film is made of can be counted. A GIF
    # is made in two runs, the second from the first one's file.
    FFMPEG = """#!/usr/bin/env python3
import os, pathlib, sys
words = sys.argv[1:]
source = words[words.index("-i") + 1]
if source == "pipe:0":
    if "broken" in os.getcwd():
        sys.stdin.buffer.read(100)
        print("\\n[fake] the disk is full\\nConversion failed!", file=sys.stderr)
        sys.exit(1)
    width, height = map(int, words[words.index("-video_size") + 1].split("x"))
    pictures = str(len(sys.stdin.buffer.read()) // (4 * width * height))
else:
    pictures = pathlib.Path(source).read_text()
for name in words:
    if name.endswith((".mov", ".png", ".gif", ".mp4")) and name != source:
        pathlib.Path(name).write_text(pictures)
"""

    def film(self, *words, out):
        tools = self.dir / "tools"
        tools.mkdir(exist_ok=True)
        (tools / "ffmpeg").write_text(self.FFMPEG)
        (tools / "ffmpeg").chmod(0o755)
        return sinew(*words, "-o", out, env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})

    def test_a_film_holds_its_own_pictures_and_touches_no_others(self):
        render = ["render", "demo:arm", "--frames", "3", "--size", "32x32", "--json"]
        ragdoll = ["ragdoll", "demo:arm", "--seconds", "0.1", "--fps", "30", "--size", "32x32", "--json"]
        for words, name in (render, "100%d.gif"), (ragdoll, "fall.MP4"):
            place = self.dir / words[0]
            older = place / f"{name}.frames"
            older.mkdir(parents=True)
            (older / "0003.png").write_text("mine")
            run = self.film(*words, out=place / name)
            self.assertEqual(run.returncode, 0, run.stderr)
            report = json.loads(run.stdout)
            if words is render:
                self.assertEqual(report, {"file": str(place / name), "frames": 3, "fps": 30})
                self.assertEqual((place / name).read_text(), "3")
            else:
                self.assertEqual((place / name).read_text(), "4")  # both ends of a tenth of a second
            self.assertEqual((older / "0003.png").read_text(), "mine")
            self.assertEqual(sorted(p.name for p in place.iterdir()), sorted([name, older.name]))

    def test_a_film_that_fails_leaves_nothing(self):
        for words in ["render", "demo:arm", "--frames", "200"], ["ragdoll", "demo:arm", "--seconds", "0.1"]:
            place = self.dir / words[0]
            place.mkdir()
            (place / "broken.gif").write_text("older")
            run = self.film(*words, "--size", "32x32", "--quiet", out=place / "broken.gif")
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn("ffmpeg could not write it ([fake] the disk is full)", run.stderr)
            self.assertEqual(len(run.stderr.splitlines()), 1)
            self.assertEqual([p.name for p in place.iterdir()], ["broken.gif"])
            self.assertEqual((place / "broken.gif").read_text(), "older")

    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_a_film_by_ffmpeg_itself(self):
        out = self.dir / "50%-100%%.gif"
        run = sinew("render", "demo:arm", "--frames", "2", "--size", "32x32", "-o", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(out.read_bytes()[:6], b"GIF89a")

    def test_a_reference_is_of_one_picture(self):
        for out in ["a.gif", "folder"]:
            self.fails(2, "render", "demo:arm", "--frames", "2", "-o", self.dir / out, "--reference",
                       self.dir / "none.png", says=["--reference"])
            self.assertFalse((self.dir / out).exists())

    def test_endings_in_capitals(self):
        picture, model, pose = self.dir / "A.PNG", self.dir / "A.GLB", self.dir / "A.JSON"
        for words in [["render", "demo:arm", "--size", "32x32", "-o", picture],
                      ["export", "demo:arm", "-o", model], ["export", "demo:arm", "-o", pose]]:
            run = sinew(*words)
            self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(png_size(picture), (32, 32))
        self.assertEqual(model.read_bytes()[:4], b"glTF")
        json.loads(pose.read_text())

    # export

    def test_every_kind_of_export_is_reported_as_json(self):
        model, pose = self.dir / "a.glb", self.dir / "a.json"
        report = json.loads(sinew("export", "demo:humanoid", "-o", model, "--json").stdout)
        self.assertEqual(report["file"], str(model))
        info = json.loads(sinew("info", model, "--json").stdout)
        for key in "vertices", "triangles", "joints":
            self.assertEqual(report[key], info[key], key)
        self.assertEqual(report["clips"], len(info["clips"]))
        self.assertEqual(report["left_out"], [])
        report = json.loads(sinew("export", "demo:arm", "--time", "1", "-o", pose, "--json").stdout)
        nodes = json.loads(sinew("info", "demo:arm", "--json").stdout)["nodes"]
        self.assertEqual(report, {"file": str(pose), "nodes": nodes})

    def export(self, model, *words):
        out = self.dir / f"{len(list(self.dir.iterdir()))}.ply"
        run = sinew("export", model, "-o", out, *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return read_ply(out)

    def compare_devices(self, model, *words, methods=("rigid", "lbs")):
        info = json.loads(sinew("info", model, "--json").stdout)
        for method in methods:
            cpu = self.export(model, "--method", method, *words)
            gpu = self.export(model, "--method", method, "--skin-on", "vertex-shader", *words)
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

    # Morph targets

    def test_info_names_morph_targets_and_the_clips_that_move_them(self):
        info = json.loads(sinew("info", "demo:flexing-arm", "--json").stdout)
        self.assertEqual([m["name"] for m in info["morph_targets"]], ["biceps", "triceps", "forearm", "reach"])
        for morph in info["morph_targets"]:
            self.assertEqual((morph["weight"], morph["meshes"], morph["clips"]), (0, ["arm"], ["flex"]))
            self.assertGreater(morph["vertices"], 50)
        clips = {clip["name"]: clip["morph_targets"] for clip in info["clips"]}
        self.assertEqual(clips["flex"], ["biceps", "triceps", "forearm", "reach"])
        self.assertEqual(clips["elbow-bend"], [])
        self.assertIn("forearm", sinew("info", "demo:flexing-arm").stdout)

    def test_morph_weights_are_held(self):
        still = ["demo:flexing-arm", "--clip", "none"]
        none = self.export(*still)
        self.assertEqual(none, self.export(*still, "--morph", "biceps=0"))
        both = self.export(*still, "--morph", "biceps=0.5,Forearm=1")
        self.assertGreater(largest(none[0], both[0]), 0.005)
        self.assertEqual(both, self.export(*still, "--morph", "biceps=0.5", "--morph", "forearm=1"))
        # Over a clip, and in a pose.
        flex = ["demo:flexing-arm", "--clip", "flex", "--time", "2"]
        self.assertGreater(largest(self.export(*flex)[0], self.export(*flex, "--morph", "biceps=0")[0]), 0.005)
        pose = self.dir / "pose.json"
        self.assertEqual(sinew("export", *flex, "--morph", "reach=-1", "-o", pose).returncode, 0)
        self.assertEqual(json.loads(pose.read_text())["morphs"], {"biceps": 1, "triceps": 1, "forearm": 1, "reach": -1})
        self.assertLess(largest(self.export("demo:flexing-arm", "--pose", pose)[0],
                                self.export(*flex, "--morph", "reach=-1")[0]), 1e-5)

    def test_morph_weights_that_cannot_be_held_are_code_2(self):
        out = ["-o", self.dir / "a.ply"]
        self.fails(2, "export", "demo:flexing-arm", "--morph", "bicep=1", *out,
                   says=["unknown morph target 'bicep'", "biceps, triceps, forearm, reach"])
        self.fails(2, "export", "demo:flexing-arm", "--morph", "biceps", *out, says=["expected NAME=WEIGHT"])
        self.fails(2, "export", "demo:flexing-arm", "--morph", "biceps=much", *out, says=["'much' is not a number"])
        self.fails(2, "export", "demo:arm", "--morph", "biceps=1", *out, says=["the model has none"])

    def test_cpu_and_gpu_morph_the_same(self):
        self.compare_devices("demo:flexing-arm", "--clip", "flex", "--time", "1.5", methods=("dqs", "arc-spline"))

    def test_morph_targets_are_written_to_glb(self):
        out = self.dir / "arm.glb"
        self.assertEqual(sinew("export", "demo:flexing-arm", "-o", out).returncode, 0)
        words = ["--clip", "flex", "--time", "1.3"]
        self.assertLess(largest(self.export("demo:flexing-arm", *words)[0], self.export(out, *words)[0]), 1e-4)

    # Layers over the clip

    def layer_stack(self, *layers, **more):
        path = self.dir / "layers.json"
        path.write_text(json.dumps({"sinew": "layers", "layers": list(layers), **more}))
        return path

    def test_layers_of_weight_0_and_1(self):
        words = ["demo:humanoid", "--clip", "walk", "--time", "0.4"]
        wave = {"name": "wave", "kind": "clip", "clip": "wave"}
        walk = self.export(*words)
        off = self.export(*words, "--layers", self.layer_stack({**wave, "weight": 0}))
        self.assertEqual(walk, off)
        over = self.export(*words, "--layers", self.layer_stack(wave))
        self.assertEqual(over, self.export("demo:humanoid", "--clip", "wave", "--time", "0.4"))

    def test_a_mask_leaves_the_legs_alone(self):
        words = ["demo:humanoid", "--clip", "walk", "--time", "0.4"]
        poses = []
        for more in [[], ["--layers", self.layer_stack(
                {"kind": "clip", "clip": "wave", "mask": ["RightShoulder"]})]]:
            out = self.dir / "pose.json"
            self.assertEqual(sinew("export", *words, *more, "-o", out).returncode, 0)
            poses.append(json.loads(out.read_text())["nodes"])
        moved = {name for name in poses[0] if poses[0][name] != poses[1][name]}
        self.assertIn("RightUpperArm", moved)
        self.assertTrue(all(name.startswith("Right") for name in moved), moved)
        self.assertFalse(any("Leg" in name or "Foot" in name for name in moved), moved)

    def test_a_layer_comes_in_over_time(self):
        layers = self.layer_stack({"kind": "clip", "clip": "stretch", "start": 1, "fade_in": 0.5})
        before, during, after = (
            self.export("demo:humanoid", "--clip", "none", "--time", t, "--layers", layers)[0]
            for t in ["0.9", "1.25", "3.0"])
        rest = self.export("demo:humanoid", "--clip", "none")[0]
        self.assertEqual(rest, before)
        self.assertGreater(largest(before, during), 0.01)
        self.assertGreater(largest(before, after), 0.1)

    def test_nonsense_in_layers_is_code_3_and_names_file_and_key(self):
        for layer, words in [({"kind": "clip", "clip": "wvae"}, ["'clip'", "wvae", "walk"]),
                             ({"kind": "clip", "clip": "walk", "mask": ["Tail"]}, ["'mask'", "Tail"]),
                             ({"kind": "clip", "clip": "walk", "spede": 1}, ["'spede'", "speed"]),
                             ({"kind": "dance"}, ["'kind'", "clip"]),
                             ([], ["object"]),
                             ({"kind": {"kind": []}}, ["'kind'", "text"]),
                             ({"kind": "wave", "from": "Neck", "to": "Tail"}, ["'to'", "Tail"]),
                             ({"kind": "wave", "from": "Neck", "to": "Head", "angle": 1e39},
                              ["'angle'", "too large"]),
                             ({"kind": "wave", "from": "Neck", "to": "Head", "axis": [0, 0, 0]}, ["axis"]),
                             ({"kind": "formula", "joint": "Head", "formula": "2 *"}, ["2 *"]),
                             ({"kind": "formula", "joint": "Head", "formula": "(" * 999}, ["((("])]:
            path = self.layer_stack(layer)
            run = sinew("render", "demo:humanoid", "--layers", path, "-o", self.dir / "a.png")
            self.assertEqual(run.returncode, 3, run.stderr)
            self.assertEqual(len(run.stderr.strip().splitlines()), 1, run.stderr)
            for word in [str(path), "layer 1", *words]:
                self.assertIn(word, run.stderr)
        for text, words in [("", ["line 1"]), ("NaN", ["line 1"]), ("[" * 100000, ["brackets"]),
                            ('{"sinew": "layers",\n"seconds": 1e999, "layers": []}', ["line 2", "1e999"]),
                            ('{"sinew": "layers", "layers": {}}', ["not a layer stack"])]:
            path.write_text(text)
            self.fails(3, "render", "demo:humanoid", "--layers", path, "-o", self.dir / "a.png",
                       says=[str(path), *words])
        run = sinew("render", "demo:humanoid", "--layers", self.layer_stack(), "--pose", path, "-o",
                    self.dir / "a.png")
        self.assertEqual(run.returncode, 2)

    def test_a_range_goes_to_and_fro(self):
        words = ["demo:humanoid", "--clip", "walk", "--range-start", "0.2", "--range-end", "0.6",
                 "--ping-pong"]
        there = self.export(*words, "--time", "0.5")
        back = self.export(*words, "--time", "0.7")
        self.assertLess(largest(there[0], back[0]), 1e-4)
        run = sinew("export", "demo:humanoid", "--clip", "walk", "--range-end", "9", "-o",
                    self.dir / "a.ply")
        self.assertEqual(run.returncode, 2)
        self.assertIn("walk", run.stderr)

    def test_a_layer_stack_becomes_a_clip_of_a_glb(self):
        layers = self.layer_stack({"kind": "clip", "clip": "wave", "mask": ["RightShoulder"],
                                  "start": 0.2, "fade_in": 0.4})
        words = ["--clip", "walk", "--layers", layers]
        file = self.dir / "a.glb"
        run = sinew("export", "demo:humanoid", *words, "-o", file, "--quiet")
        self.assertEqual(run.returncode, 0, run.stderr)
        clips = json.loads(sinew("info", file, "--json").stdout)["clips"]
        self.assertEqual(clips[0]["name"], "layers")
        self.assertAlmostEqual(clips[0]["seconds"], 1.1, 3)
        self.assertEqual([c["name"] for c in clips[1:]], ["idle", "walk", "wave", "stretch"])
        def pose(*words):
            out = self.dir / "pose.json"
            self.assertEqual(sinew("export", *words, "-o", out, "--quiet").returncode, 0)
            return json.loads(out.read_text())["nodes"]

        for time in ["0", "0.5", "1.0"]: # frames of the clip
            before = pose("demo:humanoid", *words, "--time", time)
            after = pose(file, "--clip", "layers", "--time", time)
            for name in ["Hips", "RightUpperArm", "LeftLowerLeg"]:
                for a, b in zip(before[name]["rotation"], after[name]["rotation"]):
                    self.assertAlmostEqual(a, b, 4, name)
        run = sinew("export", "demo:humanoid", "--clip", "none", "--layers", layers, "-o", file)
        self.assertEqual(run.returncode, 2)
        self.assertIn("seconds", run.stderr)

    @needs("fox/Fox.glb")
    def test_a_spring_is_in_a_picture_as_it_is_in_a_film(self):
        fox = SHARED / "fox/Fox.glb"
        layers = self.layer_stack({"kind": "spring", "from": "b_Tail01_012", "to": "b_Tail03_014",
                                  "frequency": 1, "damping": 0.1, "gravity": [0, -1000, 0]}, seconds=2)
        words = [fox, "--clip", "Run", "--quiet"]
        film = self.dir / "film.glb"
        run = sinew("export", *words, "--layers", layers, "-o", film)
        self.assertEqual(run.returncode, 0, run.stderr)
        for time in ["0.5", "1.3", "1.9"]: # frames of the film
            still = self.export(*words, "--time", time)[0]
            picture = self.export(*words, "--layers", layers, "--time", time)[0]
            frame = self.export(film, "--clip", "layers", "--time", time, "--quiet")[0]
            self.assertGreater(largest(still, picture), 0.02 * size_of(still))
            self.assertLess(largest(frame, picture), 1e-4 * size_of(still))

    @needs("fox/Fox.glb")
    def test_a_sequence_of_a_layer_stack(self):
        layers = self.layer_stack({"kind": "clip", "clip": "Run", "fade_in": 0.4, "start": 0.2},
                                 seconds=1)
        run = sinew("render", SHARED / "fox/Fox.glb", "--clip", "Walk", "--layers", layers,
                    "--frames", "3", "--fps", "3", "--size", "64x64", "-o", self.dir / "frames")
        self.assertEqual(run.returncode, 0, run.stderr)
        frames = [(self.dir / "frames" / f"{i:04}.png").read_bytes() for i in range(3)]
        self.assertEqual(len(set(frames)), 3)

    @needs("cmu_motion/01_01.bvh")
    def test_root_motion_off_stays_in_place_and_accumulated_goes_on(self):
        model = SHARED / "mannequiny/mannequiny.glb"
        words = [model, "--motion", SHARED / "cmu_motion/01_01.bvh", "--range-start", "10",
                 "--range-end", "15", "--time"]

        def middle(*more):
            points = self.export(*words, *more)[0]
            return [sum(p[i] for p in points) / len(points) for i in (0, 2)]

        def apart(a, b):
            return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5

        travel = apart(middle("10"), middle("14.99"))
        self.assertGreater(travel, 0.3)
        self.assertLess(apart(middle("10", "--root", "off"), middle("14.99", "--root", "off")),
                        0.3 * travel)
        first, second, third = (middle(time, "--root", "accumulate") for time in ["11", "16", "21"])
        self.assertAlmostEqual(apart(first, second) / travel, 1.0, delta=0.3)
        self.assertAlmostEqual(apart(first, second), apart(second, third), 3)
        self.assertAlmostEqual(apart(first, third), 2 * apart(first, second), 3)

    @needs("cmu_motion/01_01.bvh")
    def test_info_says_which_joint_moves_which(self):
        model = SHARED / "mannequiny/mannequiny.glb"
        words = ["info", model, "--motion", SHARED / "cmu_motion/01_01.bvh"]
        motion = json.loads(sinew(*words, "--json").stdout)["motion"]
        self.assertGreater(len(motion["matched"]), 10)
        self.assertEqual({pair["rule"] for pair in motion["matched"]} - {"exact", "normalised", "part"},
                         set())
        names = {pair["motion"] for pair in motion["matched"]}
        self.assertEqual(names & set(motion["unmatched"]), set())
        self.assertIn("joints of the motion that the model does not have",
                      sinew(*words).stdout)
        self.assertIsNone(json.loads(sinew("info", model, "--json").stdout)["motion"])

    def test_obj(self):
        out = self.dir / "a.obj"
        self.assertEqual(sinew("export", "demo:arm", "-o", out).returncode, 0)
        lines = out.read_text().splitlines()
        info = json.loads(sinew("info", "demo:arm", "--json").stdout)
        self.assertEqual(sum(l.startswith("v ") for l in lines), info["vertices"])
        self.assertEqual(sum(l.startswith("f ") for l in lines), info["triangles"])

    def test_a_mirrored_pose(self):
        words = ["--clip", "walk", "--time", "0.4", "-o"]
        plain, once, twice = (self.dir / f"{n}.json" for n in ["plain", "once", "twice"])
        self.assertEqual(sinew("export", "demo:humanoid", *words, plain).returncode, 0)
        run = sinew("export", "demo:humanoid", "--mirror", *words, once)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(
            sinew("export", "demo:humanoid", "--mirror", "--pose", once, "-o", twice).returncode, 0)
        turns = [json.loads(p.read_text())["nodes"]["LeftUpperLeg"]["rotation"]
                 for p in [plain, once, twice]]
        same = [abs(sum(a * b for a, b in zip(turns[0], turn))) for turn in turns]
        self.assertLess(same[1], 0.999)
        self.assertGreater(same[2], 0.99999)
        run = sinew("export", "demo:arm", "--mirror", "-o", self.dir / "arm.json")
        self.assertEqual(run.returncode, 0)
        self.assertIn("no other side: LowerArm, Hand", run.stderr)

    # free splines

    def splines(self, parent, points=((0, 0, 0), (0.3, 0, 0), (0.6, 0, 0))):
        path = self.dir / f"{len(list(self.dir.iterdir()))}.json"
        path.write_text(json.dumps({"sinew": "splines", "splines": [
            {"name": "s", "parent": parent, "points": points, "reach": 0.5}]}))
        return path

    def test_splines_laid_on_a_model_bend_it_and_stay_in_a_glb(self):
        laid = ["--splines", self.splines("Body")]
        info = json.loads(sinew("info", "demo:arm", *laid, "--json").stdout)
        spline, = info["splines"]
        self.assertEqual(spline["nodes"], ["s.1", "s.2", "s.3"])
        self.assertGreater(spline["vertices"], 10)
        pose = self.dir / "bent.json"
        pose.write_text('{"sinew": "pose", "nodes": {"s.2": {"rotation": [0, 0, 0.4, 0.916515]}}}')
        rest = self.export("demo:arm", "--clip", "none", "--method", "arc-spline")
        bent = self.export("demo:arm", *laid, "--pose", pose, "--method", "arc-spline")
        self.assertGreater(largest(rest[0], bent[0]), 0.05)
        run = sinew("info", "demo:arm", "--splines", "none")
        self.assertNotIn("free spline", run.stdout)
        file = self.dir / "laid.glb"
        self.assertEqual(sinew("export", "demo:arm", *laid, "-o", file).returncode, 0)
        kept, = json.loads(sinew("info", file, "--json").stdout)["splines"]
        self.assertEqual(kept["nodes"], spline["nodes"])
        run = sinew("render", "demo:arm", *laid, "--size", "64x48", "-o", self.dir / "a.png")
        self.assertIn("lbs bends by joints; arc-spline, bezier-spline, per-joint bend by splines", run.stderr)

    def test_nonsense_in_splines_is_code_3_and_names_file_and_reason(self):
        for path, reason in [(self.splines("Nobody"), "Nobody"), (self.splines("Body", [[0, 0, 0]] * 3), "in one"),
                             (self.splines("Body", [[0, 0, 0]]), "not three points")]:
            self.fails(3, "info", "demo:arm", "--splines", path, says=[path.name, reason])
        self.fails(2, "info", "demo:arm", "--splines", "splines.txt")

    # zones

    def zones(self, joints):
        path = self.dir / f"{len(list(self.dir.iterdir()))}.json"
        path.write_text(json.dumps({"sinew": "zones", "joints": joints}))
        return path

    def test_zones_are_written_and_read_back(self):
        out = self.dir / "arm.zones.json"
        self.assertEqual(sinew("zones", "demo:arm", "-o", out).returncode, 0)
        joints = json.loads(out.read_text())["joints"]
        self.assertEqual(list(joints), ["Body", "Hand", "LowerArm", "UpperArm"])
        self.assertLess(joints["LowerArm"]["min"], 0)
        run = sinew("zones", "demo:arm", "--zones", out, "--json")
        read = {j["name"]: j for j in json.loads(run.stdout)["joints"]}
        for name, zone in joints.items():
            self.assertAlmostEqual(read[name]["min"], zone["min"], 6)
            self.assertEqual(read[name]["from"], "file")
        words = ["--method", "arc-spline", "--set", "parameter-source=zone", "--time", "1"]
        self.assertEqual(self.export("demo:arm", *words),
                         self.export("demo:arm", "--zones", out, *words))

    def test_zones_change_the_skin(self):
        words = ["--clip", "elbow-bend", "--time", "2", "--method", "bones-blending"]
        plain = self.export("demo:arm", *words)
        by_zone = self.export("demo:arm", "--set", "parameter-source=zone", *words)
        every = {name: {"source": "zone"} for name in ["Body", "UpperArm", "LowerArm", "Hand"]}
        self.assertEqual(by_zone, self.export("demo:arm", "--zones", self.zones(every), *words))
        wide = self.zones({"LowerArm": {"min": -0.12, "max": 0.1, "source": "zone"}})
        wider = self.export("demo:arm", "--zones", wide, *words)
        self.assertGreater(largest(wider[0], by_zone[0]), 0.005)
        self.assertGreater(largest(wider[0], plain[0]), 0.005)

    def test_zones_of_single_joints_by_words(self):
        out = self.dir / "words.zones.json"
        words = ["--zone", "LowerArm:curve=smooth:method=bones-blending,Hand:curve=0.25/0.125:max=0.01"]
        self.assertEqual(sinew("zones", "demo:arm", *words, "-o", out).returncode, 0)
        joints = json.loads(out.read_text())["joints"]
        self.assertEqual((joints["LowerArm"]["curve"], joints["LowerArm"]["method"]),
                         ("smooth", "bones-blending"))
        self.assertEqual(joints["Hand"]["curve"], [[0.25, 0.125]])
        self.assertAlmostEqual(joints["Hand"]["max"], 0.01, 6)
        info = json.loads(sinew("info", "demo:arm", "--zones", out, "--json").stdout)
        self.assertEqual(info["zones"]["methods"], {"LowerArm": "bones-blending"})
        skin = ["--clip", "elbow-bend", "--time", "2", "--set", "parameter-source=zone"]
        curved = self.export("demo:arm", *words, "--method", "bones-blending", *skin)
        self.assertEqual(curved, self.export("demo:arm", "--zones", out, "--method",
                                             "bones-blending", *skin))
        self.assertNotEqual(curved, self.export("demo:arm", "--method", "bones-blending", *skin))
        for word, says in [("LowerArm:curve=round", "curve"), ("Nose:max=1", "Nose"),
                           ("Hand:method=best", "best"), ("Hand:method=per-joint", "per-joint"),
                           ("Hand", "JOINT:KEY=VALUE")]:
            self.fails(2, "zones", "demo:arm", "--zone", word, says=[says])
        self.fails(3, "zones", "demo:arm", "--zones", self.zones({"Hand": {"method": "best"}}),
                   says=["best"])

    def test_a_method_for_each_joint(self):
        words = ["--clip", "elbow-bend", "--time", "2"]
        elbow = ["--method", "per-joint", "--zone", "LowerArm:method=bones-blending"]
        mixed = self.export("demo:arm", *words, *elbow)[0]
        blended = self.export("demo:arm", *words, "--method", "bones-blending")[0]
        linear = self.export("demo:arm", *words)[0]
        self.assertLess(largest(mixed, blended), 1e-5)  # the elbow alone is bent
        self.assertGreater(largest(mixed, linear), 0.01)
        gpu = self.export("demo:arm", *words, *elbow, "--skin-on", "vertex-shader")[0]
        self.assertLess(largest(mixed, gpu), 1e-5)
        doc = self.compare_json("demo:arm", "--method", "lbs,per-joint", "--clip", "elbow-bend",
                                "--samples", "2", "--no-time", *elbow[2:])
        self.assertIn("per-joint: LowerArm by bones-blending", doc["notes"])

    def test_subdivision_adds_vertices_and_moves_none(self):
        words = ["--clip", "elbow-bend", "--time", "2", "--method", "bones-blending"]
        before = self.export("demo:arm", *words)[0]
        for asked in [["--subdivide", "LowerArm=1:4,Hand=1:3"], ["--subdivide-bent", "20"]]:
            fine = self.export("demo:arm", *words, *asked)[0]
            self.assertGreater(len(fine), len(before))
            self.assertLess(largest(before, fine[:len(before)]), 1e-5)
        info = json.loads(sinew("info", "demo:arm", "--subdivide", "Hand=1:4", "--json").stdout)
        self.assertEqual(info["subdivided_vertices"], info["vertices"] - len(before))
        self.fails(2, "info", "demo:arm", "--subdivide", "Hand=1:5", says=["1:3 or JOINT=1:4"])
        self.fails(2, "info", "demo:arm", "--subdivide", "Nose=1:4", says=["Nose"])

    def test_nonsense_in_zones_is_code_3_and_names_file_and_key(self):
        for joints, key in [({"Hand": {"min": 1}}, "min"), ({"Hand": {"mx": 1}}, "mx"),
                            ({"Nose": {}}, "Nose"), ({"Hand": {"source": "x"}}, "source")]:
            path = self.zones(joints)
            self.fails(3, "export", "demo:arm", "--zones", path, "-o", self.dir / "a.ply",
                       says=[path.name, key])
        self.fails(3, "zones", "demo:arm", "--zones", self.dir / "none.json", says=["none.json"])

    @needs("fox/Fox.glb")
    def test_zones_beside_the_model_are_read_and_said(self):
        model = self.dir / "Fox.glb"
        model.write_bytes((SHARED / "fox/Fox.glb").read_bytes())
        beside = self.dir / "Fox.glb.zones.json"
        beside.write_text(json.dumps(
            {"sinew": "zones", "joints": {"b_Neck_04": {"min": -3, "source": "zone"}}}))
        run = sinew("zones", model, "--json")
        self.assertIn(f"zones: 1 joint from {beside}", run.stderr)
        neck = [j for j in json.loads(run.stdout)["joints"] if j["name"] == "b_Neck_04"][0]
        self.assertEqual((neck["min"], neck["source"], neck["from"]), (-3, "zone", "file"))
        self.assertNotIn("zones:", sinew("zones", model, "--quiet").stderr)
        beside.write_text('{"sinew": "zones", "joints": {"b_Neck_04": {"max": -3}}}')
        self.fails(3, "info", model, says=["Fox.glb.zones.json", "'max'", "b_Neck_04"])

    # compare

    def compare(self, *words, code=0):
        run = sinew("compare", *words)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def compare_json(self, *words):
        # NaN and Infinity are no JSON: parse_constant is called for them alone.
        def refuse(word):
            self.fail(f"{word} in JSON")
        return json.loads(self.compare(*words, "--json", "--quiet").stdout, parse_constant=refuse)

    def test_compare_json_has_the_promised_keys(self):
        doc = self.compare_json("demo:arm", "--clip", "elbow-twist", "--samples", "4", "--no-time")
        for key in ["model", "subject", "along", "moments", "vertices", "triangles", "size",
                    "beyond_share", "joints", "methods", "metrics", "samples", "timed_vertices",
                    "renderer", "notes", "failed"]:
            self.assertIn(key, doc)
        self.assertEqual((doc["along"], doc["moments"], doc["timed_vertices"]), ("clip", 4, 0))
        names = [m["method"] for m in doc["methods"]]
        self.assertIn("lbs", names)
        self.assertIn("arc-spline", names)
        for method in doc["methods"]:
            self.assertEqual(set(method["whole"]), set(doc["metrics"]))
            self.assertEqual(set(method["worst"]), set(doc["metrics"]))
            self.assertEqual([j["joint"] for j in method["joints"]],
                             [j["joint"] for j in doc["joints"]])
            self.assertEqual(set(method["time"].values()), {None})
        self.assertEqual(len(doc["samples"]), len(names) * 4 * (1 + len(doc["joints"])))
        for key in ["method", "joint", "clip", "time", "volume", "cross_section", "stretch",
                    "curvature", "folded", "flipped", "self_intersections", "distance",
                    "mean_distance", "beyond"]:
            self.assertIn(key, doc["samples"][0])

    def test_compare_sweep_tells_the_candy_wrapper(self):
        doc = self.compare_json("demo:arm", "--sweep", "twist", "--joint", "LowerArm", "--steps",
                                "4", "--no-time")
        by = {m["method"]: m["joints"][0] for m in doc["methods"]}
        self.assertLess(by["lbs"]["smallest_cross_section"], 0.05)
        self.assertGreater(by["bones-blending"]["smallest_cross_section"], 0.95)
        self.assertLess(by["lbs"]["smallest_volume"], 0.8)
        self.assertGreater(by["dqs"]["smallest_volume"], 0.97)
        self.assertGreater(by["lbs"]["most_self_intersections"], 100)
        self.assertEqual(by["arc-spline"]["most_self_intersections"], 0)
        self.assertEqual(sorted({s["degrees"] for s in doc["samples"]}), [-180, -90, 0, 90, 180])
        for sample in doc["samples"]: # at rest all agree
            if sample["degrees"] == 0:
                self.assertAlmostEqual(sample["volume"], 1, places=3)
                self.assertAlmostEqual(sample["distance"], 0, places=4)

    def test_compare_bends_toward_the_axis_asked_for(self):
        words = ["demo:arm", "--sweep", "bend", "--joint", "LowerArm", "--from", "90", "--to", "90",
                 "--steps", "0", "--no-time", "--method", "dqs"]
        y = self.compare_json(*words, "--toward", "0,1,0")["samples"]
        z = self.compare_json(*words, "--toward", "0,0,1")["samples"]
        self.assertEqual(len(y), 2)
        self.assertNotEqual(y[1]["stretch"], z[1]["stretch"])

    def test_compare_limits_are_code_1_and_one_line(self):
        words = ["demo:arm", "--sweep", "twist", "--joint", "LowerArm", "--steps", "2",
                 "--no-time", "--min-cross-section", "0.5"]
        run = self.compare(*words, "--method", "lbs", code=1)
        lines = run.stderr.splitlines()
        self.assertEqual(len(lines), 1, run.stderr)
        for word in ["lbs", "LowerArm", "180 degrees", "--min-cross-section 0.5"]:
            self.assertIn(word, lines[0])
        self.assertEqual(self.compare(*words, "--method", "dqs,arc-spline").stderr, "")
        for option, limit, fails in [("--max-volume-loss", 0.1, True), ("--max-volume-loss", 0.9, False),
                                     ("--max-stretch", 1.1, True), ("--max-stretch", 100, False),
                                     ("--max-self-intersections", 10, True),
                                     ("--max-distance", 0, False), ("--max-flipped", 0, False)]:
            self.compare("demo:arm", "--sweep", "twist", "--joint", "LowerArm", "--steps", "2",
                         "--no-time", "--method", "lbs", option, limit, code=1 if fails else 0)

    def test_compare_writes_a_report_that_stands_alone(self):
        page, table, doc = (self.dir / f"a.{kind}" for kind in ["html", "csv", "json"])
        run = self.compare("demo:humanoid", "--clip", "walk", "--samples", "3", "--method",
                           "lbs,dqs", "--no-time", "-o", page, "-o", table, "-o", doc)
        self.assertEqual(run.stdout, "")
        html = page.read_text()
        self.assertGreaterEqual(html.count("data:image/png;base64,"), 4)
        self.assertGreaterEqual(html.count("<svg"), 4)
        self.assertNotIn("<script", html)
        self.assertNotIn("<h2>Time", html)
        for word in ["src=\"http", "url(http", "@import", "<link"]:
            self.assertNotIn(word, html)
        for word in ["Linear blend", "Dual quaternions", "What is measured", "class=\"number best"]:
            self.assertIn(word, html)
        rows = list(csv.DictReader(table.read_text().splitlines()))
        samples = json.loads(doc.read_text())["samples"]
        self.assertEqual(len(rows), len(samples))
        self.assertEqual(float(rows[0]["volume"]), samples[0]["volume"])
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["a.csv", "a.html", "a.json"])

    def test_compare_times_a_frame(self):
        doc = self.compare_json("demo:arm", "--samples", "1", "--method", "lbs,dqs", "--vertices",
                                "5000")
        self.assertGreaterEqual(doc["timed_vertices"], 5000)
        self.assertTrue(doc["renderer"])
        for method in doc["methods"]:
            self.assertGreater(method["time"]["frame_ms"], 0)

    def test_compare_without_graphics_says_so_and_measures(self):
        page = self.dir / "a.html"
        run = subprocess.run([SINEW, "compare", "demo:arm", "--samples", "1", "--json", "-o", page],
                             capture_output=True, text=True, timeout=60,
                             env={**os.environ, "__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"})
        self.assertEqual(run.returncode, 0, run.stderr)
        doc = json.loads(run.stdout)
        self.assertIsNone(doc["renderer"])
        self.assertIn("no frame was timed", " ".join(doc["notes"]))
        self.assertIn("No pictures could be drawn", page.read_text())
        self.assertNotIn("data:image/png", page.read_text())

    def test_compare_one_method_with_different_parameters(self):
        doc = self.compare_json("demo:humanoid", "--clip", "walk", "--samples", "2", "--method",
                                "arc-spline,arc-spline:attachments=1:normals=exact")
        names = [m["method"] for m in doc["methods"]]
        self.assertEqual(names, ["arc-spline", "arc-spline:attachments=1:normals=exact"])
        self.assertIn("attachments=1", doc["methods"][1]["title"])
        three, one = (m["whole"]["largest_distance"] for m in doc["methods"])
        self.assertNotEqual(three, one)
        for method in doc["methods"]:
            self.assertGreater(method["time"]["frame_ms"], 0)

    def test_compare_measures_with_the_zones_given(self):
        words = ["demo:arm", "--sweep", "bend", "--joint", "LowerArm", "--from", "90", "--steps",
                 "0", "--no-time", "--method", "bones-blending:parameter-source=zone"]
        zones = self.zones({"LowerArm": {"min": -0.12, "max": 0.1}})
        plain, wide = (self.compare_json(*words, *more)["samples"][1]["stretch"]
                       for more in ([], ["--zones", zones]))
        self.assertNotAlmostEqual(plain, wide, places=3)

    def test_compare_every_clip(self):
        doc = self.compare_json("demo:arm", "--clip", "all", "--samples", "2", "--no-time",
                                "--method", "lbs")
        clips = [c["name"] for c in json.loads(sinew("info", "demo:arm", "--json").stdout)["clips"]]
        self.assertEqual(doc["moments"], 2 * len(clips))
        self.assertEqual({s["clip"] for s in doc["samples"]}, set(clips))

    def test_compare_of_a_pose_and_of_one_time(self):
        pose = self.dir / "p.json"
        words = ["demo:arm", "--clip", "elbow-bend", "--time", "1"]
        self.assertEqual(sinew("export", *words, "-o", pose).returncode, 0)
        held = self.compare_json("demo:arm", "--pose", pose, "--no-time")
        timed = self.compare_json(*words, "--no-time")
        self.assertEqual((held["along"], held["moments"], timed["moments"]), ("pose", 1, 1))
        self.assertAlmostEqual(held["samples"][0]["volume"], timed["samples"][0]["volume"], places=4)

    def test_compare_usage(self):
        self.fails(2, "compare", "demo:arm", "--sweep", "bend", says=["--joint"])
        self.fails(2, "compare", "demo:arm", "--joint", "Nobody", says=["Nobody"])
        self.fails(2, "compare", "demo:arm", "--method", "wrong", says=["wrong", "lbs"])
        self.fails(2, "compare", "demo:arm", "-o", self.dir / "a.pdf", says=["a.pdf", ".html"])
        self.fails(2, "compare", "demo:arm", "--json", "--csv", says=["--csv"])
        self.fails(2, "compare", "demo:arm", "--sweep", "bend", "--joint", "LowerArm", "--toward",
                   "0,0,0", says=["--toward"])

    @needs("minetest_character/character.x")
    def test_compare_where_no_joint_bends(self):
        doc = self.compare_json(SHARED / "minetest_character/character.x", "--no-time")
        self.assertEqual(doc["joints"], [])
        self.assertEqual(len(doc["notes"]), 1)
        self.assertIsNone(doc["methods"][0]["whole"]["smallest_cross_section"])
        self.assertAlmostEqual(doc["methods"][1]["whole"]["smallest_volume"], 1, places=4)

    @needs("makehuman_body/makehuman_body.obj")
    def test_compare_of_a_model_without_a_skin(self):
        doc = self.compare_json(SHARED / "makehuman_body/makehuman_body.obj", "--no-time",
                                "--method", "lbs")
        self.assertEqual(doc["along"], "pose")
        self.assertEqual(len(doc["notes"]), 2)

    @needs("arnaud/locomotions.fbx")
    def test_compare_of_a_file_without_a_mesh(self):
        self.fails(3, "compare", SHARED / "arnaud/locomotions.fbx", "--quiet", says=["no mesh"])

    @needs("male_suit/Male_Suit.fbx")
    def test_compare_of_a_real_character(self):
        doc = self.compare_json(SHARED / "male_suit/Male_Suit.fbx", "--clip", "5", "--no-time")
        by = {m["method"]: {j["joint"]: j for j in m["joints"]} for m in doc["methods"]}
        # Running, it turns its shoulders far: linear blending thins them.
        for joint in ["UpperArm.L", "UpperArm.R"]:
            lbs = by["lbs"][joint]
            for method in ["dqs", "bones-blending", "arc-spline", "bezier-spline"]:
                self.assertGreater(by[method][joint]["smallest_cross_section"],
                                   lbs["smallest_cross_section"])
                self.assertGreater(by[method][joint]["smallest_volume"], lbs["smallest_volume"])

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

    def test_bench_of_a_mesh_subdivided_where_it_bends(self):
        words = ["bench", "--model", "demo:arm", "--clip", "elbow-bend", "--time", "2",
                 "--vertices", "1", "--frames", "1", "--method", "lbs", "--size", "16x16", "--json"]
        own, fine = (json.loads(sinew(*words, *more).stdout)["vertices"]
                     for more in [[], ["--subdivide-bent", "20"]])
        self.assertGreater(fine, own)

    def test_bench_skins_on_the_cpu_or_by_what_is_faster(self):
        words = ["bench", "--vertices", "20000", "--frames", "2", "--size", "64x64", "--json"]
        for skin_on, allowed in (("cpu", {"cpu"}), ("compute", {"compute"}),
                                 ("auto", {"cpu", "compute", "vertex-shader"})):
            run = sinew(*words, "--method", "lbs,arc-spline,ddm", "--skin-on", skin_on)
            self.assertEqual(run.returncode, 0, run.stderr)
            results = json.loads(run.stdout)["results"]
            self.assertEqual(results[0]["skin_on"], "")
            for result in results[1:]:
                self.assertIn(result["skin_on"], allowed)

    def test_bench_of_crowds_in_other_formats(self):
        words = ["bench", "--vertices", "40000", "--frames", "2", "--size", "64x64", "--json"]
        run = sinew(*words, "--method", "lbs", "--palette-format", "f16", "--bake-palette", "--lod",
                    "1", "--cull", "--distance", "0.05", "--passes", "2")
        self.assertEqual(run.returncode, 0, run.stderr)
        results = {r["method"]: r for r in json.loads(run.stdout)["results"]}
        self.assertEqual(list(results), ["static", "lbs", "lbs f16", "lbs baked", "lbs vertices",
                                         "lbs lod", "lbs culled", "lbs on cpu", "lbs on compute",
                                         "lbs all"])
        plain, half = results["lbs"], results["lbs f16"]
        self.assertEqual(plain["bytes_per_joint"], 2 * half["bytes_per_joint"])
        self.assertEqual(plain["bytes_per_frame"], 2 * half["bytes_per_frame"])
        self.assertIsNone(plain["palette_error_mm"])
        self.assertLess(0, half["palette_error_mm"])
        self.assertLess(half["palette_error_mm"], half["palette_bound_mm"])
        for name in ["lbs baked", "lbs vertices"]:
            self.assertEqual(results[name]["bytes_per_frame"], 0)
            self.assertGreater(results[name]["baked_bytes"], 0)
        self.assertLess(results["lbs lod"]["triangles"], plain["triangles"])
        self.assertLess(results["lbs culled"]["triangles"], plain["triangles"])
        run = sinew(*words, "--method", "dqs", "--palette-format", "dq16")
        self.assertEqual([r["bytes_per_joint"] for r in json.loads(run.stdout)["results"]],
                         [0, 80, 16])
        self.fails(2, *words, "--method", "arc-spline", "--palette-format", "f16",
                   says=["rigid and lbs"])
        self.fails(2, *words, "--method", "lbs", "--palette-format", "dq16")
        self.fails(2, *words, "--method", "lbs", "--bake-palette", "--bake-vertices")
        self.fails(2, *words, "--method", "lbs", "--cull", "--skin-on", "cpu")
        self.fails(2, "view", "demo:arm", "--frames", "1", "--cull")

    def test_bench_of_scaling(self):
        run = sinew("bench", "--scaling", "1", "--frames", "1", "--size", "16x16", "--vertices",
                    "100000", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = json.loads(run.stdout)["scaling"]
        self.assertEqual([row["axis"] for row in rows],
                         2 * ["vertices"] + 4 * ["joints"] + 5 * ["influences"])
        self.assertEqual([row["joints"] for row in rows[2:6]], [16, 64, 256, 1000])
        self.assertEqual([row["influences"] for row in rows[6:]], [1, 2, 4, 8, 12])
        for row in rows:
            self.assertEqual([r["method"] for r in row["results"]], ["static", "lbs"])

    def test_peers_are_measured_where_they_are(self):
        words = [sys.executable, str(ROOT / "scripts" / "peers"), str(SINEW)]
        if not (model := ROOT.parent / "shared/models/fox/Fox.glb").exists():
            self.skipTest("no model")
        run = subprocess.run([*words, str(model), "--rounds", "1", "--json"], capture_output=True,
                             text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = json.loads(run.stdout)["results"]
        for row in rows:
            self.assertIn(row["state"], ["measured", "not installed", "does not read it"])
            if row["state"] == "measured" and row["program"] != "sinew":
                self.assertGreater(row["processor_ratio"], 0)
        missing = subprocess.run([*words, "nothing.glb"], capture_output=True, text=True)
        self.assertEqual((missing.returncode, missing.stderr),
                         (1, "error: nothing.glb: there is no such file\n"))

    def test_bench_of_skinning(self):
        run = sinew("bench", "--skinning", "--vertices", "20000", "--frames", "2", "--json",
                    "--method", "lbs,dqs,bones-blending,arc-spline,cor,ddm,per-joint", "--time", "0.4")
        self.assertEqual(run.returncode, 0, run.stderr)
        bench = json.loads(run.stdout)
        self.assertGreaterEqual(bench["large_vertices"], 20000)
        for result in bench["results"]:
            self.assertEqual(result["kernel"], result["method"] != "per-joint")
            self.assertLess(result["largest_difference"], 1e-5)
            for key in ["reference_ns", "cached_ns", "crowd_ns", "memory_one_thread_ns", "memory_ns"]:
                self.assertGreater(result[key]["min"], 0)
                self.assertLessEqual(result[key]["min"], result[key]["median"])

    def test_bench_of_poses(self):
        run = sinew("bench", "--poses", "20", "--frames", "3", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        bench = json.loads(run.stdout)
        self.assertEqual((bench["characters"], bench["joints"]), (20, 64))
        for key in ["sample_ns", "model_from_nodes_ns", "palette_ns"]:
            self.assertGreater(bench["stages"][key], 0)
        layouts = {result["layout"]: result for result in bench["results"]}
        self.assertEqual(list(layouts)[:3], ["one-by-one", "side-by-side", "two-threads"])
        for name, result in layouts.items():
            self.assertGreater(result["ns_per_joint_min"], 0)
            self.assertLess(result["largest_difference"], 1e-3, name)
        for name in ["side-by-side", "two-threads"]:
            self.assertLess(layouts[name]["largest_difference"], 1e-5, name)

    def test_benchmarks_compared(self):
        def runs(name, factors):
            documents = [{"model": "m", "results": [
                {"method": "static", "ms_median": 10.0 * machine, "ms_min": 9.0 * machine},
                {"method": "lbs", "ms_median": 20.0 * machine * slower, "ms_min": 18.0 * machine}]}
                for machine, slower in factors]
            path = self.dir / name
            path.write_text("\n".join(json.dumps(document) for document in documents))
            return str(path)

        def compare(*words):
            return subprocess.run([sys.executable, str(ROOT / "scripts" / "bench-compare"), *words],
                                  capture_output=True, text=True)

        old = runs("old.json", [(1.0, 1.0), (1.7, 1.02), (1.2, 0.99)])
        noise = runs("noise.json", [(0.8, 1.01), (1.5, 1.0), (1.9, 1.03)])
        slow = runs("slow.json", [(0.8, 1.21), (1.5, 1.2), (1.9, 1.25)])
        same = compare(old, noise, "--fail")
        self.assertEqual((same.returncode, same.stderr), (0, ""), same.stdout)
        self.assertNotIn("slower", same.stdout)
        moved = compare(old, slow, "--fail")
        self.assertEqual(moved.returncode, 1, moved.stdout)
        lines = [line for line in moved.stdout.splitlines() if line.endswith("slower")]
        self.assertEqual([line.split()[:2] for line in lines], [["lbs", "median"]])
        self.assertIn("faster", compare(slow, old).stdout)
        program = str(SINEW)
        own = compare(program, program, "--runs", "2", "--", "--poses", "20", "--frames", "2")
        self.assertEqual((own.returncode, own.stderr), (0, ""))
        self.assertIn("side-by-side", own.stdout)
        (self.dir / "bad.json").write_text("{}")
        wrong = compare(old, str(self.dir / "bad.json"))
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("bad.json: no JSON of sinew bench", wrong.stderr)

    def test_draw_calls_do_not_grow_with_the_crowd(self):
        draws = []
        for vertices in [20000, 80000]:
            run = sinew("bench", "--vertices", vertices, "--frames", "1", "--method", "lbs",
                        "--size", "32x32", "--vertex-only", "--json")
            draws.append(json.loads(run.stdout)["results"][1]["draws"])
        self.assertEqual(draws[0], draws[1])

    # The papers' figures

    def figure(self, name, *words):
        run = sinew("figure", name, "-o", self.dir, "--json", *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        printed = json.loads(run.stdout)
        written = json.loads((self.dir / f"{name}.json").read_text())
        self.assertEqual(printed, written)
        for key in ["figure", "title", "paper", "says", "measured", "numbers", "tables", "files"]:
            self.assertTrue(written[key], key)
        for suffix in ["png", "csv"]:
            self.assertIn(f"{name}.{suffix}", written["files"])
        for file in written["files"]:
            path = self.dir / file
            if path.suffix == ".png":
                self.assertGreater(min(png_size(path)), 100)
            else:
                self.assertGreater(len(path.read_text().splitlines()), 1)
        return written["numbers"]

    def test_figure_list(self):
        run = sinew("figure", "--list")
        self.assertEqual(run.returncode, 0, run.stderr)
        listed = json.loads(sinew("figure", "--list", "--json").stdout)
        names = [figure["name"] for figure in listed]
        for name in names:
            self.assertIn(name, run.stdout)
        self.assertEqual(set(names), {
            "bb-schemes", "bb-elbow-twist", "bb-zones", "bb-subdivision", "bb-curvature",
            "bb-fencing", "bb-shoulder", "bb-tables", "bb-optimisations", "as-methods", "as-circle", "as-frames",
            "as-binding", "as-weights", "as-poses", "as-vectorized", "as-mixing", "as-normals",
            "as-storage", "as-performance", "bg-arm", "bg-human", "bg-penguin", "bg-steps",
            "bg-pruning", "bg-speed"})

    def test_figure_usage(self):
        self.fails(2, "figure", "bb-elbow-twist", says=["-o"])
        self.fails(2, "figure", "wrong", "-o", self.dir / "new", says=["wrong", "as-circle"])
        self.fails(2, "figure", "as-circle", "-o", self.dir, "--frames", "0")
        self.assertFalse((self.dir / "new").exists())
        (self.dir / "file").write_text("")
        self.fails(2, "figure", "as-circle", "-o", self.dir / "file", says=["file"])

    def test_info_fails_on_what_it_is_told_to(self):
        model = self.dir / "a.glb"
        sinew("export", "demo:arm", "-o", model)
        self.assertEqual(sinew("info", model, "--fail-on", "repair").returncode, 0)
        broken = self.dir / "a.obj"  # two corners of a triangle are one
        broken.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 2\n")
        said = json.loads(sinew("info", broken, "--json").stdout)
        for word, wanted in (("warning", bool(said["warnings"])),
                             ("repair", bool(said["warnings"] or said["repairs"]))):
            self.assertEqual(sinew("info", broken, "--fail-on", word).returncode, int(wanted), said)
        self.assertTrue(said["repairs"], said)

    def test_a_picture_goes_to_the_standard_output(self):
        run = subprocess.run([SINEW, "render", "demo:arm", "--size", "64x48", "-o", "-"],
                             capture_output=True, timeout=120)
        self.assertEqual((run.returncode, run.stdout[:4]), (0, b"\x89PNG"), run.stderr)
        self.fails(2, "render", "demo:arm", "-o", "-", "--json", says=["standard output"])
        self.fails(2, "render", "demo:arm", "-o", "a.jpg", says=[".png"])

    def test_figures_write_what_they_print(self):
        # sinew_gl_tests checks what each figure measures.
        self.figure("bb-elbow-twist")
        times = self.figure("as-performance", "--vertices", "15000", "--frames", "2")
        self.assertEqual(times["run"]["frames"], 2)
        self.assertGreaterEqual(times["run"]["vertices"], 15000)

    def test_figure_prints_claim_and_result(self):
        run = sinew("figure", "as-circle", "-o", self.dir / "a" / "b")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"(?m)^paper: .+")
        self.assertRegex(run.stdout, r"(?m)^here:  .+")
        self.assertTrue((self.dir / "a" / "b" / "as-circle.png").exists())

    # Weights

    def test_weights_json_has_the_promised_keys(self):
        out = self.dir / "w.json"
        for algorithm in ["bone-heat", "bone-glow", "envelopes", "nearest-bones",
                          "bones-blending"]:
            run = sinew("weights", "demo:humanoid", "--skeleton", "demo:humanoid", "--algorithm",
                        algorithm, "--influences", 3, "--json", "-o", out)
            self.assertEqual(run.returncode, 0, run.stderr)
            said = json.loads(run.stdout)
            self.assertEqual(said["unweighted"], 0)
            self.assertEqual(said["algorithm"], algorithm)
            self.assertIsNone(said["proxy"])
            for key in ["proxy", "visibility", "factorisation", "solve"]:
                self.assertGreaterEqual(said["seconds"], said["times"][key])
            for key in ["repaired", "fallback", "cut", "bones"]:
                self.assertIn(key, said)
            info = json.loads(sinew("info", "demo:humanoid", "--json").stdout)
            written = json.loads(out.read_text())
            self.assertEqual(said["vertices"], info["vertices"])
            self.assertEqual(len(written["weights"]), info["vertices"])
            self.assertEqual(len(written["joints"]), info["joints"])
            for vertex in written["weights"]:
                self.assertLessEqual(len(vertex), 3)
                self.assertAlmostEqual(sum(weight for _, weight in vertex), 1.0, places=5)
                self.assertTrue(all(0 <= joint < info["joints"] for joint, _ in vertex))

    def test_weights_without_diffusion_are_others(self):
        outs = []
        for words in [[], ["--no-diffusion"], ["--glow-steps", 500], ["--scale", 0.8]]:
            outs.append(self.dir / "w.json")
            run = sinew("weights", "demo:arm", "--skeleton", "demo:arm", "-o", outs[-1], *words)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("joint", run.stdout)
            outs[-1] = {(v, joint): weight for v, row in
                        enumerate(json.loads(outs[-1].read_text())["weights"])
                        for joint, weight in row}
        def apart(a, b):
            return max(abs(a.get(k, 0) - b.get(k, 0)) for k in set(a) | set(b))
        self.assertGreater(apart(outs[0], outs[1]), 0.1)
        self.assertLess(apart(outs[0], outs[2]), 0.05)
        self.assertGreater(apart(outs[0], outs[3]), 0.05)

    def test_weights_on_voxels_and_by_distance(self):
        def weights(*words):
            run = sinew("weights", "demo:arm", "--skeleton", "demo:arm", "--json", *words)
            self.assertEqual(run.returncode, 0, run.stderr)
            return json.loads(run.stdout), run.stderr
        out = self.dir / "w.json"
        heat = ["--algorithm", "bone-heat"]
        weights(*heat, "-o", out)
        voxels, notes = weights(*heat, "--proxy", "voxel", "--compare", out)
        self.assertIn("voxels", notes)
        self.assertGreater(voxels["proxy"]["cell"], 0)
        self.assertGreater(voxels["proxy"]["vertices"], 1000)
        self.assertLess(voxels["compare"]["mean_l1"], 0.05)
        self.assertGreater(voxels["compare"]["mean_l1"], 0)
        for algorithm, option, one, other in [
                ("envelopes", "--envelope", "0.5,2", "1,4"),
                ("nearest-bones", "--distance-exponent", 4, 1),
                ("bones-blending", "--joint-reach", 0.5, 0.1)]:
            plain = weights("--algorithm", algorithm, "-o", out)[0]
            self.assertIsNone(plain["proxy"])
            same = weights("--algorithm", algorithm, option, one, "--compare", out)[0]
            self.assertLess(same["compare"]["largest_l1"], 1e-4)
            changed = weights("--algorithm", algorithm, option, other, "--compare", out)[0]
            self.assertGreater(changed["compare"]["mean_l1"], 0.005)
        arm = ["weights", "demo:arm", "--skeleton", "demo:arm"]
        self.fails(2, *arm, "--envelope", "2,1", says=["envelope"])
        self.fails(2, *arm, "--proxy", "cage", says=["proxy"])

    def test_weights_beside_those_that_were_there(self):
        def compared(*words):
            run = sinew("weights", "demo:humanoid", "--skeleton", "demo:humanoid", "--json", *words)
            self.assertEqual(run.returncode, 0, run.stderr)
            return json.loads(run.stdout)["compare"]

        self.assertIsNone(compared())
        out = self.dir / "w.json"
        own = compared("--compare", "demo:humanoid", "-o", out)
        for key in ["mean_l1", "largest_l1", "bleeding", "smoothness", "smoothness_there"]:
            self.assertIn(key, own)
        self.assertGreater(own["mean_l1"], 0.05)
        self.assertLess(own["mean_l1"], 1.0)
        again = compared("--compare", out)
        self.assertLess(again["largest_l1"], 1e-4)
        self.assertAlmostEqual(again["smoothness"]["dirichlet"],
                               again["smoothness_there"]["dirichlet"], 3)
        sharp = compared("--compare", "demo:humanoid", "--glow-sharpness", 4)
        self.assertLess(sharp["mean_l1"], own["mean_l1"])
        plain = compared("--compare", out, "--pruning", "plain")
        self.assertGreater(plain["mean_l1"], 0.01)
        humanoid = ["weights", "demo:humanoid", "--skeleton", "demo:humanoid"]
        self.fails(3, *humanoid, "--compare", "demo:arm", says=["demo:arm", "vertices"])
        (self.dir / "few.txt").write_text("0 0:1\n")
        self.fails(3, *humanoid, "--compare", self.dir / "few.txt", says=["few.txt", ".tgf"])
        self.fails(2, *humanoid, "--pruning", "some", says=["pruning"])

    def test_weights_usage_and_bad_files(self):
        tgf = self.dir / "s.tgf"
        tgf.write_text("1 0 0 0\n2 0 1 0\n#\n1 3\n")
        arm = ["weights", "demo:arm", "--skeleton"]
        self.fails(3, *arm, tgf, says=["s.tgf:4", "no joint 3"])
        self.fails(3, *arm, self.dir / "none.tgf", says=["none.tgf"])
        self.fails(2, "weights", "demo:arm", says=["--skeleton"])
        self.fails(2, *arm, "demo:arm", "-o", self.dir / "a.txt", says=["a.txt", ".txt"])
        self.fails(2, *arm, "demo:arm", "--scale", -1, says=["--scale"])
        self.fails(2, *arm, "demo:arm", "--offset", "1,2", says=["--offset"])
        self.fails(2, *arm, "demo:arm", "--fit", "--scale", 2, says=["--fit"])
        obj = self.dir / "m.obj"
        obj.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.fails(3, *arm, obj, says=["m.obj", "no skeleton"])

    def test_weights_for_any_skeleton_beside_the_mesh(self):
        tgf = self.dir / "far.tgf"
        tgf.write_text("1 900 0 0\n")
        run = sinew("weights", "demo:arm", "--skeleton", tgf, "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout)["unweighted"], 0)

    # Weights from a file

    def weights_of(self, model, **more):
        """A file of automatic weights, which are not the model's own."""
        path = self.dir / f"w{len(list(self.dir.iterdir()))}.json"
        run = sinew("weights", model, "--skeleton", model, "--quiet", "-o", path)
        self.assertEqual(run.returncode, 0, run.stderr)
        if more:
            path.write_text(json.dumps({**json.loads(path.read_text()), **more}))
        return path

    def test_automatic_weights_are_used_by_name(self):
        file = self.weights_of("demo:humanoid")
        rigged = self.dir / "rigged.glb"
        sinew("weights", "demo:humanoid", "--skeleton", "demo:humanoid", "-o", rigged)
        words = ["--clip", "stretch", "--time", 2]
        own = self.export("demo:humanoid", *words)
        given = self.export("demo:humanoid", "--weights", file, *words)
        self.assertGreater(largest(own[0], given[0]), 1e-3 * size_of(own[0]))
        self.assertLess(largest(given[0], self.export(rigged, *words)[0]), 1e-4 * size_of(own[0]))
        self.assertEqual(own, self.export("demo:humanoid", "--weights", "none", *words))
        for command in [["compare", "--samples", 1, "--no-time"], ["info"], ["zones"]]:
            run = sinew(command[0], "demo:humanoid", "--weights", file, "--json", *command[1:])
            self.assertEqual(run.returncode, 0, run.stderr)
        run = sinew("bench", "--weights", file, "--vertices", 1000, "--frames", 1, "--json")
        self.assertIn(run.returncode, (0, 5), run.stderr)

    def test_a_bare_mesh_is_bound_to_a_template(self):
        mesh, rigged = self.dir / "bare.obj", self.dir / "rigged.glb"
        sinew("export", "demo:humanoid", "--clip", "bind", "-o", mesh)
        run = sinew("weights", mesh, "--skeleton", "template:humanoid", "-o", rigged, "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout)["skeleton"], "template:humanoid")
        self.assertEqual(json.loads(sinew("info", rigged, "--json").stdout)["joints"], 21)
        self.fails(2, "weights", mesh, "--skeleton", "template:robot", says=["robot", "quadruped"])

    def test_weights_beside_the_model_are_read_and_said(self):
        model = self.dir / "arm.glb"
        self.assertEqual(sinew("export", "demo:arm", "-o", model).returncode, 0)
        words = ["--clip", 0, "--time", 1]
        own = self.export(model, *words)
        beside = self.dir / "arm.weights.json"
        beside.write_bytes(self.weights_of(model).read_bytes())
        painted = self.export(model, *words)
        self.assertGreater(largest(own[0], painted[0]), 1e-3 * size_of(own[0]))
        self.assertEqual(own, self.export(model, "--weights", "none", *words))
        warnings = json.loads(sinew("info", model, "--json").stdout)["warnings"]
        self.assertEqual(len([w for w in warnings if str(beside) in w]), 1, warnings)
        self.assertIn(str(beside), sinew("info", model).stdout)
        self.assertEqual(json.loads(sinew("info", model, "--weights", "none", "--json").stdout)["warnings"], [])
        copy = self.dir / "copy.glb"
        self.assertEqual(sinew("export", model, "-o", copy).returncode, 0)
        self.assertLess(largest(painted[0], self.export(copy, *words)[0]), 1e-4 * size_of(own[0]))
        beside.write_text("{")
        self.fails(3, "info", model, says=["arm.weights.json", "not valid JSON", "--weights none"])

    def test_nonsense_in_weights_is_code_3_and_names_file_and_place(self):
        names = [n["name"] for n in json.loads(sinew("zones", "demo:arm", "--json").stdout)["joints"]]
        count = json.loads(sinew("info", "demo:arm", "--json").stdout)["vertices"]
        cases = [({"joints": ["Nose"]}, "'Nose'"), ({"weights": [[[0, 1]]]}, f"has {count}"),
                 ({"weights": [[[0, 0.5]]] + [[[0, 1]]] * (count - 1)}, "vertex 0"),
                 ({"weights": [[[99, 1]]] + [[[0, 1]]] * (count - 1)}, "99"),
                 ({"weights": [[[0, "x"]]] + [[[0, 1]]] * (count - 1)}, '"x"')]
        for more, says in cases:
            path = self.dir / "w.json"
            path.write_text(json.dumps({"joints": names, "weights": [[[0, 1]]] * count, **more}))
            self.fails(3, "export", "demo:arm", "--weights", path, "-o", self.dir / "a.ply",
                       says=["w.json", says, "--weights none"])
        path.write_text('{"joints": ["Hand"], "weights": [[[0, 1e999]]]}')
        self.fails(3, "info", "demo:arm", "--weights", path, says=["w.json", "too large"])
        self.fails(3, "info", "demo:arm", "--weights", self.dir / "none.json", says=["none.json"])
        self.fails(2, "info", "demo:arm", "--weights", "Hand", says=[".json", "--show weights:Hand"])

    def test_the_joint_whose_weights_are_shown(self):
        pictures = [self.dir / f"{i}.png" for i in range(2)]
        for picture, words in zip(pictures, [[], ["--show", "weights:Hand"]]):
            run = sinew("render", "demo:arm", "--size", "64x64", "-o", picture, *words)
            self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotEqual(pictures[0].read_bytes(), pictures[1].read_bytes())
        self.fails(2, "render", "demo:arm", "--show", "weights:Nose", "-o", pictures[0], says=["Nose"])

    # glTF

    def test_a_rigged_model_moves_as_before(self):
        """Bound to its own skeleton it keeps its clips; export to .glb changes no vertex."""
        rigged, copy = self.dir / "rigged.glb", self.dir / "copy.glb"
        run = sinew("weights", "demo:tentacle", "--skeleton", "demo:tentacle", "-o", rigged)
        self.assertEqual(run.returncode, 0, run.stderr)
        run = sinew("export", "demo:tentacle", "-o", copy)
        self.assertEqual(run.returncode, 0, run.stderr)
        plies = []
        for model in ["demo:tentacle", copy, rigged]:
            plies.append(self.dir / "a.ply")
            run = sinew("export", model, "--clip", 0, "--time", 0.4, "-o", plies[-1])
            self.assertEqual(run.returncode, 0, run.stderr)
            plies[-1] = read_ply(plies[-1])[0]
        self.assertEqual(len(plies[0]), len(plies[1]))
        self.assertLess(largest(plies[0], plies[1]), 1e-4 * size_of(plies[0]))
        self.assertGreater(largest(plies[0], plies[2]), 1e-3 * size_of(plies[0]))
        self.assertLess(largest(plies[0], plies[2]), 0.1 * size_of(plies[0]))

    @unittest.skipUnless(gltf_validator(), "needs node and npm's gltf-validator (NODE_PATH)")
    def test_gltf_is_valid(self):
        files = []
        models = ["demo:humanoid", "demo:arm", "demo:body-arm-splines"]
        models += [SHARED / m for m in ["tiny/tiny.x", "kaykit_knight/Knight.glb", "fox/Fox.glb",
                                        "redeclipse_hands/hud_hands.md5mesh",
                                        "zombie/ZombieSmooth.fbx"] if (SHARED / m).exists()]
        for model in models:
            files.append(self.dir / f"{len(files)}.glb")
            run = sinew("export", model, "-o", files[-1], "--quiet")
            self.assertEqual(run.returncode, 0, run.stderr)
        for influences in [3, 7]:
            files.append(self.dir / f"{len(files)}.glb")
            run = sinew("weights", "demo:humanoid", "--skeleton", "demo:humanoid", "--fit",
                        "--influences", influences, "-o", files[-1])
            self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(validated(files), [])
        # The validator does find faults.
        broken = bytearray(files[0].read_bytes())
        at = broken.find(b"JOINTS_0")
        broken[at:at + 8] = b"JOINTS_1"
        files[0].write_bytes(broken)
        self.assertNotEqual(validated(files[:1]), [])

    def test_doctor(self):
        run = sinew("doctor", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        doctor = json.loads(run.stdout)
        self.assertTrue(any(c["works"] for c in doctor["contexts"]))
        # Whether all hold is the kernel's; that they are tried, and that readers can work, is ours.
        held = {check["name"]: check["holds"] for check in doctor["sandbox"]}
        self.assertLessEqual({"network", "processes", "writing", "reading elsewhere"}, set(held))
        self.assertTrue(held["threads"] and held["reading"] and held["limits"])

    # shader

    def test_documents_list_the_methods_and_shaders_there_are(self):
        run = subprocess.run([os.path.join(ROOT, "scripts", "document"), SINEW, "--check"],
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_a_shader_is_made_for_the_rig(self):
        few = sinew("shader", "lbs").stdout
        many = sinew("shader", "lbs", "--model", "demo:tentacle", "--palette", "texture").stdout
        self.assertIn("layout(std140) uniform PaletteBlock", few)
        self.assertIn("texelFetch", many)
        self.assertTrue(few.startswith("#version 330 core\n"))
        old = sinew("shader", "dqs", "--target", "glsl120")
        self.assertEqual(old.returncode, 0, old.stderr)
        self.assertTrue(old.stdout.startswith("#version 120\n"))
        self.assertIn("attribute vec4 joints0;", old.stdout)
        self.assertNotIn("uint", old.stdout)
        self.fails(2, "shader", "bones-blending", "--model", "demo:tentacle", "--target", "glsl120",
                   says=["240", "lbs"])
        self.fails(2, "shader", "lbs", "--target", "glsl120", "--palette", "block",
                   says=["uniform array"])
        self.fails(2, "shader", "all")
        self.fails(2, "shader", "nothing", says=["nothing"])


if __name__ == "__main__":
    SINEW = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
