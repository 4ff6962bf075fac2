#!/usr/bin/env python3
"""Posed vertices of DirectX .x files against a second reading (x_reference.py), at keys and between them.

Usage: x_test.py SINEW. On files written here, one for each rule, in all four forms of the format, and
on the models of ../shared/models and of Debian's assimp-testmodels where they are.
"""
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

from fbx_reference import largest_gap
from fbx_test import read_points, single
from x_reference import X, tokens_of_text

SINEW = ""
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "models"
DEBIAN = Path("/usr/share/assimp/models/X")
TOLERANCE = 1e-5  # of the model's size
SECONDS = (0.0, 0.1234, 0.7)

# Animation sets by number.
MODELS = [
    (SHARED / "tiny/tiny.x", [0]),
    (SHARED / "minetest_character/character.x", [0, 1]),
    (SHARED / "wuson/Testwuson.X", [0, 1, 2]),
    (DEBIAN / "BCN_Epileptic.X", [0]),
    (DEBIAN / "anim_test.x", [0]),
    (DEBIAN / "fromtruespace_bin32.x", [None]),
    (DEBIAN / "kwxport_test_cubewithvcolors.x", [None]),
    (DEBIAN / "test.x", [None]),
    (DEBIAN / "test_cube_binary.x", [None]),
    (DEBIAN / "test_cube_compressed.x", [None]),
    (DEBIAN / "test_cube_text.x", [None]),
]

TURN = "0.6,0.8,0,0, -0.8,0.6,0,0, 0,0,1,0,"  # rows of a rotation about z
MESH = """Mesh %s { 5; 0;0;0;, 1;0;0;, 1;2;0;, 0;2;0.5;, 0.5;3;1;;
  3; 4;0,1,2,3;, 3;3,2,4;, 3;4,2,1;;
  %s }
"""
SKIN = """XSkinMeshHeader { 2; 4; 2; }
  SkinWeights { "lower"; 4; 0,1,2,3; 1,0.75,0.5,0.2; 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,-0.5,0,1;; }
  SkinWeights { "upper"; 4; 1,2,3,4; 0.25,0.5,0.6,1; 1,0,0,0, 0,0,1,0, 0,-1,0,0, 0,0.2,2,1;; }
"""
BODY = MESH % ("body", "")


def frame(name, matrix, inside=""):
    return f"Frame {name} {{ FrameTransformMatrix {{ {matrix};; }}\n{inside} }}\n"


def keys(kind, *each):
    listed = ",".join(f"{time};{len(values)};{','.join(map(str, values))};;" for time, values in each)
    return f"AnimationKey {{ {kind}; {len(each)}; {listed}; }}\n"


def moving(frame_name, *lists):
    return f"AnimationSet set {{ Animation {{ {{ {frame_name} }} {''.join(lists)} }} }}\n"


RIG = frame("top", TURN + "1,2,3,1", frame("lower", "1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0.5,0,1",
            frame("upper", "2,0,0,0, 0,0,1,0, 0,-1,0,0, 0,1.5,0.2,1")) + frame("shown", TURN + "9,9,9,1", MESH % ("body", SKIN)))
ROTATIONS = keys(0, (0, (1, 0, 0, 0)), (2400, (1.4, 1.4, 0.02, 0)), (4800, (0, 0.3, -0.4, 1.2)))
POSITIONS = keys(2, (0, (0, 1, 0)), (1200, (3, 1, -2)), (4800, (0, -1, 5)))
SCALES = keys(1, (0, (1, 1, 1)), (4800, (2, 0.5, 1)))
MATRICES = [(0, (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1)),
            (3000, (0, 3, 0, 0, -2, 0, 0, 0, 0, 0, 1, 0, 4, 0, 1, 1)),
            (4800, (0.5, 0, 0, 0, 0, 0, 0.5, 0, 0, -0.5, 0, 0, 0, 0, 7, 1))]
UNNAMED = frame("top", TURN + "1,2,3,1", frame("", "1,0,0,0, 0,0,1,0, 0,-1,0,0, 5,0,-2,1", MESH % ("", "")))

CASES = {
    "an unnamed frame below an animated one keeps its offset": UNNAMED + moving("top", ROTATIONS, POSITIONS),
    "a skin of two bones with keys of rotation alone": RIG + moving("upper", ROTATIONS),
    "keys of all three kinds, rotations not of unit length": RIG + moving("upper", ROTATIONS, POSITIONS, SCALES),
    "keys of matrices": RIG + moving("lower", keys(4, *MATRICES)),
    "keys of matrices by their old number": RIG + moving("lower", keys(3, *MATRICES)),
    "a mirrored frame": frame("top", "1,0,0,0, 0,1,0,0, 0,0,-1,0, 0,0,0,1", RIG) + moving("upper", ROTATIONS),
    "ticks that the file states": "AnimTicksPerSecond { 2400; }\n" + RIG + moving("upper", ROTATIONS),
    "keys counted in frames": RIG + moving("upper", keys(0, *((i, (1, i, 0, 0)) for i in range(30)))),
    "keys of which the first comes late": RIG + moving("upper", keys(2, (1000, (1, 1, 1)), (2000, (2, 0, 1)))),
    "a mesh by reference, in two frames": MESH % ("shape", "") + frame("a", TURN + "1,2,3,1", "{ shape }")
    + frame("b", TURN + "-4,2,3,1", "{ shape }") + moving("b", ROTATIONS),
    "a frame by reference, twice": frame("part", TURN + "0,0,1,1", BODY)
    + frame("a", TURN + "1,2,3,1", "{ part }") + frame("b", TURN + "-4,2,3,1", "{ part }") + moving("part", POSITIONS),
    "a bone whose frame is not there": RIG.replace('"upper"', '"lost"') + moving("lower", ROTATIONS),
    "comments, names with digits, ids, byte for byte odd": "# one\n// two {\ntemplate Extra { <3d82ab46-62da-11cf-ab39-0020af71e433> [...] }\n"
    + frame("01_top", TURN + "1,2,3,1", BODY).replace("Mesh body {", "Mesh body { <3d82ab44-62da-11cf-ab39-0020af71e433>")
    + moving("01_top", ROTATIONS),
}


def binary_of(text):
    """The same tokens as binary ones; a number with a point is a float, others are integers."""
    out = b""
    numbers, floats = [], False

    def flush():
        nonlocal out, numbers
        if numbers:
            out += struct.pack(f"<HI{len(numbers)}{'f' if floats else 'I'}", 7 if floats else 6, len(numbers), *numbers)
        numbers = []

    for kind, value in tokens_of_text(text.encode()):
        number = None
        if kind == "word":
            try:
                number = float(value)
            except ValueError:
                pass
        if number is not None:
            is_float = "." in value or number < 0
            if is_float != floats:
                flush()
            floats = is_float
            numbers.append(number if is_float else int(number))
            continue
        flush()
        if kind == "mark":
            out += struct.pack("<H", 10 if value == b"{" else 11)
        elif kind == "uuid":
            out += struct.pack("<H", 5) + bytes(16)
        elif value == "template":
            out += struct.pack("<H", 31)
        else:
            out += struct.pack("<HI", 1 if kind == "word" else 2, len(value)) + value.encode()
            out += struct.pack("<H", 20) if kind == "text" else b""
    flush()
    return out


def packed(body):
    """In blocks of 500 bytes, so that all but the first need those before them."""
    out = struct.pack("<I", len(body) + 16)
    for at in range(0, len(body), 500):
        block = body[at:at + 500]
        window = body[max(0, at - 32768):at]
        stream = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=window) if window else zlib.compressobj(9, zlib.DEFLATED, -15)
        deflated = b"CK" + stream.compress(block) + stream.flush()
        out += struct.pack("<HH", len(block), len(deflated)) + deflated
    return out


class XFiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.dir = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def posed(self, path, clip, seconds, *options):
        out = self.dir / "posed.ply"
        words = [SINEW, "export", path, "--quiet", "--influences", "12", "--clip", "none" if clip is None else clip,
                 "--no-loop", "--up", "y", "--time", repr(seconds), *options, "-o", out]
        run = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=240)
        self.assertEqual(run.returncode, 0, run.stderr)
        return read_points(out)

    def check(self, path, clip, times=SECONDS):
        document = X(path)
        for seconds in map(single, times):
            with self.subTest(file=path.name, clip=clip, seconds=seconds):
                expected = document.posed(None if clip is None else document.sets[clip], seconds)
                self.assertLess(largest_gap(expected, self.posed(path, clip, seconds)), TOLERANCE)

    def test_models(self):
        for path, sets in MODELS:
            for clip in sets if path.exists() else []:
                self.check(path, clip, SECONDS[:1] if clip is None else SECONDS[1:])

    def test_rules(self):
        for i, (rule, text) in enumerate(CASES.items()):
            with self.subTest(rule=rule):
                path = self.dir / f"{i}.x"
                path.write_bytes(b"xof 0303txt 0032\n" + text.encode())
                self.check(path, 0)

    def test_forms(self):
        text = CASES["keys of all three kinds, rotations not of unit length"]
        # The binary form has no way to say that an integer is meant as a float but to write one.
        text = text.replace("1,0,0,0, 0,1,0,0, 0,0,1,0,", "1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,")
        bodies = {b"txt ": text.encode(), b"bin ": binary_of(text), b"tzip": packed(text.encode()), b"bzip": packed(binary_of(text))}
        for form, body in bodies.items():
            path = self.dir / f"{form.decode().strip()}.x"
            path.write_bytes(b"xof 0303" + form + b"0032" + body)
            self.check(path, 0, SECONDS[1:2])


if __name__ == "__main__":
    SINEW = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
