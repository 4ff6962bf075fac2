"""Runs the program's commands, for the tests of the command line (cli_*_test.py: docs/cli.md).

Models are read from ../shared/models where they are, else only the generated ones.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SINEW = ""
ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "models"


def sinew(*words, timeout=900, env=None):
    for _ in range(5):
        run = subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True, timeout=timeout, env=env)
        # The leak checker of a sanitized build, not the program, falls over now and then while the
        # driver's threads end.
        if "LeakSanitizer has encountered a fatal error" not in run.stderr:
            break
    return run


def needs(path):
    return unittest.skipUnless((SHARED / path).exists(), f"needs {path}")


def read_ply(path):
    """Positions and normals of a binary little-endian PLY as export writes it."""
    data = Path(path).read_bytes()
    header, body = data.split(b"end_header\n", 1)
    count = int(header.split(b"element vertex ")[1].split(b"\n")[0])
    rows = [struct.unpack_from("<8f", body, 32 * i) for i in range(count)]
    return [r[0:3] for r in rows], [r[3:6] for r in rows]


def largest(a, b):
    return max(max(abs(x - y) for x, y in zip(p, q)) for p, q in zip(a, b))


def size_of(positions):
    low = [min(p[i] for p in positions) for i in range(3)]
    high = [max(p[i] for p in positions) for i in range(3)]
    return sum((h - l) ** 2 for h, l in zip(high, low)) ** 0.5


def png_size(path):
    data = Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.dir = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def fails(self, code, *words, says=()):
        run = sinew(*words)
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stdout, "")
        lines = [l for l in run.stderr.splitlines() if l.startswith("sinew: ")]
        self.assertEqual(len(lines), 1, run.stderr)
        for word in says:
            self.assertIn(word, lines[0])
        self.assertNotIn("\n", lines[0])

    def bad(self, name, content, says=()):
        path = self.dir / name
        path.write_bytes(content)
        self.fails(3, "info", path, says=[name, *says])

    # Writes how many pictures it was given, or fails: what a film is made of can be counted. A GIF
    # is made in two runs, the second from the first one's file.
    FFMPEG = """#!/usr/bin/env python3
import os, pathlib, sys
words = sys.argv[1:]
source = words[words.index("-i") + 1]
if source == "pipe:0":
    if "broken" in os.getcwd():
        sys.stdin.buffer.read(100)
        print("\\n[fake] the disk is full\\nConversion failed!", file=sys.stderr)
        sys.exit(1)
    width, height = map(int, words[words.index("-video_size") + 1].split("x"))
    pictures = str(len(sys.stdin.buffer.read()) // (4 * width * height))
else:
    pictures = pathlib.Path(source).read_text()
for name in words:
    if name.endswith((".mov", ".png", ".gif", ".mp4")) and name != source:
        pathlib.Path(name).write_text(pictures)
"""

    def film(self, *words, out):
        tools = self.dir / "tools"
        tools.mkdir(exist_ok=True)
        (tools / "ffmpeg").write_text(self.FFMPEG)
        (tools / "ffmpeg").chmod(0o755)
        return sinew(*words, "-o", out, env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})

    def export(self, model, *words):
        out = self.dir / f"{len(list(self.dir.iterdir()))}.ply"
        run = sinew("export", model, "-o", out, *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return read_ply(out)

    def compare_devices(self, model, *words, methods=("rigid", "lbs")):
        info = json.loads(sinew("info", model, "--json").stdout)
        for method in methods:
            cpu = self.export(model, "--method", method, *words)
            gpu = self.export(model, "--method", method, "--skin-on", "vertex-shader", *words)
            self.assertEqual(len(cpu[0]), info["vertices"])
            self.assertLess(largest(cpu[0], gpu[0]), 1e-5 * size_of(cpu[0]))
            self.assertLess(largest(cpu[1], gpu[1]), 1e-5)

    def splines(self, parent, points=((0, 0, 0), (0.3, 0, 0), (0.6, 0, 0))):
        path = self.dir / f"{len(list(self.dir.iterdir()))}.json"
        path.write_text(json.dumps({"sinew": "splines", "splines": [
            {"name": "s", "parent": parent, "points": points, "reach": 0.5}]}))
        return path

    def zones(self, joints):
        path = self.dir / f"{len(list(self.dir.iterdir()))}.json"
        path.write_text(json.dumps({"sinew": "zones", "joints": joints}))
        return path

    def compare(self, *words, code=0):
        run = sinew("compare", *words)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def compare_json(self, *words):
        # NaN and Infinity are no JSON: parse_constant is called for them alone.
        def refuse(word):
            self.fail(f"{word} in JSON")
        return json.loads(self.compare(*words, "--json", "--quiet").stdout, parse_constant=refuse)

    def figure(self, name, *words):
        run = sinew("figure", name, "-o", self.dir, "--json", *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        printed = json.loads(run.stdout)
        written = json.loads((self.dir / f"{name}.json").read_text())
        self.assertEqual(printed, written)
        for key in ["figure", "title", "paper", "says", "measured", "numbers", "tables", "files"]:
            self.assertTrue(written[key], key)
        for suffix in ["png", "csv"]:
            self.assertIn(f"{name}.{suffix}", written["files"])
        for file in written["files"]:
            path = self.dir / file
            if path.suffix == ".png":
                self.assertGreater(min(png_size(path)), 100)
            else:
                self.assertGreater(len(path.read_text().splitlines()), 1)
        return written["numbers"]


def main():
    """The tests of the module that runs. Usage: MODULE SINEW."""
    global SINEW
    SINEW = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=1)
