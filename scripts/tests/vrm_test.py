#!/usr/bin/env python3
"""VRM files: springs that swing as in three-vrm, bones of the humanoid, expressions, hostile values.

Usage: vrm_test.py SINEW. The characters are made by vrm_cases.py. three-vrm needs node and npm's
three and @pixiv/three-vrm (NODE_PATH).
"""
import copy
import json
import math
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import command_line  # noqa: E402
from command_line import CommandLine, read_ply, sinew  # noqa: E402
from vrm_cases import HUMANOID, LINKS, STRANDS, joints, vrm0, vrm1  # noqa: E402

HERE = Path(__file__).resolve().parent
TOLERANCE = 0.01  # of the bone's length, after two seconds
EXACT = 1e-3  # at every moment, where three-vrm's bones keep their lengths (vrm_springs.mjs)


def run_three(*words):
    return subprocess.run(["node", HERE / "vrm_springs.mjs", *map(str, words)], capture_output=True, text=True,
                          timeout=300)


def has_three():
    return shutil.which("node") is not None and run_three("--check").returncode == 0


class Vrm(CommandLine):
    def setUp(self):
        super().setUp()
        self.files = {}
        for version, make in (("1", vrm1), ("0", vrm0)):
            self.files[version] = self.dir / f"character-{version}.vrm"
            make().save(self.files[version])

    def run_sinew(self, *words):
        run = sinew(*words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def posed(self, file, poses, *words):
        """Times, and for each the place of every joint."""
        out = self.dir / "reference.json"
        self.run_sinew("reference", file, "--method", "lbs", "--clip", "sway", "--poses", poses, "--vertices", 1,
                       "-o", out, *words)
        found = json.loads(out.read_text())
        names = [joint["name"] for joint in found["joints"]]
        for pose in found["poses"]:
            m = pose["matrices"]
            yield pose["seconds"], {name: m[16 * i + 12:16 * i + 15] for i, name in enumerate(names)}

    @unittest.skipUnless(has_three(), "needs node and npm's @pixiv/three-vrm (NODE_PATH)")
    def test_springs_swing_as_in_three_vrm(self):
        tree = {name: (parent, math.dist((0, 0, 0), move)) for name, parent, move in joints()}
        for version, file in self.files.items():
            for poses, limit, words in ((1, TOLERANCE, []), (20, EXACT, ["--exact-lengths"])):
                ours = list(self.posed(file, poses, "--layers", "own"))
                still = list(self.posed(file, poses))
                run = run_three(file, "sway", *[seconds for seconds, _ in ours], *words)
                self.assertEqual(run.returncode, 0, run.stderr)
                worst, swing = 0.0, 0.0
                for (seconds, mine), theirs, (_, without) in zip(ours, json.loads(run.stdout), still):
                    for name, (parent, length) in tree.items():
                        if name[0] not in "so" or parent == "n3":
                            continue
                        away = math.dist(mine[name], theirs[name]) / length
                        worst = max(worst, away)
                        swing = max(swing, math.dist(mine[name], without[name]) / length)
                        self.assertLess(away, limit, (version, name, seconds))
                print(f"VRM {version}: {len(ours)} moments, at most {worst:.1e} of a bone's length from three-vrm; "
                      f"springs move joints by up to {swing:.2f} of it")
                self.assertGreater(swing, 0.3)

    def test_info_names_the_character(self):
        for version, file in self.files.items():
            info = json.loads(self.run_sinew("info", file, "--json"))
            self.assertEqual(info["format"], "VRM (glTF binary)")
            self.assertEqual(info["warnings"], [])
            self.assertEqual(info["humanoid"], HUMANOID)
            self.assertEqual(info["morph_poses"], {"happy" if version == "1" else "joy": {"smile": 1.0, "brow": 0.5}})
            if version == "1":
                self.assertEqual(info["spring_bones"],
                                 {"springs": STRANDS + 1, "joints": STRANDS * LINKS + 1, "colliders": 5})
            else:  # with the ends, and the ornament of strand 2
                self.assertEqual(info["spring_bones"],
                                 {"springs": 2, "joints": STRANDS * (LINKS + 1) + 3, "colliders": 3})
            text = self.run_sinew("info", file)
            self.assertIn("humanoid: 10 bones", text)
            self.assertIn("expressions: " + ("happy" if version == "1" else "joy"), text)

    def test_an_expression_is_held_as_its_morph_targets(self):
        for word, version in (("happy", "1"), ("joy", "0"), ("pose:Joy", "0")):
            file = self.files[version]
            one, other = self.dir / "one.ply", self.dir / "other.ply"
            self.run_sinew("export", file, "--clip", "none", "--morph", f"{word}=0.5", "-o", one)
            self.run_sinew("export", file, "--clip", "none", "--morph", "smile=0.5,brow=0.25", "-o", other)
            self.assertEqual(one.read_bytes(), other.read_bytes())
            self.run_sinew("export", file, "--clip", "none", "-o", other)
            self.assertNotEqual(read_ply(one), read_ply(other))
        run = sinew("export", self.files["1"], "--clip", "none", "--morph", "angry=1", "-o", self.dir / "x.ply")
        self.assertEqual(run.returncode, 2)
        self.assertIn("pose:happy", run.stderr)

    def test_a_picture_shows_the_springs_unless_told_otherwise(self):
        pictures = {}
        for word in ("", "own", "none"):
            out = self.dir / f"picture-{word}.png"
            self.run_sinew("render", self.files["1"], "--clip", "sway", "--time", 2, "--size", "160x120",
                           *(["--layers", word] if word else []), "-o", out)
            pictures[word] = out.read_bytes()
        self.assertEqual(pictures[""], pictures["own"])
        self.assertNotEqual(pictures[""], pictures["none"])

    def test_the_file_keeps_its_springs_and_a_vrm_stays_one(self):
        for version, file in self.files.items():
            out = self.dir / f"same-{version}.vrm"
            self.run_sinew("export", file, "-o", out)
            before, after = self.document(file), self.document(out)
            self.assertEqual(before["extensions"], after["extensions"])
            self.assertEqual(before["animations"], after["animations"])
            self.assertEqual(json.loads(self.run_sinew("info", out, "--json"))["humanoid"], HUMANOID)
            # By its first bytes, whatever it is called.
            plain = self.dir / f"renamed-{version}.glb"
            shutil.copy(file, plain)
            self.assertEqual(json.loads(self.run_sinew("info", plain, "--json"))["humanoid"], HUMANOID)
        run = sinew("export", "demo:humanoid", "-o", self.dir / "no.vrm")
        self.assertEqual(run.returncode, 2)
        self.assertIn("VRM", run.stderr)

    def test_the_humanoid_tells_the_arms(self):
        """No joint's name says what it is."""
        for file in self.files.values():
            out = self.dir / "a-pose.glb"
            self.run_sinew("repose", file, "--to", "a-pose", "-o", out)
            nodes = {node.get("name"): node for node in self.document(out)["nodes"]}
            self.assertIn("n4", nodes)
            posed = self.dir / "posed.json"
            self.run_sinew("reference", out, "--method", "lbs", "--clip", "bind", "--vertices", 1, "-o", posed)
            found = json.loads(posed.read_text())
            names = [joint["name"] for joint in found["joints"]]
            m = found["poses"][0]["matrices"]
            at = {name: m[16 * i + 12:16 * i + 15] for i, name in enumerate(names)}
            for upper, hand in (("n4", "n6"), ("n7", "n9")):
                aside = abs(at[hand][0] - at[upper][0])
                down = at[upper][1] - at[hand][1]
                self.assertAlmostEqual(aside, down, delta=1e-3)  # 45 degrees

    def test_motion_of_a_humanoid_moves_it(self):
        walk = self.dir / "walk.glb"
        self.run_sinew("export", "demo:humanoid", "-o", walk)
        report = json.loads(self.run_sinew("info", self.files["1"], "--motion", walk, "--json"))
        pairs = json.dumps(report["motion"])
        for name in ("n4", "n5", "n6", "n7"):
            self.assertIn(f'"{name}"', pairs)

    def test_hostile_springs_end_soon(self):
        base = vrm1()
        springs = base.json["extensions"]["VRMC_springBone"]
        cases = {}
        many = copy.deepcopy(springs)
        many["colliderGroups"] = [{"colliders": [0] * 20000} for _ in range(50)]
        for spring in many["springs"]:
            spring["colliderGroups"] = list(range(50))
        cases["pairs"] = many
        rings = copy.deepcopy(springs)
        rings["springs"] = [{"joints": [{"node": n % 3} for n in range(3000)]} for _ in range(30)]
        cases["rings"] = rings
        huge = copy.deepcopy(springs)
        for spring in huge["springs"]:
            for joint in spring["joints"]:
                joint.update(stiffness=1e300, gravityPower=-1e30, dragForce=-5, hitRadius=1e30)
        huge["colliders"][0]["shape"]["sphere"]["radius"] = 1e30
        cases["huge"] = huge
        cases["far"] = {"springs": [{"joints": [{"node": 2 ** 60}, {"node": -1}, {"node": "head"}]}]}
        for name, extension in cases.items():
            writer = copy.deepcopy(base)
            writer.json["extensions"]["VRMC_springBone"] = extension
            file = self.dir / f"{name}.vrm"
            writer.save(file)
            out = self.dir / "out.ply"
            run = sinew("export", file, "--clip", "sway", "--time", 2, "--layers", "own", "-o", out, timeout=120)
            self.assertIn(run.returncode, (0, 3, 4), (name, run.stderr))
            if run.returncode == 0:
                for position in read_ply(out)[0]:
                    self.assertTrue(all(math.isfinite(c) and abs(c) < 10 for c in position), name)
        deep = copy.deepcopy(base)
        old = deep.json["extensions"]["VRM"] = vrm0().json["extensions"]["VRM"]
        del deep.json["extensions"]["VRMC_vrm"], deep.json["extensions"]["VRMC_springBone"]
        old["secondaryAnimation"]["boneGroups"] = [{"bones": [0] * 5000} for _ in range(20)]
        deep.save(self.dir / "deep.vrm")
        run = sinew("info", self.dir / "deep.vrm", timeout=120)
        self.assertIn(run.returncode, (0, 3, 4), run.stderr)

    @staticmethod
    def document(path):
        data = Path(path).read_bytes()
        return json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])


if __name__ == "__main__":
    command_line.SINEW = sys.argv.pop(1)
    unittest.main()
