#!/usr/bin/env python3
"""Posed vertices of Collada files against two other readers, at keys and between them: Assimp's and three.js' ColladaLoader; and of
FBX files at rest against Assimp's.

Usage: collada_test.py SINEW. On the models of ../shared/models and of Debian's assimp-testmodels where they are. Assimp needs
python3-pyassimp; three.js needs node and npm's three and @xmldom/xmldom (NODE_PATH). What a reader is known to read otherwise is
named below.
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from fbx_reference import largest_gap
from fbx_test import read_points

SINEW = ""
ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "models"
DEBIAN = Path("/usr/share/assimp/models/Collada")
TOLERANCE = 1e-5  # of the model's size
SECONDS = (0.0, 0.1234, 0.5, 0.7777)

FBX = [SHARED / "male_suit/Male_Suit.fbx", SHARED / "zombie/ZombieSmooth.fbx", SHARED / "kenney_character/kenney_character.fbx",
       SHARED / "arnaud/arnaud.fbx", SHARED / "dq_weights/maya_dq_weights.fbx",
       *(DEBIAN.parent / "FBX" / name for name in (
           "animation_with_skeleton.fbx", "spider.fbx", "huesitos.fbx", "box.fbx", "boxWithCompressedCTypeArray.FBX",
           "boxWithUncompressedCTypeArray.FBX", "cubes_with_names.fbx", "cubes_nonames.fbx", "cubes_with_mirroring_and_pivot.fbx",
           "close_to_identity_transforms.fbx", "global_settings.fbx", "phong_cube.fbx"))]
FILES = [SHARED / "cesium_man/CesiumMan.dae", *sorted(DEBIAN.glob("*.[dD][aA][eE]"))]
# Not compared: texts with blanks or in UTF-16 (Assimp 5.2); UTF-16, empty elements, strips, decimal commas, clips that do not begin
# at 0, whole rotations between keys and instances of nodes (three.js).
NOT_BY_ASSIMP = {"library_animation_clips.dae", "cube_UTF16LE.dae"}
NOT_BY_THREE = {"cube_UTF16LE.dae", "cube_emptyTags.dae", "cube_tristrips.dae", "earthCylindrical.DAE", "teapots.DAE",
                "library_animation_clips.dae", "anims_with_full_rotations_between_keys.DAE", "teapot_instancenodes.DAE"}


def run_three(*words):
    return subprocess.run(["node", ROOT / "scripts/tests/engine_vertices.mjs", "three", *map(str, words)], capture_output=True,
                          text=True, timeout=300, check=False)


def run_assimp(*words):
    return subprocess.run(["/usr/bin/python3", ROOT / "scripts/tests/assimp_vertices.py", *map(str, words)], capture_output=True,
                          text=True, timeout=300, check=False)


def has_assimp():
    return run_assimp("--check").returncode == 0


def has_three():
    try:
        return FILES[0].exists() and run_three(FILES[0], "none", 0).returncode == 0
    except FileNotFoundError:
        return False


def size_of(points):
    return max(max(p[i] for p in points) - min(p[i] for p in points) for i in range(3))


class ColladaFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def info(self, path):
        run = subprocess.run([SINEW, "info", "--json", path], capture_output=True, text=True, timeout=300, check=True)
        return json.loads(run.stdout)

    def posed(self, path, clip, time, *options, influences=12):
        out = Path(self.folder.name) / "posed.ply"
        words = [SINEW, "export", path, "--quiet", "--influences", str(influences), "--clip", "none" if clip is None else clip, "--no-loop",
                 "--up", "y", "--time", repr(time), *options, "-o", out]
        subprocess.run([str(w) for w in words], check=True, capture_output=True, timeout=300)
        return read_points(out)

    def moments(self, info):
        return [(None, 0.0), *((0, time) for time in SECONDS)] if info["clips"] else [(None, 0.0)]

    def rigged(self, excluded, files=FILES):
        for path in files:
            if not path.exists() or path.name in excluded:
                continue
            info = self.info(path)
            if info["meshes"]:
                yield path, info

    def check_gap(self, path, moment, ours, theirs, unit):
        ours = [tuple(unit * x for x in p) for p in ours]
        size = size_of(theirs)
        self.assertLess(largest_gap(theirs, ours), TOLERANCE * size, (path.name, moment))
        self.assertLess(largest_gap(ours, theirs), TOLERANCE * size, (path.name, moment))

    @unittest.skipUnless(has_assimp(), "needs python3-pyassimp")
    def test_assimp_poses_the_same_vertices(self):
        count = 0
        for path, info in [*self.rigged(NOT_BY_ASSIMP), *self.rigged((), FBX)]:
            # Assimp keeps the times of FBX curves, and makes quaternions at their keys.
            moments = self.moments(info)[:1 if path in FBX else None]
            run = run_assimp(path, *(word for clip, time in moments
                                     for word in ("no clip" if clip is None else f"#{clip}", time)))
            self.assertEqual(run.returncode, 0, run.stderr)
            # Assimp turns the unit of Collada into metres.
            unit = info["meters_per_unit"] if path in FILES else 1.0
            for (clip, time), numbers in zip(moments, json.loads(run.stdout)):
                theirs = list({tuple(numbers[i:i + 3]) for i in range(0, len(numbers), 3)})
                self.check_gap(path, (clip, time), self.posed(path, clip, time), theirs, unit)
                count += 1
        print(f"Assimp: {count} poses")

    @unittest.skipUnless(has_three(), "needs node, npm's three and @xmldom/xmldom (NODE_PATH), and the models")
    def test_three_js_poses_the_same_vertices(self):
        count = 0
        for path, info in self.rigged(NOT_BY_THREE):
            moments = self.moments(info)
            run = run_three(path, *(word for clip, time in moments for word in ("none" if clip is None else "all", time)))
            self.assertEqual(run.returncode, 0, run.stderr)
            poses = json.loads(run.stdout[run.stdout.index("[["):])
            for (clip, time), numbers in zip(moments, poses):
                theirs = list({tuple(numbers[i:i + 3]) for i in range(0, len(numbers), 3)})
                self.check_gap(path, (clip, time), self.posed(path, clip, time, influences=4), theirs, info["meters_per_unit"])
                count += 1
        print(f"three.js: {count} poses")


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main(verbosity=2)
