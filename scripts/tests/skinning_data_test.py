#!/usr/bin/env python3
"""A method's data in a .glb (`sinew export --method`): attributes `_SINEW_*` and `extras.sinew.skinning`.

Usage: skinning_data_test.py SINEW. Vertices are skinned here, from the file and the rows of `sinew palette` alone, and
compared with the CPU references of `sinew reference`. examples/webgl2.html does the same by the methods' own shaders
(web_package_test.py).
"""
import json
import math
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from command_line import largest, read_ply, size_of
from gltf_keep_test import errors_of, read, validator

SINEW = ""
FOX = Path(__file__).resolve().parents[3] / "shared/models/fox/Fox.glb"
METHODS = ["rigid", "lbs", "dqs", "bones-blending", "arc-spline", "bezier-spline", "cor", "stbs", "ddm", "per-joint"]
TYPES = {5120: ("b", 127), 5121: ("B", 255), 5123: ("H", 65535), 5125: ("I", 1), 5126: ("f", 1)}


def sinew(*words, code=0):
    run = subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True, timeout=300)
    if run.returncode != code:
        raise AssertionError(f"{words}: exit code {run.returncode}\n{run.stderr}")
    return run


def values(document, buffers, index):
    """Of each vertex the components of an accessor, normalised ones as the shader reads them."""
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    letter, largest = TYPES[accessor["componentType"]]
    layout = "<" + letter * {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    stride = view.get("byteStride", struct.calcsize(layout))
    first = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    scale = 1 / largest if accessor.get("normalized") else 1
    return [[scale * v for v in struct.unpack_from(layout, buffers[view["buffer"]], first + stride * i)]
            for i in range(accessor["count"])]


def rows_of(path):
    """Of an .npy of palettes."""
    data = path.read_bytes()
    return list(struct.iter_unpack("<4f", data[10 + struct.unpack_from("<H", data, 8)[0]:]))


def blend_matrices(rows, joints, weights, p):
    return [sum(w * (sum(a * b for a, b in zip(rows[3 * int(j) + c], p)) + rows[3 * int(j) + c][3])
                for j, w in zip(joints, weights)) for c in range(3)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def blend_dual_quaternions(rows, joints, weights, p):
    """Kavan et al. 2008: real part, dual part; x, y, z, w. Rows of stretching follow, which these poses have not."""
    pivot, real, dual = rows[5 * int(joints[0])], [0.0] * 4, [0.0] * 4
    for j, w in zip(joints, weights):
        r, d = rows[5 * int(j)], rows[5 * int(j) + 1]
        w = w if sum(a * b for a, b in zip(pivot, r)) >= 0 else -w
        real = [a + w * b for a, b in zip(real, r)]
        dual = [a + w * b for a, b in zip(dual, d)]
    length = math.sqrt(sum(a * a for a in real))
    real, dual = [a / length for a in real], [a / length for a in dual]
    r, d = real[:3], dual[:3]
    turned = cross(r, [a + real[3] * b for a, b in zip(cross(r, p), p)])
    moved = [real[3] * a - dual[3] * b + c for a, b, c in zip(d, r, cross(r, d))]
    return [a + 2 * b + 2 * c for a, b, c in zip(p, turned, moved)]


class SkinningDataTest(unittest.TestCase):
    def setUp(self):
        self.dir = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def export(self, model, *words, name="out.glb"):
        out = self.dir / name
        sinew("export", model, "--quiet", "-o", out, *words)
        return out

    def shown(self, path):
        """Of each primitive of a skinned mesh its attributes and what its node states."""
        document, buffers = read(path)
        return [({name: values(document, buffers, index) for name, index in primitive["attributes"].items()},
                 node["extras"]["sinew"]["skinning"])
                for node in document["nodes"] if "skin" in node and "mesh" in node
                for primitive in document["meshes"][node["mesh"]]["primitives"]]

    def test_file_and_palette_give_the_vertices(self):
        for method, blend, rows in (("lbs", blend_matrices, 3), ("dqs", blend_dual_quaternions, 5)):
            with self.subTest(method=method):
                model = self.export("demo:arm", "--method", method)
                sinew("palette", model, "--method", method, "--clip", "0", "--fps", "4", "-o", self.dir / "rows.npy")
                index = json.loads((self.dir / "rows.json").read_text())
                (attributes, stated), = self.shown(model)
                self.assertEqual((stated["method"], stated["rows_per_entry"]), (method, rows))
                self.assertEqual((stated["entries"], stated["rows"]), (index["entries"], index["rows"]))
                self.assertNotIn("model_from_mesh", stated)
                name = stated["attributes"]
                all_rows, frames = rows_of(self.dir / "rows.npy"), index["frames"]
                # The references' moment is the middle of the clip: a frame where their number is even.
                self.assertEqual(frames % 2, 0)
                own = all_rows[frames // 2 * index["rows_per_frame"]:][:index["rows_per_frame"]]
                sinew("reference", model, "--method", method, "--clip", "0", "--poses", "1", "-o", self.dir / "v.json")
                vectors = json.loads((self.dir / "v.json").read_text())
                wanted = vectors["poses"][0]["methods"][method]["positions"]
                most = moved = 0
                for v, (p, joints, weights) in enumerate(zip(attributes["POSITION"], attributes[name["joints0"]],
                                                             attributes[name["weights0"]], strict=True)):
                    place = blend(own, joints, weights, p)
                    most = max(most, math.dist(place, wanted[3 * v:3 * v + 3]))
                    moved = max(moved, math.dist(place, p))
                self.assertLess(most, 1e-5 * vectors["size"])
                self.assertGreater(moved, 0.05 * vectors["size"])

    def test_frames_of_a_whole_clip(self):
        frames, clip = self.dir / "frames.npy", ("demo:humanoid", "--clip", "walk", "--method", "dqs")
        said = json.loads(sinew("export", *clip, "--fps", "4", "--json", "-o", frames).stdout)
        data = frames.read_bytes()
        start = 10 + struct.unpack_from("<H", data, 8)[0]
        self.assertIn(f"({said['frames']}, {said['vertices']}, 3)".encode(), data[:start])
        rows = list(struct.iter_unpack("<3f", data[start:]))
        self.assertEqual(len(rows), said["frames"] * said["vertices"])
        self.assertGreater(said["frames"], 3)
        moved = 0.0
        for frame in range(said["frames"]):
            seconds = said["seconds"] * frame / (said["frames"] - 1)
            sinew("export", *clip, "--no-loop", "--time", repr(seconds), "-o", self.dir / "frame.ply")
            places = read_ply(self.dir / "frame.ply")[0]
            own = rows[frame * said["vertices"]:][:said["vertices"]]
            self.assertLess(largest(places, own), 1e-6 * size_of(places))
            moved = max(moved, largest(own, rows[:said["vertices"]]))
        self.assertGreater(moved, 0.1)
        sinew("export", *clip, "--fps", "4", "--drag", "0.4", "-o", frames)
        dragged = frames.read_bytes()
        self.assertEqual(len(dragged), len(data))
        self.assertNotEqual(dragged, data)
        sinew("export", *clip, "--mirror", "-o", frames, code=2)

    def compare_with_references(self, model, method):
        sinew("reference", model, "--method", method, "--clip", "bind", "-o", self.dir / "v.json")
        wanted, = json.loads((self.dir / "v.json").read_text())["methods"]
        first = 0
        for attributes, stated in self.shown(self.export(model, "--method", method)):
            self.assertEqual(sorted(stated["attributes"]), sorted(a["name"] for a in wanted["attributes"]))
            self.assertEqual({k: v if isinstance(v, str) else f"{v:g}" for k, v in stated["parameters"].items()}, wanted["parameters"])
            count = len(attributes["POSITION"])
            for each in wanted["attributes"]:
                n = each["components"]
                own = [x for v in attributes[stated["attributes"][each["name"]]] for x in v]
                theirs = each["values"][first * n:(first + count) * n]
                self.assertEqual(len(own), len(theirs))
                self.assertLess(max(abs(a - b) / max(1, abs(b)) for a, b in zip(own, theirs)), 1e-6, each["name"])
            first += count
        self.assertGreater(first, 100)

    def test_attributes_are_those_of_the_references(self):
        plain = self.export("demo:arm", name="plain.glb")
        for method in METHODS:
            with self.subTest(method=method):
                self.compare_with_references("demo:arm", method)  # a new file
                self.compare_with_references(plain, method)  # the model's own file with more in it

    def test_names(self):
        (attributes, stated), *_ = self.shown(self.export("demo:arm", "--method", "arc-spline"))
        self.assertEqual(stated["version"], 1)
        self.assertEqual(stated["attributes"]["splineNormal0"], "_SINEW_SPLINE_NORMAL_0")
        self.assertEqual(stated["attributes"]["joints0"], "_SINEW_JOINTS_0")
        self.assertEqual(set(stated["attributes"].values()), {n for n in attributes if n.startswith("_SINEW_")})

    def test_all_else_stays(self):
        plain = self.export("demo:humanoid")
        stated = self.export(plain, "--method", "arc-spline", name="stated.glb")
        before, after = (json.loads(sinew("info", file, "--json").stdout) for file in (plain, stated))
        for each in (before, after):
            del each["model"]
        self.assertEqual(before, after)
        again = self.export(stated, name="again.glb")
        self.assertEqual(self.shown(stated), self.shown(again))
        self.assertNotIn("_SINEW_", json.dumps(read(plain)[0]))
        # Other weights: data of those before would be wrong.
        sinew("reduce", stated, "--influences", "1", "--quiet", "-o", again)
        document, _ = read(again)
        self.assertNotIn("_SINEW_", json.dumps(document))
        kept, = {json.dumps(node["extras"]["sinew"]["skinning"]["method"]) for node in document["nodes"] if "skin" in node}
        self.assertEqual(json.loads(kept), "arc-spline")

    def test_compressed_file_has_them_in_the_order_of_its_vertices(self):
        words = ("demo:arm", "--method", "dqs")
        of = lambda path: sorted((tuple(round(x, 3) for x in p), tuple(j), tuple(w)) for (a, s), in [self.shown(path)]
                                 for p, j, w in zip(a["POSITION"], a["_SINEW_JOINTS_0"], a["_SINEW_WEIGHTS_0"], strict=True))
        plain, packed = self.export(*words), self.export(*words, "--compress", name="packed.glb")
        opened = self.export(packed, name="opened.glb")
        document, _ = read(packed)
        self.assertIn("EXT_meshopt_compression", document["extensionsRequired"])
        sinew("palette", opened, "--method", "dqs", "-o", self.dir / "rows.npy")
        own, = document["meshes"][0]["primitives"]
        counts = {document["accessors"][index]["count"] for index in own["attributes"].values()}
        self.assertEqual(len(counts), 1)
        self.assertEqual(counts.pop(), len(of(plain)))

    @unittest.skipUnless(FOX.is_file(), "needs ../shared/models")
    def test_file_of_others(self):
        """Its triangles share no vertices, which sinew merges."""
        (attributes, stated), = self.shown(self.export(FOX, "--method", "dqs"))
        names = stated["attributes"]
        self.assertGreater(len(attributes["POSITION"]), 1500)
        for j, w, own_j, own_w in zip(attributes["JOINTS_0"], attributes["WEIGHTS_0"], attributes[names["joints0"]],
                                      attributes[names["weights0"]], strict=True):
            theirs = {a: b / sum(w) for a, b in zip(j, w) if b > 0}
            ours = {a: b for a, b in zip(own_j, own_w) if b > 0}
            for joint in theirs | ours:
                self.assertAlmostEqual(theirs.get(joint, 0), ours.get(joint, 0), delta=2e-5)

    def test_what_has_no_place_for_them(self):
        out = self.dir / "arm.fbx"
        self.assertIn("the method's data", sinew("export", "demo:arm", "--method", "dqs", "-o", out).stderr)
        mesh = self.dir / "mesh.obj"
        sinew("export", "demo:arm", "--quiet", "-o", mesh)
        run = sinew("export", mesh, "--method", "dqs", "-o", self.dir / "mesh.glb", code=3)
        self.assertIn("has no skinned mesh", run.stderr)
        self.assertEqual(len(run.stderr.strip().splitlines()), 1)

    @unittest.skipUnless(validator(), "needs npm gltf-validator in NODE_PATH")
    def test_files_are_valid(self):
        files = [self.export("demo:arm", "--method", method, name=f"{method}.glb") for method in METHODS]
        if FOX.is_file():
            files += [self.export(FOX, "--method", method, name=f"fox-{method}.glb") for method in ("ddm", "arc-spline")]
        self.assertEqual(errors_of(files), {})


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main()
