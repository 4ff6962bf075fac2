#!/usr/bin/env python3
"""Weights and skeletons on the command line. Usage: cli_weights_test.py SINEW."""
import json
from math import dist

import command_line
import window_driver
from command_line import CommandLine, largest, needs, read_ply, SHARED, sinew, size_of


class Weights(CommandLine):
    def test_weights_json_has_the_promised_keys(self):
        out = self.dir / "w.json"
        for algorithm in ["auto", "bone-heat", "bone-glow", "envelopes", "nearest-bones",
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
            run = sinew("weights", "demo:arm", "--skeleton", "demo:arm", "--algorithm", "bone-glow",
                        "-o", outs[-1], *words)
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
        lit = self.dir / "lit.json"
        glow = compared("--compare", "demo:humanoid", "--algorithm", "bone-glow", "-o", lit)
        sharp = compared("--compare", "demo:humanoid", "--algorithm", "bone-glow",
                         "--glow-sharpness", 4)
        self.assertLess(sharp["mean_l1"], glow["mean_l1"])
        plain = compared("--compare", lit, "--algorithm", "bone-glow", "--pruning", "plain")
        self.assertGreater(plain["mean_l1"], 0.01)
        humanoid = ["weights", "demo:humanoid", "--skeleton", "demo:humanoid"]
        self.fails(3, *humanoid, "--compare", "demo:arm", says=["demo:arm", "vertices"])
        (self.dir / "few.txt").write_text("0 0:1\n")
        self.fails(3, *humanoid, "--compare", self.dir / "few.txt", says=["few.txt", ".tgf"])
        self.fails(2, *humanoid, "--pruning", "some", says=["pruning"])
        self.fails(2, *humanoid, "--glow-sharpness", 4, says=["auto", "--algorithm bone-glow"])

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
        report = json.loads(run.stdout)
        self.assertEqual([report[key] for key in ("model", "file", "skeleton")],
                         [str(mesh), str(rigged), "template:humanoid"])
        self.assertEqual(json.loads(sinew("info", rigged, "--json").stdout)["joints"], 21)
        self.fails(2, "weights", mesh, "--skeleton", "template:robot", says=["robot", "quadruped"])

    @needs("makehuman_body/makehuman_body.obj")
    def test_toes_do_not_follow_a_hand_that_they_see(self):
        body, file = SHARED / "makehuman_body/makehuman_body.obj", self.dir / "body.json"
        sinew("weights", body, "--skeleton", "template:humanoid", "-o", file)
        weights = json.loads(file.read_text())
        heights = [y for _, y, _ in self.export(body)[0]]
        ground, size = min(heights), max(heights) - min(heights)
        near = {weights["joints"].index(side + part) for side in ("Left", "Right")
                for part in ("Toes", "Foot", "LowerLeg")}
        feet = [vertex for vertex, height in zip(weights["weights"], heights) if height < ground + 0.06 * size]
        self.assertGreater(len(feet), 1000)
        self.assertEqual([v for v in feet if sum(w for j, w in v if j not in near) > 0.001], [])

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

    def test_a_rigged_model_moves_as_before(self):
        """Bound to its own skeleton it keeps its clips; export to .glb changes no vertex."""
        rigged, copy = self.dir / "rigged.glb", self.dir / "copy.glb"
        run = sinew("weights", "demo:tentacle", "--skeleton", "demo:tentacle", "--algorithm", "bone-glow", "-o", rigged)
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

    def test_transferred_weights(self):
        """The weights of a mesh for itself, and for a copy that has none."""
        copy, moved, other = self.dir / "copy.glb", self.dir / "moved.glb", self.dir / "w.json"
        run = sinew("transfer", "demo:tentacle", "demo:tentacle", "--json", "-o", copy)
        self.assertEqual(run.returncode, 0, run.stderr)
        said = json.loads(run.stdout)
        self.assertEqual(said["matched"], said["vertices"])
        self.assertEqual(said["inpainted"] + said["nearest"], 0)
        plies = []
        for model in ["demo:tentacle", copy]:
            plies.append(self.dir / "a.ply")
            run = sinew("export", model, "--clip", 0, "--time", 0.4, "-o", plies[-1])
            self.assertEqual(run.returncode, 0, run.stderr)
            plies[-1] = read_ply(plies[-1])[0]
        self.assertLess(largest(plies[0], plies[1]), 1e-3 * size_of(plies[0]))
        # Nothing is near enough: told, and still every vertex has weights.
        run = sinew("transfer", "demo:tentacle", "demo:arm", "--distance", 0, "-o", other)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("same place", run.stderr)
        self.assertTrue(all(json.loads(other.read_text())["weights"]))
        self.fails(2, "transfer", "demo:arm", "demo:arm", "-o", self.dir / "a.obj", says=["a.obj"])
        bare = self.dir / "bare.obj"
        bare.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.fails(3, "transfer", bare, "demo:arm", "-o", moved, says=["bare.obj"])

    def test_a_dressed_character_has_both_meshes(self):
        """The humanoid in a shell around itself: one model with its clips, and the shell moves along."""
        body, shell, dressed = self.dir / "body.glb", self.dir / "shell.obj", self.dir / "dressed.glb"
        self.assertEqual(sinew("export", "demo:humanoid", "--quiet", "-o", body).returncode, 0)
        self.assertEqual(sinew("export", body, "--clip", "bind", "-o", shell).returncode, 0)
        run = sinew("transfer", body, shell, "--dress", "--json", "-o", dressed)
        self.assertEqual(run.returncode, 0, run.stderr)
        count = json.loads(run.stdout)["vertices"]
        info = json.loads(sinew("info", dressed, "--json").stdout)
        plain = json.loads(sinew("info", body, "--json").stdout)
        self.assertEqual(info["vertices"], plain["vertices"] + count)
        self.assertEqual([c["name"] for c in info["clips"]], [c["name"] for c in plain["clips"]])
        words = ["--clip", "wave", "--time", 1]
        places = self.export(dressed, *words)[0]
        alone = self.export(body, *words)[0]
        self.assertLess(largest(alone, places[:len(alone)]), 1e-3 * size_of(alone))
        for side in range(3):  # the same box
            for pick in (min, max):
                self.assertAlmostEqual(pick(p[side] for p in alone), pick(p[side] for p in places[len(alone):]),
                                       delta=0.01 * size_of(alone))
        bare = self.dir / "bare.obj"
        bare.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        for by in "order", "texture":
            run = sinew("transfer", body, shell, "--by", by, "--json", "-o", self.dir / "w.json")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(json.loads(run.stdout)["matched"], count)
        self.fails(3, "transfer", "demo:arm", shell, "--by", "order", "-o", self.dir / "w.json", says=["by order"])
        self.fails(3, "transfer", body, bare, "--by", "texture", "-o", self.dir / "w.json", says=["texture coord"])
        self.fails(2, "transfer", body, shell, "--dress", "-o", self.dir / "w.json", says=["--dress"])

    def test_chosen_joints_a_mixture_and_a_picture_of_matches(self):
        """The humanoid's own weights by bone heat are replaced on one arm, or by half."""
        body, heat, out, drawn = (self.dir / name for name in ("body.glb", "heat.glb", "w.json", "matched.png"))
        self.assertEqual(sinew("export", "demo:humanoid", "--quiet", "-o", body).returncode, 0)
        run = sinew("weights", body, "--skeleton", body, "--algorithm", "bone-heat", "--quiet", "-o", heat)
        self.assertEqual(run.returncode, 0, run.stderr)

        def weights(source, *words):
            run = sinew("transfer", source, heat, "--by", "order", "--influences", 0, "--quiet", "-o", out, *words)
            self.assertEqual(run.returncode, 0, run.stderr)
            read = json.loads(out.read_text())
            return [{read["joints"][joint]: weight for joint, weight in row} for row in read["weights"]]
        artist, own = weights(body), weights(heat)
        arm = weights(body, "--joints", "LeftUpperArm", "--below")
        for wanted, before, after in zip(artist, own, arm):
            self.assertAlmostEqual(sum(after.values()), 1, places=4)
            if wanted.get("RightHand", 0) + before.get("RightHand", 0) > 0:
                self.assertAlmostEqual(after.get("RightHand", 0), before.get("RightHand", 0), places=4)
        hands = [(wanted.get("LeftHand", 0), before.get("LeftHand", 0), after.get("LeftHand", 0))
                 for wanted, before, after in zip(artist, own, arm)]
        self.assertGreater(max(abs(wanted - before) for wanted, before, _ in hands), 0.1)
        # The arm's joints have their weights; a vertex that nothing else moves is scaled to a sum of 1.
        self.assertLess(sum(abs(wanted - after) for wanted, _, after in hands),
                        0.2 * sum(abs(wanted - before) for wanted, before, _ in hands))
        for wanted, before, after in zip(artist, own, weights(body, "--mix", 0.5)):
            for joint in set(wanted) | set(before):
                self.assertAlmostEqual(after.get(joint, 0), (wanted.get(joint, 0) + before.get(joint, 0)) / 2, places=4)
        # Arms that stand elsewhere are inpainted, and orange in the picture.
        posed = self.dir / "posed.obj"
        self.assertEqual(sinew("export", body, "--clip", "wave", "--time", 1, "--quiet", "-o", posed).returncode, 0)
        run = sinew("transfer", body, posed, "--distance", 1, "--matched", drawn, "--json", "-o", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        said = json.loads(run.stdout)
        self.assertGreater(min(said["matched"], said["inpainted"]), 300)
        width, height, rows = window_driver.read_png(drawn)
        self.assertEqual((width, height), (1282, 720))
        for half in (slice(0, 640), slice(642, None)):  # from the front, and from the back
            pixels = [pixel[:3] for row in rows for pixel in row[half]]
            self.assertGreater(sum(b > 1.3 * r and b > g for r, g, b in pixels), 1000)
            self.assertGreater(sum(r > 1.08 * g and g > 1.5 * b for r, g, b in pixels), 300)
        # A skeleton with the joints of both, and one in the place of the other.
        for words, joints in ((["--add-joints"], 25 + 4), ([], 25)):
            run = sinew("transfer", body, "demo:arm", "--quiet", *words, "--json", "-o", self.dir / "both.glb")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(json.loads(run.stdout)["joints"], joints)
        self.fails(2, "transfer", body, heat, "--joints", "nobody", "-o", out, says=["nobody"])
        self.fails(2, "transfer", body, heat, "--below", "-o", out, says=["--joints"])
        self.fails(2, "transfer", body, heat, "--smooth-all", "-o", out, says=["--smooth"])
        self.fails(2, "transfer", body, heat, "--matched", self.dir / "m.jpg", "-o", out, says=["PNG"])
        self.fails(2, "transfer", body, heat, "--add-joints", "--dress", "-o", heat, says=["skeleton"])
        bare = self.dir / "bare.obj"
        bare.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.fails(3, "transfer", body, bare, "--mix", 0.5, "-o", out, says=["bare.obj"])

    def test_weights_of_another_program_are_measured(self):
        """A problem file says what there is to solve; weights made elsewhere are compared as ours are."""
        problem, given = self.dir / "problem.json", self.dir / "given.json"
        words = ["weights", "demo:arm", "--skeleton", "demo:arm", "--proxy", "none", "--json"]
        run = sinew(*words, "--problem", problem, "--compare", "demo:arm", "-o", given)
        self.assertEqual(run.returncode, 0, run.stderr)
        own = json.loads(run.stdout)
        made = json.loads(problem.read_text())
        self.assertEqual(len(made["positions"]), own["vertices"])
        self.assertEqual(len(made["bones"]), own["bones"])
        self.assertTrue(all(bone["joint"] < len(made["joints"]) for bone in made["bones"]))
        words = ["weights", "demo:arm", "--skeleton", "demo:arm", "--json"]
        again = json.loads(sinew(*words, "--given", given, "--compare", "demo:arm").stdout)
        self.assertEqual(again["algorithm"], "given")
        self.assertAlmostEqual(again["compare"]["mean_l1"], own["compare"]["mean_l1"], places=4)
        self.fails(2, *words, "--given", given, "--algorithm", "bone-heat", says=["--algorithm"])

    def changed(self, command, *words):
        out = self.dir / "changed.glb"
        run = sinew(command, *words, "--json", "-o", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout), out

    def posed(self, model, *words):
        run = sinew("export", model, *words, "-o", self.dir / "posed.ply")
        self.assertEqual(run.returncode, 0, run.stderr)
        return read_ply(self.dir / "posed.ply")[0]

    def apart(self, before, after):
        """Of some points the largest distance to the nearest one: files order meshes their own way."""
        self.assertEqual(len(before), len(after))
        return max(min(dist(p, q) for q in after) for p in before[::80])

    def test_mirrored_sides(self):
        said, out = self.changed("mirror", "demo:humanoid")
        self.assertEqual(said["unmatched"] + said["joints_without_partner"], [])
        self.assertLess(said["largest_change"], 1e-3)
        walk = ["--clip", "walk", "--time", 0.3]
        before = self.posed("demo:humanoid", *walk)
        self.assertLess(self.apart(before, self.posed(out, *walk)), 1e-3 * size_of(before))
        run = sinew("mirror", "demo:humanoid", "--from", "right", "-o", self.dir / "w.json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(json.loads((self.dir / "w.json").read_text())["weights"]), len(before))
        self.fails(2, "mirror", "demo:tentacle", "-o", out, says=["partner"])
        self.fails(2, "mirror", "demo:humanoid", "-o", self.dir / "a.obj", says=["a.obj"])

    def test_a_new_bind_pose(self):
        walk = ["--clip", "walk", "--time", 0.3, "--influences", 12]
        before = self.posed("demo:humanoid", *walk)
        said, out = self.changed("repose", "demo:humanoid", "--to", "a-pose", "--exact")
        self.assertLess(said["clips"]["largest"], 1e-5)
        self.assertGreater(said["offset_joints"], 0)
        self.assertLess(self.apart(before, self.posed(out, *walk)), 1e-3 * size_of(before))
        said, out = self.changed("repose", "demo:humanoid", "--to", "a-pose")
        self.assertGreater(said["clips"]["largest"], 1e-5)
        self.assertLess(said["clips"]["largest"], 1e-2)
        self.assertLessEqual(said["held_out"]["mean"], said["given"]["mean"])
        arms = self.posed(out, "--clip", "bind")
        self.assertLess(max(p[0] for p in arms), 0.9 * max(p[0] for p in self.posed("demo:humanoid", "--clip", "bind")))
        missed = self.dir / "missed.glb"
        run = sinew("repose", "demo:humanoid", "--to", "a-pose", "--tolerance", 0.0001, "-o", missed)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("--exact", run.stderr)
        self.assertFalse(missed.exists())
        self.fails(2, "repose", "demo:humanoid", "-o", out, says=["one pose"])
        self.fails(2, "repose", "demo:tentacle", "--to", "t-pose", "-o", out, says=["upper arm"])

    def test_fewer_joints(self):
        joints = json.loads(sinew("info", "demo:humanoid", "--json").stdout)["joints"]
        said, out = self.changed("reduce", "demo:humanoid", "--joints", joints - 4, "--poses", 60)
        self.assertEqual(said["joints"], joints - 4)
        self.assertEqual(len(said["removed"]), 4)
        self.assertEqual(json.loads(sinew("info", out, "--json").stdout)["joints"], joints - 4)
        self.assertEqual(said["curve"][0]["joints"], joints)
        self.assertEqual(said["curve"][-1]["largest"], said["held_out"]["largest"])
        self.fails(2, "reduce", "demo:humanoid", "-o", out, says=["--joints"])
        run = sinew("reduce", "demo:humanoid", "--tolerance", 0, "--influences", 1, "--poses", 60, "-o", out)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("more --influences", run.stderr)
        self.fails(2, "reduce", "demo:humanoid", "--joints", 5, "--keep", "nobody", "-o", out, says=["nobody"])

    def evaluated(self, rigged, reference, *words):
        run = sinew("evaluate", rigged, reference, "--json", *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_a_rig_is_its_own_reference(self):
        said = self.evaluated("demo:arm", "demo:arm")
        self.assertEqual(said["skeleton"]["joint_to_joint"], 0)
        self.assertEqual(said["skeleton"]["joint_to_bone"], 0)
        self.assertLess(said["skeleton"]["bone_to_bone"], 1e-7) # points along a bone are rounded
        skin = said["skin"]
        self.assertEqual([skin[key] for key in ("precision", "recall")], [1, 1])
        self.assertEqual([skin[key] for key in ("mean_l1", "mean_distance", "largest_distance")], [0, 0, 0])
        self.assertEqual(said["range"]["rigged"], said["range"]["reference"])
        self.assertEqual(said["range"]["rigged"]["poses"], 10 * said["range"]["rigged"]["joints"])
        # Linear blending thins what it bends and twists.
        self.assertLess(said["range"]["rigged"]["section"]["least"], 0.9)

    @needs("fox/Fox.glb")
    def test_an_automatic_rig_against_the_artists(self):
        fox, auto = SHARED / "fox" / "Fox.glb", self.dir / "auto.glb"
        run = sinew("weights", fox, "--skeleton", fox, "--compare", fox, "--json", "-o", auto)
        self.assertEqual(run.returncode, 0, run.stderr)
        compared = json.loads(run.stdout)["compare"]
        said = self.evaluated(auto, fox, "--no-range")
        self.assertIsNone(said["range"])
        self.assertEqual(said["joints"]["unmatched"], [])
        # The mean L1 is known from another command.
        self.assertAlmostEqual(said["skin"]["mean_l1"], compared["mean_l1"], places=4)
        self.assertLess(said["skeleton"]["bone_to_bone"], 1e-5)
        self.assertLess(0.2, said["skin"]["precision"])
        self.assertLess(said["skin"]["precision"], 1)
        self.assertLess(0, said["skin"]["mean_distance"])
        self.assertLess(said["skin"]["mean_distance"], said["skin"]["largest_distance"])
        # The reverse exchanges precision and recall.
        back = self.evaluated(fox, auto, "--no-range")
        self.assertAlmostEqual(back["skin"]["recall"], said["skin"]["precision"], places=6)
        self.assertAlmostEqual(back["skin"]["mean_distance"], said["skin"]["mean_distance"], places=6)
        # Another mesh: joints are measured, weights are not, and why is stated.
        other = self.evaluated(fox, "demo:arm", "--no-range")
        self.assertIsNone(other["skin"])
        self.assertIn("name", other["skin_missing"])
        self.assertGreater(other["skeleton"]["joint_to_joint"], 0)

    def test_evaluate_says_what_it_cannot_do(self):
        bare = self.dir / "bare.obj"
        bare.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.fails(3, "evaluate", "demo:arm", bare, says=["bare.obj", "sinew weights"])
        self.fails(2, "evaluate", "demo:arm", "demo:arm", "--method", "lbs,dqs", says=["method: one is expected"])


if __name__ == "__main__":
    command_line.main()
