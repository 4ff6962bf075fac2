#!/usr/bin/env python3
"""Methods, bend ranges and free splines on the command line. Usage: cli_methods_test.py SINEW."""
import ast
import json
import math
import struct

import command_line
from command_line import CommandLine, largest, needs, SHARED, sinew


class Methods(CommandLine):
    def test_info_names_free_splines(self):
        info = json.loads(sinew("info", "demo:body-arm-splines", "--json").stdout)
        self.assertEqual([s["name"] for s in info["splines"]], ["Body", "Arm", "Elbow"])
        self.assertEqual(info["splines"][1]["nodes"], ["ArmStart", "ArmMiddle", "ArmEnd"])
        self.assertEqual(info["vertices"], 12864)

    def test_messages_name_options(self):
        out = ["-o", self.dir / "posed.ply"]
        for words, says in [(["--method", "arc-spline", "--set", "attachments=9"], "--set attachments: a whole number"),
                            (["--method", "arc-spline", "--set", "attachments"], "--set 'attachments'"),
                            (["--method", "lbs", "--set", "attachments=1"], "--set attachments: no chosen method"),
                            (["--method", "lbs,dqs"], "--method lbs,dqs: one method")]:
            with self.subTest(words=words):
                self.fails(2, "export", "demo:arm", *words, *out, says=[says])
        still = self.dir / "still.obj"
        still.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.fails(2, "export", still, "--clip", "walk", *out, says=["--motion"])

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

    def test_cpu_and_gpu_export_the_same(self):
        self.compare_devices("demo:humanoid", "--clip", "walk", "--time", "0.37")

    @needs("tiny/tiny.x")
    def test_cpu_and_gpu_export_the_same_x_file(self):
        self.compare_devices(SHARED / "tiny/tiny.x", "--time", "0.5")

    @needs("male_suit/Male_Suit.fbx")
    def test_cpu_and_gpu_export_the_same_fbx(self):
        self.compare_devices(SHARED / "male_suit/Male_Suit.fbx", "--clip", "1", "--time", "0.4")

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
                             (self.splines("Body", [[0, 0, 0]]), "it must be three points")]:
            self.fails(3, "info", "demo:arm", "--splines", path, says=[path.name, reason])
        self.fails(2, "info", "demo:arm", "--splines", "splines.txt")

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

    def test_a_twist_range_changes_twists_alone(self):
        twisted = self.dir / "twisted.json"
        twisted.write_text(json.dumps({"sinew": "pose", "nodes": {"LowerArm": {"rotation": [0.8, 0, 0, 0.6]}}}))
        for method in ["bones-blending", "arc-spline", "bezier-spline"]:
            words = ["--method", method]
            pose = ["--pose", twisted, *words]
            plain = self.export("demo:arm", *pose)
            bone = self.export("demo:arm", *pose, "--set", "twist=bone")
            self.assertGreater(largest(plain[0], bone[0]), 0.01)
            stated = self.zones({name: {"twist": "bone"} for name in ["UpperArm", "LowerArm", "Hand"]})
            self.assertEqual(bone, self.export("demo:arm", *pose, "--zones", stated))
            self.assertEqual(plain, self.export("demo:arm", *pose, "--zones", stated, *[
                word for name in ["UpperArm", "LowerArm", "Hand"] for word in ["--zone", f"{name}:twist=zone"]]))
            gpu = self.export("demo:arm", *pose, "--set", "twist=bone", "--skin-on", "vertex-shader")
            self.assertLess(largest(bone[0], gpu[0]), 1e-5)
            bend = ["--clip", "elbow-bend", "--time", "2", *words]
            self.assertLess(largest(self.export("demo:arm", *bend)[0],
                                    self.export("demo:arm", *bend, "--set", "twist=bone")[0]), 1e-5)
            self.fails(2, "render", "demo:arm", *words, "--set", "twist=bone,normals=exact", "-o", "x.png",
                       says=["normals=exact", "twist"])
        out = self.dir / "twist.zones.json"
        words = ["--zone", "LowerArm:twist=-0.1/0.2,Hand:twist=bone"]
        self.assertEqual(sinew("zones", "demo:arm", *words, "-o", out).returncode, 0)
        joints = json.loads(out.read_text())["joints"]
        self.assertEqual(joints["Hand"]["twist"], "bone")
        self.assertAlmostEqual(joints["LowerArm"]["twist"][0], -0.1, 6)
        self.fails(2, "zones", "demo:arm", "--zone", "LowerArm:twist=0.1/0.2", says=["twist"])

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
        # 60 joints are more than the constants hold: the mesh is drawn in batches.
        split = json.loads(sinew("shader", "bones-blending", "--model", "demo:tentacle", "--target", "glsl120", "--json").stdout)
        self.assertEqual({entry for batch in split["batches"] for entry in batch}, set(range(60)))
        self.assertTrue(all(len(batch) * len(split["rows"]) <= 240 for batch in split["batches"]))
        self.assertIn("//   batch 0: 0 1 2 ", split["text"])
        self.assertNotIn("batches", json.loads(sinew("shader", "lbs", "--target", "glsl120", "--json").stdout))
        self.fails(2, "shader", "lbs", "--target", "glsl120", "--palette", "block",
                   says=["uniform array"])
        self.fails(2, "shader", "all")
        self.fails(2, "shader", "nothing", says=["nothing"])
        function = sinew("shader", "dqs", "--function-only").stdout
        document = json.loads(sinew("shader", "dqs", "--json").stdout)
        self.assertEqual(document["text"], sinew("shader", "dqs").stdout)
        self.assertEqual(len(document["rows"]), 5)
        for attribute in document["attributes"]:
            self.assertIn(f"{attribute['type']} {attribute['name']}", document["text"])
        self.assertIn("void skin(vec3 position", function)
        self.assertNotIn("main()", function)
        self.fails(2, "shader", "dqs", "--function-only", "--target", "es300", says=["--function-only"])

    def test_vectors_follow_from_their_inputs(self):
        file = self.dir / "vectors.json"
        run = sinew("reference", "demo:humanoid", "--method", "lbs,dqs", "--vertices", "200", "--poses", "2", "-o", file)
        self.assertEqual(run.returncode, 0, run.stderr)
        vectors = json.loads(file.read_text())
        self.assertEqual(len(vectors["vertices"]), 200)
        self.assertEqual([method["name"] for method in vectors["methods"]], ["lbs", "dqs"])
        self.assertGreater(len(vectors["poses"]), 2)

        def transformed(matrix, point):
            return [sum(matrix[4 * c + r] * x for c, x in enumerate([*point, 1])) for r in range(3)]

        # Linear blending by the matrices of the joints, without anything of sinew.
        moved = 0
        for pose in vectors["poses"]:
            expected = pose["methods"]["lbs"]["positions"]
            for v, influences in enumerate(vectors["influences"]):
                bind = vectors["positions"][3 * v:3 * v + 3]
                place = [0, 0, 0]
                for joint, weight in zip(influences[::2], influences[1::2]):
                    local = transformed(vectors["joints"][joint]["inverse_bind"], bind)
                    there = transformed(pose["matrices"][16 * joint:16 * joint + 16], local)
                    place = [a + weight * b for a, b in zip(place, there)]
                self.assertLess(math.dist(place, expected[3 * v:3 * v + 3]), 1e-4 * vectors["size"])
                moved = max(moved, math.dist(place, bind))
        self.assertGreater(moved, 0.1 * vectors["size"])

    def test_vectors_of_all_vertices_have_the_mesh(self):
        file = self.dir / "vectors.json"
        self.assertEqual(sinew("reference", "demo:arm", "--clip", "0", "--poses", "1", "-o", file).returncode, 0)
        vectors = json.loads(file.read_text())
        info = json.loads(sinew("info", "demo:arm", "--json").stdout)
        self.assertEqual(vectors["poses"][0]["clip"], info["clips"][0]["name"])
        self.assertEqual(len(vectors["triangles"]), 3 * info["triangles"])
        self.assertEqual(max(vectors["triangles"]) + 1, len(vectors["vertices"]))
        self.assertEqual(len(vectors["texcoords"]), 2 * len(vectors["vertices"]))

    def test_settings_that_no_method_of_a_shader_has(self):
        self.fails(2, "shader", "lbs", "--set", "attachments=2", says=["--set attachments"])

    def test_palettes_of_clips_are_those_of_their_moments(self):
        vectors_file, file = self.dir / "vectors.json", self.dir / "rows.npy"
        for method in ("lbs", "dqs"):
            words = ["demo:humanoid", "--method", method, "--clip", "walk"]
            self.assertEqual(sinew("reference", *words, "--vertices", "200", "--poses", "1", "-o", vectors_file).returncode, 0)
            vectors = json.loads(vectors_file.read_text())
            pose, described = vectors["poses"][0], vectors["methods"][0]
            # Two frames: the second is at half the clip, where the pose is.
            run = sinew("palette", *words, "--fps", 1 / pose["seconds"], "-o", file)
            self.assertEqual(run.returncode, 0, run.stderr)
            index, bytes_ = json.loads(file.with_suffix(".json").read_text()), file.read_bytes()
            self.assertEqual([clip["frames"] for clip in index["clips"]], [2])
            self.assertEqual(bytes_[:8], b"\x93NUMPY\x01\0")
            start = 10 + int.from_bytes(bytes_[8:10], "little")
            self.assertEqual(start % 64, 0)
            shape = ast.literal_eval(bytes_[10:start].decode())["shape"]
            self.assertEqual(shape, (2, index["rows_per_frame"], 4))
            rows = struct.unpack(f"<{math.prod(shape)}f", bytes_[start:])[4 * shape[1]:]
            self.assertLess(max(abs(a - b) for a, b in zip(rows, pose["methods"][method]["palette"], strict=True)), 1e-5)
            if method == "lbs":
                self.blend_linearly(vectors, described, rows)

    def blend_linearly(self, vectors, described, rows):
        """Positions by the rows alone: of an entry the three rows of its matrix."""
        joints, weights = [[a for a in described["attributes"] if a["integers"] is integers] for integers in (True, False)]
        expected = vectors["poses"][0]["methods"]["lbs"]["positions"]
        self.assertEqual(described["rows_per_entry"], 3)
        for v in range(len(vectors["vertices"])):
            place, bind = [0, 0, 0], [*vectors["positions"][3 * v:3 * v + 3], 1]
            for entries, shares in zip(joints, weights, strict=True):
                for entry, weight in zip(entries["values"][4 * v:4 * v + 4], shares["values"][4 * v:4 * v + 4], strict=True):
                    for r in range(3):
                        first = 4 * (3 * entry + r)
                        place[r] += weight * sum(a * b for a, b in zip(rows[first:first + 4], bind, strict=True))
            self.assertLess(math.dist(place, expected[3 * v:3 * v + 3]), 1e-4 * vectors["size"])

    def test_palettes_of_all_clips_have_an_index(self):
        file = self.dir / "all.bin"
        run = sinew("palette", "demo:humanoid", "--method", "arc-spline", "--clip", "all", "--fps", "5", "-o", file, "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        index, frame = json.loads(run.stdout), 0
        self.assertEqual(index, json.loads(file.with_suffix(".json").read_text()))
        self.assertGreater(len(index["clips"]), 1)
        for clip in index["clips"]:
            self.assertEqual(clip["first_frame"], frame)
            self.assertEqual(clip["frames"], max(1, round(5 * clip["seconds"])))
            frame += clip["frames"]
        self.assertEqual(index["rows_per_frame"], index["entries"] * index["rows_per_entry"])
        self.assertEqual(file.stat().st_size, 16 * frame * index["rows_per_frame"])
        self.fails(2, "palette", "demo:humanoid", "-o", self.dir / "rows.txt", says=[".npy"])
        self.fails(2, "palette", "demo:humanoid", "--clip", "nowhere", "-o", file, says=["nowhere"])


if __name__ == "__main__":
    command_line.main()
