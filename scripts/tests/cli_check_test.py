#!/usr/bin/env python3
"""The check of characters on the command line, and its repairs. Usage: cli_check_test.py SINEW."""
import json
import struct

import command_line
from command_line import CommandLine, needs, png_size, SHARED, sinew


def without_clips(path):
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    scene = json.loads(data[20:20 + length])
    del scene["animations"]
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + length:]
    path.write_bytes(struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
                     + text + rest)


class Check(CommandLine):
    def check_json(self, *words, code):
        run = sinew("check", *words, "--json", "--quiet")
        self.assertEqual(run.returncode, code, run.stderr)
        return json.loads(run.stdout)

    def test_the_worst_moment_is_told(self):
        run = sinew("check", "demo:arm", "--quiet", "--json")
        self.assertEqual(run.returncode, 1, run.stderr)
        doc = json.loads(run.stdout)
        for key in ["model", "method", "vertices", "clips", "moments", "step", "sampled", "faults",
                    "joints", "seconds"]:
            self.assertIn(key, doc)
        worst = doc["joints"][0]
        self.assertEqual((worst["joint"], worst["kind"]), ("LowerArm", "candy-wrapper"))
        self.assertEqual(worst["clip"], "elbow-twist")
        self.assertLess(worst["figures"]["cross_section"], 0.1)
        methods = {m["method"]: m for m in worst["methods"]}
        self.assertLess(methods[worst["best"]]["severity"], methods["lbs"]["severity"])
        text = sinew("check", "demo:arm")
        self.assertEqual(text.returncode, 1)
        self.assertIn(worst["sentence"], text.stdout)

    def test_the_exit_code_follows_the_threshold(self):
        self.assertEqual(self.check_json("demo:arm", "--threshold", "1000", code=0)["faults"], 0)
        self.assertGreater(self.check_json("demo:arm", "--threshold", "5", code=1)["faults"], 0)

    def test_one_clip_alone(self):
        doc = self.check_json("demo:arm", "--clip", "elbow-twist", code=1)
        self.assertEqual(doc["clips"], 1)

    def test_wrong_words_are_told(self):
        self.fails(2, "check", "demo:arm", "--fix", says=["-o"])
        self.fails(2, "check", "demo:arm", "-o", self.dir / "a.glb", says=["--fix"])
        self.fails(2, "check", "demo:arm", "--fix", "-o", self.dir / "a.obj", says=[".glb", ".fbx"])
        self.fails(2, "check", "demo:arm", "--clip", "nothing", says=["nothing"])

    def test_a_repaired_model_holds(self):
        out = self.dir / "fixed.glb"
        doc = self.check_json("demo:arm", "--fix", "-o", out, code=0)
        self.assertTrue(out.exists())
        self.assertEqual(doc["left"], 0)
        self.assertGreater(len(doc["fixed"]["repairs"]), 0)
        for repair in doc["fixed"]["repairs"]:
            self.assertLess(repair["after"], repair["before"])
        # As an engine sees it: linear blending of the file, which has weights for other joints.
        before = sinew("compare", "demo:arm", "--clip", "elbow-twist", "--method", "lbs", "--joint",
                       "LowerArm", "--no-time", "--json")
        after = sinew("compare", out, "--clip", "elbow-twist", "--method", "lbs", "--no-time",
                      "--drivers", "none", "--json")
        whole = [json.loads(run.stdout)["methods"][0]["whole"]["smallest_volume"]
                 for run in (before, after)]
        self.assertGreater(whole[1], whole[0])

    @needs("male_suit/Male_Suit.fbx")
    def test_what_is_left_is_what_the_file_holds(self):
        out = self.dir / "suit.glb"
        doc = self.check_json(SHARED / "male_suit/Male_Suit.fbx", "--fix", "-o", out, code=1)
        after = {each["joint"]: each["after"] for each in doc["fixed"]["repairs"]}
        still = [joint for joint, severity in after.items() if severity >= 1.0]
        unrepaired = [j["joint"] for j in doc["joints"] if j["severity"] >= 1.0 and j["joint"] not in after]
        self.assertEqual(doc["left"], len(still) + len(unrepaired) + len(doc["fixed"]["new"]))
        self.assertLess(doc["left"], doc["faults"] / 2)
        self.assertFalse(doc["fixed"]["new"])
        for each in doc["fixed"]["repairs"]:
            self.assertLess(each["after"], each["before"], each["joint"])

    def test_a_model_without_clips_is_repaired_by_its_drivers(self):
        still, out = self.dir / "still.glb", self.dir / "fixed.glb"
        sinew("export", "demo:arm", "-o", still)
        without_clips(still)
        doc = self.check_json(still, "--fix", "--threshold", "20", "-o", out, code=1)
        self.assertEqual(doc["clips"], 0)
        after = {each["joint"]: each["after"] for each in doc["fixed"]["repairs"]}
        self.assertLess(after["LowerArm"], 1.0)
        self.assertLess(after["Hand"], 1.0)

    def test_a_repaired_model_is_written_as_fbx_too(self):
        out = self.dir / "fixed.fbx"
        doc = self.check_json("demo:arm", "--fix", "-o", out, code=0)
        self.assertEqual((doc["left"], doc["fixed"]["file"]), (0, str(out)))
        info = json.loads(sinew("info", out, "--json").stdout)
        self.assertTrue(info["format"].startswith("FBX"))
        self.assertEqual(len(info["clips"]), doc["clips"])
        self.assertEqual(len(info["morph_targets"]), doc["fixed"]["morphs"])
        # Drivers beside the file bend it again by themselves; as an engine sees it, there are none.
        again = sinew("check", out, "--drivers", "none", "--json")
        before = max(joint["severity"] for joint in doc["joints"])
        after = max(joint["severity"] for joint in json.loads(again.stdout)["joints"])
        self.assertLess(after, before)

    @needs("fox/Fox.glb")
    def test_a_rig_whose_joints_without_skin_have_meaningless_binds_is_repaired(self):
        out = self.dir / "fox.glb"
        run = sinew("check", SHARED / "fox/Fox.glb", "--clip", "Walk", "--fix", "-o", out, "--quiet", "--json")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        doc = json.loads(run.stdout)
        self.assertTrue(doc["fixed"]["repairs"])
        self.assertTrue(out.exists())

    @needs("gltf_morph/SimpleMorph.gltf")
    def test_a_model_without_a_skin_is_no_success(self):
        self.fails(3, "check", SHARED / "gltf_morph/SimpleMorph.gltf", says=["has no skin"])

    @needs("ufbx_cases/maya_game_sausage_7500_ascii_spin.fbx")
    def test_one_joint_a_vertex_is_checked(self):
        run = sinew("check", SHARED / "ufbx_cases/maya_game_sausage_7500_ascii_spin.fbx", "--json")
        self.assertGreater(len(json.loads(run.stdout)["joints"]), 0)

    @needs("male_suit/Male_Suit.fbx")
    def test_a_real_character_is_checked_in_time(self):
        doc = self.check_json(SHARED / "male_suit/Male_Suit.fbx", code=1)
        sentences = [j["sentence"] for j in doc["joints"]]
        self.assertTrue(any(s.startswith("Right elbow") and "53 %" in s and "Man_Death" in s
                            for s in sentences), sentences)

    def test_a_picture_of_one_joint(self):
        whole, joint = self.dir / "whole.png", self.dir / "joint.png"
        words = ["render", "demo:arm", "--clip", "elbow-twist", "--size", "80x60"]
        self.assertEqual(sinew(*words, "-o", whole).returncode, 0)
        self.assertEqual(sinew(*words, "--focus", "LowerArm", "-o", joint).returncode, 0)
        self.assertEqual(png_size(joint), (80, 60))
        self.assertNotEqual(whole.read_bytes(), joint.read_bytes())
        self.fails(2, *words, "--focus", "Nobody", "-o", joint, says=["Nobody"])


if __name__ == "__main__":
    command_line.main()
