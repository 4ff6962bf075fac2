#!/usr/bin/env python3
"""Baking, pose drivers and corrective shapes on the command line. Usage: cli_bake_test.py SINEW."""
import csv
import json
import tempfile
from pathlib import Path

import command_line
from command_line import CommandLine, largest, read_ply, ROOT, sinew, size_of


class Baking(CommandLine):
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

    def test_velocity_skinning_is_baked_into_clips(self):
        out = self.dir / "dragged.glb"
        words = ["bake", "demo:arm", "--clip", "elbow-twist", "--method", "lbs", "-o", out, "--json", "--drag", 0.3]
        run = sinew(*words, "--helpers", 6, "--poses", 80)
        self.assertEqual(run.returncode, 0, run.stderr)
        report = json.loads(run.stdout)
        self.assertGreater(report["helpers"], 0)
        self.assertIsNone(report["drivers"])
        self.assertFalse((self.dir / "dragged.glb.drivers.json").exists())
        places = []
        for model, more in ("demo:arm", ["--drag", 0.3]), (out, []), ("demo:arm", []):
            ply = self.dir / "posed.ply"
            run = sinew("export", model, "--method", "lbs", "--clip", "elbow-twist", "--time", 0.8, *more, "-o", ply)
            self.assertEqual(run.returncode, 0, run.stderr)
            places.append(read_ply(ply)[0])
        self.assertLess(largest(places[0], places[1]), 0.5 * largest(places[0], places[2]))
        self.fails(2, *words, "--report", self.dir / "r.html", says=["velocities"])

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
        self.fails(2, "bake", "demo:arm", "-o", self.dir / "a.obj", says=["a.obj", ".glb", ".fbx"])
        self.fails(2, "bake", "demo:arm", "--helpers", "many", "-o", self.dir / "a.glb", says=["--helpers many"])
        self.fails(2, "bake", "demo:arm", "--clip", "dance", "-o", self.dir / "a.glb", says=["dance"])
        self.fails(2, "bake", "demo:arm", "--drivers-file", "d.txt", "-o", self.dir / "a.glb", says=["d.txt", ".json"])
        self.fails(2, "bake", "demo:arm", "--curve", "c.pdf", "-o", self.dir / "a.glb", says=["c.pdf"])
        self.fails(2, "bake", "demo:arm", "--report", "r.pdf", "-o", self.dir / "a.glb", says=["r.pdf", ".html"])

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


if __name__ == "__main__":
    command_line.main()
