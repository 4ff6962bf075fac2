#!/usr/bin/env python3
"""Posed vertices of FBX files against a second reading (fbx_reference.py), at keys and between them.

Usage: fbx_test.py SINEW. On the models of ../shared/models and of Debian's assimp-testmodels where
they are.
"""
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from fbx_reference import Fbx, largest_gap

SINEW = ""
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "models"
DEBIAN = Path("/usr/share/assimp/models/FBX")
TOLERANCE = 1e-5  # of the model's size
SECONDS = (0.0, 0.1234, 0.3517)

# Files with Y up; stacks by number.
MODELS = [
    (SHARED / "male_suit/Male_Suit.fbx", [3, 7]),
    (SHARED / "zombie/ZombieSmooth.fbx", [1, 4]),
    (SHARED / "kenney_character/kenney_character.fbx", [0]),
    (SHARED / "dq_weights/maya_dq_weights.fbx", [0]),
    (SHARED / "ufbx_cases/motionbuilder_sausage_rrss_7700_ascii.fbx", [0]),
    (SHARED / "ufbx_cases/maya_game_sausage_7500_binary_combined.fbx", [0, 1, 2]),
    (SHARED / "ufbx_cases/maya_transformed_skin_7700_ascii.fbx", [0]),
    (DEBIAN / "huesitos.fbx", [0]),
    (DEBIAN / "animation_with_skeleton.fbx", [0]),
]


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def read_points(path):
    data = path.read_bytes()
    header, body = data.split(b"end_header\n", 1)
    count = int(header.split(b"element vertex ")[1].split(b"\n")[0])
    return list({struct.unpack_from("<3f", body, 32 * i) for i in range(count)})


class FbxFiles(unittest.TestCase):
    def export(self, path, clip, time, *options):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "posed.ply"
            words = [SINEW, "export", path, "--quiet", "--influences", "12", "--clip", clip, "--no-loop", "--time", repr(time),
                     *options, "-o", out]
            run = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=240)
            self.assertEqual(run.returncode, 0, run.stderr)
            return read_points(out)

    def test_shared_models(self):
        for path, stacks in MODELS:
            if not path.exists():
                continue
            document = Fbx(path)
            for clip in stacks:
                for seconds in map(single, SECONDS):
                    with self.subTest(file=path.name, clip=clip, seconds=seconds):
                        expected = document.posed(document.stacks[clip], seconds)
                        self.assertLess(largest_gap(expected, self.export(path, clip, seconds)), TOLERANCE)

    def test_assimp_reads_it_too_for_comparison(self):
        path = SHARED / "ufbx_cases/maya_game_sausage_7500_binary_combined.fbx"
        if path.exists():
            document = Fbx(path)
            expected = document.posed(document.stacks[2], single(0.35))
            self.assertGreater(largest_gap(expected, self.export(path, 2, single(0.35), "--importer", "assimp")), 0.01)


if __name__ == "__main__":
    SINEW = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
