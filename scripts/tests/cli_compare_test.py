#!/usr/bin/env python3
"""Comparisons, benchmarks and the papers' figures on the command line. Usage: cli_compare_test.py SINEW."""
import csv
import json
import os
import subprocess
import sys

import command_line
from command_line import CommandLine, needs, ROOT, SHARED, sinew


class Compare(CommandLine):
    def test_ragdolls_are_benchmarked(self):
        run = sinew("bench", "--ragdolls", "1,3", "--json")
        results = json.loads(run.stdout)["results"]
        self.assertEqual([(r["ragdolls"], r["solver"], r["threads"]) for r in results],
                         [(n, s, 1) for n in (1, 3) for s in ("bullet", "severity", "reduced")] + [(3, "reduced", 2)])
        for result in results:
            self.assertGreater(result["ms_min"], 0)
            self.assertGreaterEqual(result["ms_median"], result["ms_min"])

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
        run = subprocess.run([command_line.SINEW, "compare", "demo:arm", "--samples", "1", "--json", "-o", page],
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

    def test_bench_as_text(self):
        """The tables have a row for each result that the JSON has."""
        quick = ["--frames", "1", "--size", "16x16", "--method", "lbs,dqs"]
        crowd = ["--vertices", "20000"]
        for words, key in [
                ([*crowd, *quick], "method"),
                ([*crowd, *quick[:4], "--method", "lbs", "--palette-format", "f16", "--bake-palette", "--cull"], "method"),
                (["--poses", "5", "--frames", "1"], "layout"),
                (["--skinning", *crowd, "--frames", "1", "--method", "lbs,per-joint"], "method"),
                (["--ragdolls", "1"], "solver")]:
            with self.subTest(" ".join(words)):
                text = sinew("bench", *words)
                self.assertEqual(text.returncode, 0, text.stderr)
                rows = json.loads(sinew("bench", *words, "--json").stdout)["results"]
                self.assertGreater(len(rows), 1)
                for row in rows:
                    self.assertRegex(text.stdout, rf"(?m)^[ \d]*{row[key]} ")
        text = sinew("bench", "--scaling", "1", *quick[:4], "--vertices", "100000").stdout
        for axis in "vertices:", "joints:", "influences:":
            self.assertIn(axis, text)

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
        words = [sys.executable, str(ROOT / "scripts" / "peers"), str(command_line.SINEW)]
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

    def test_bench_of_scattered_influences(self):
        run = sinew("bench", "--skinning", "--scattered", "600", "--vertices", "600", "--frames", "1",
                    "--json", "--method", "dqs,arc-spline", "--time", "0.4")
        self.assertEqual(run.returncode, 0, run.stderr)
        bench = json.loads(run.stdout)
        self.assertEqual((bench["model"], bench["vertices"]), ("tube", 600))
        for result in bench["results"]:
            self.assertLess(result["largest_difference"], 1e-5)
        self.assertEqual(sinew("bench", "demo:arm", "--skinning", "--scattered", "600").returncode, 2)

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
        program = str(command_line.SINEW)
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


if __name__ == "__main__":
    command_line.main()
