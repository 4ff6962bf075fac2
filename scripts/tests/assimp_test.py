#!/usr/bin/env python3
"""Posed vertices of MD5 and Blitz3D models, which Assimp reads, against second readings.

Usage: assimp_test.py SINEW. On the shared models, where they are.
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from b3d_reference import B3d
from fbx_reference import largest_gap
from fbx_test import SHARED, read_points, single
from md5_reference import Md5

SINEW = ""
TOLERANCE = 1e-5  # of the model's size
MODELS = [(SHARED / "redeclipse_hands/hud_hands.md5mesh", Md5), (SHARED / "minetest_character/character.b3d", B3d)]


class PosedVertices(unittest.TestCase):
    def test_at_keys_and_between(self):
        for path, reading in MODELS:
            if not path.exists():
                continue
            document = reading(path)
            for clip, time in ((None, 0.0), (0, 0.0), (0, single(0.125)), (0, single(0.1234)), (0, single(10.0))):
                with self.subTest(path=path.name, clip=clip, time=time), tempfile.TemporaryDirectory() as folder:
                    out = Path(folder) / "posed.ply"
                    words = [SINEW, "export", path, "--quiet", "--influences", "12", "--clip", "none" if clip is None else clip,
                             "--no-loop", "--time", repr(time), "-o", out]
                    run = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=240)
                    self.assertEqual(run.returncode, 0, run.stderr)
                    self.assertLess(largest_gap(document.posed(clip, time), read_points(out)), TOLERANCE)


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main()
