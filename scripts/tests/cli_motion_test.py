#!/usr/bin/env python3
"""Clips, poses, layers, morph targets and ragdolls on the command line. Usage: cli_motion_test.py SINEW."""
import json

import command_line
from command_line import CommandLine, largest, needs, png_size, ROOT, SHARED, sinew, size_of


class Motion(CommandLine):
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

    def test_a_ragdoll_says_how_low_it_lies(self):
        heights = []
        for seconds in (0, 4):
            run = sinew("ragdoll", "demo:humanoid", "--seconds", str(seconds), "--json")
            heights.append(json.loads(run.stdout)["center_percent"])
        self.assertTrue(40 < heights[0] < 70, heights)  # it stands
        self.assertTrue(5 < heights[1] < 25, heights)

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
        self.fails(2, "ragdoll", "demo:humanoid", "--starts", 2, "-o", self.dir / "a.glb", says=["--starts"])
        for option in ["--pose", "--layers", "--morph"]:
            self.fails(2, "ragdoll", "demo:humanoid", option, "a.json", says=[option])
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
                            ('{"sinew": "layers", "layers": {}}', ["'layers' is {}; it must be a list"])]:
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


if __name__ == "__main__":
    command_line.main()
