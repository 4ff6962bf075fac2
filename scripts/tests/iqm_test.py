#!/usr/bin/env python3
"""Posed vertices of Inter-Quake Models against a second reading (iqm_reference.py).

Usage: iqm_test.py SINEW. On a file written here, and on Debian's assimp-testmodels where they are.
"""
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from fbx_reference import largest_gap
from fbx_test import read_points, single
from iqm_reference import HEAD, Iqm

SINEW = ""
DEBIAN = Path("/usr/share/assimp/models/IQM/mrfixit.iqm")
TOLERANCE = 1e-5  # of the model's size


def two_joints(loops):
    """Two joints, one of which moves and turns in three frames, and four vertices of two weights."""
    names = b"\0mesh\0low\0high\0wave\0"
    data = bytearray(16 + 4 * 27)

    def add(body):
        at = len(data)
        data.extend(body + bytes(-len(body) % 4))
        return at

    joints = struct.pack("<Ii10f", 6, -1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1) + struct.pack("<Ii10f", 10, 0, 0, 2, 0.5, 0.6, 0, 0, 0.8, 1, 2, 1)
    poses = struct.pack("<iI10f10f", -1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1, *[0] * 10)
    poses += struct.pack("<iI10f10f", 0, 0b1001101, -1, 2, 0.5, -1, 0, 0, 0.2, 1, 2, 1, 0.001, 0, 0.002, 0.003, 0, 0, 0.001, 0, 0, 0)
    frames = struct.pack("<12H", 0, 0, 500, 100, 800, 300, 10, 900, 1500, 40, 333, 600)
    arrays = [(0, 7, 3, add(struct.pack("<12f", 0, 0, 0, 1, 0, 0, 1, 3, 0, 0, 3, 1))),
              (4, 1, 4, add(bytes([0, 1, 0, 0] * 4))), (5, 1, 4, add(bytes([255, 0, 0, 0, 200, 55, 0, 0, 30, 225, 0, 0, 0, 255, 0, 0])))]
    values = dict.fromkeys(HEAD, 0)
    values.update(version=2, textBytes=len(names), text=add(names), meshes=1, meshesAt=add(struct.pack("<6I", 1, 0, 0, 4, 0, 2)),
                  arrays=3, vertices=4, arraysAt=add(b"".join(struct.pack("<5I", k, 0, f, n, at) for k, f, n, at in arrays)),
                  triangles=2, trianglesAt=add(struct.pack("<6I", 0, 1, 2, 0, 2, 3)), joints=2, jointsAt=add(joints), poses=2, posesAt=add(poses),
                  anims=1, animsAt=add(struct.pack("<IIIfI", 15, 0, 3, 10.0, loops)), frames=3, channels=4, framesAt=add(frames))
    values["size"] = len(data)
    struct.pack_into(f"<16s{len(HEAD)}I", data, 0, b"INTERQUAKEMODEL\0", *(values[key] for key in HEAD))
    return bytes(data)


class IqmFiles(unittest.TestCase):
    def check(self, path, times):
        document = Iqm(path)
        for seconds in map(single, times):
            with self.subTest(file=path.name, seconds=seconds), tempfile.TemporaryDirectory() as folder:
                out = Path(folder) / "posed.ply"
                words = [SINEW, "export", path, "--quiet", "--clip", "0", "--no-loop", "--up", "y", "--time", repr(seconds), "-o", out]
                run = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=240)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertLess(largest_gap(document.posed(0, seconds), read_points(out)), TOLERANCE)

    def test_written(self):
        with tempfile.TemporaryDirectory() as folder:
            for loops in (0, 1):
                path = Path(folder) / f"loops{loops}.iqm"
                path.write_bytes(two_joints(loops))
                self.check(path, (0.0, 0.1, 0.16, 0.25))

    def test_debian(self):
        if DEBIAN.exists():
            self.check(DEBIAN, (0.0, 1.03, 4.2))


if __name__ == "__main__":
    SINEW = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
