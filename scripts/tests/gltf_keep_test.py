#!/usr/bin/env python3
"""What a glTF file keeps on its way through sinew: all that a command does not change.

Usage: gltf_keep_test.py SINEW. `export` without a change on every glTF of ../shared/models and of
Debian's assimp-testmodels, where they are: the JSON and the bytes of every buffer view are those of
the input, and Khronos' validator (npm gltf-validator, where NODE_PATH has it) finds no error that
the input has not. `bake`, `weights`, a corrective shape and a further clip on files that have parts for others.
"""
import base64
import json
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gltf_cases import build  # noqa: E402

SINEW = ""
HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[1].parent / "shared" / "models"
DEBIAN = Path("/usr/share/assimp/models/glTF2")


def sinew(*words, timeout=300):
    return subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True, timeout=timeout)


def bytes_of_uri(uri, folder):
    if uri.startswith("data:"):
        return base64.b64decode(uri.split(",", 1)[1])
    return (folder / unquote(uri)).read_bytes()


def read(path):
    """The JSON and the bytes of each buffer; None for one that stands for decompressed data."""
    data = Path(path).read_bytes()
    chunk = None
    if data[:4] == b"glTF":
        length = struct.unpack_from("<I", data, 12)[0]
        text = data[20:20 + length]
        if 20 + length < len(data):
            size = struct.unpack_from("<I", data, 20 + length)[0]
            chunk = data[28 + length:28 + length + size]
    else:
        text = data
    document = json.loads(text.rstrip(b"\0").decode("utf-8", "replace"))
    buffers = []
    for index, buffer in enumerate(document.get("buffers", [])):
        if "uri" in buffer:
            buffers.append(bytes_of_uri(buffer["uri"], Path(path).parent))
        else:
            buffers.append(chunk if index == 0 else None)
    return document, buffers


def view_bytes(document, buffers, view):
    """Of a buffer view of the file: compressed if it is."""
    for name in ("EXT_meshopt_compression", "KHR_meshopt_compression"):
        view = view.get("extensions", {}).get(name, view)
    first = view.get("byteOffset", 0)
    return buffers[view["buffer"]][first:first + view["byteLength"]]


def plain(document):
    """The JSON without what says where bytes lie."""
    out = json.loads(json.dumps(document))
    out.pop("buffers", None)
    out.pop("bufferViews", None)
    for image in out.get("images", []):
        for key in ("uri", "bufferView", "mimeType", "name"):
            image.pop(key, None)
    return out


def placed(view):
    """A buffer view without its place."""
    out = json.loads(json.dumps(view))
    for part in [out, *out.get("extensions", {}).values()]:
        if isinstance(part, dict):
            part.pop("buffer", None)
            part.pop("byteOffset", None)
    return out


def models():
    found = [path for folder in (SHARED, DEBIAN) if folder.exists()
             for kind in ("*.glb", "*.gltf") for path in sorted(folder.rglob(kind))]
    return [path for path in found if path.stat().st_size < 40 << 20]


def validator():
    run = subprocess.run(["node", HERE / "gltf_validate.js", "--check"], capture_output=True)
    return run.returncode == 0


def errors_of(paths):
    run = subprocess.run(["node", HERE / "gltf_validate.js", *paths], capture_output=True, text=True)
    out = {}
    for issue in json.loads(run.stdout):
        if issue["severity"] == 0:
            out.setdefault(issue["file"], set()).add((issue["code"], issue.get("pointer")))
    return out


# A quad on a node below another one, with parts that sinew does not read.
def made_file():
    positions = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0)
    indices = struct.pack("<6H", 0, 1, 2, 0, 2, 3)
    temperature = struct.pack("<4f", 1, 2, 3, 4)
    data = positions + indices + temperature
    document = {
        "asset": {"version": "2.0", "generator": "somebody", "copyright": "them", "extras": {"a": [1, 2.5]}},
        "extensionsUsed": ["KHR_lights_punctual", "EXT_unheard_of", "KHR_materials_clearcoat"],
        "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point", "intensity": 3.5}]},
                       "EXT_unheard_of": {"of": {"node": 1}}},
        "scene": 1,
        "scenes": [{"name": "empty"}, {"name": "shown", "nodes": [0, 3]}],
        "nodes": [{"name": "top", "children": [1, 2], "extras": {"tag": "x"}},
                  {"name": "quad", "mesh": 0, "translation": [0, 1, 0]},
                  {"name": "eye", "camera": 0, "extensions": {"EXT_unheard_of": {"seen": True}}},
                  {"name": "sun", "extensions": {"KHR_lights_punctual": {"light": 0}}}],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.01}, "name": "eye"}],
        "meshes": [{"name": "quad", "extras": {"by": "hand"}, "primitives": [
            {"attributes": {"POSITION": 0, "_TEMPERATURE": 2}, "indices": 1, "material": 1}]},
                   {"name": "unused", "primitives": [{"attributes": {"POSITION": 0}}]}],
        "materials": [{"name": "unused"},
                      {"name": "coat", "pbrMetallicRoughness": {"metallicFactor": 0.25, "roughnessFactor": 0.125},
                       "emissiveFactor": [0.5, 0, 0],
                       "extensions": {"KHR_materials_clearcoat": {"clearcoatFactor": 0.3}}}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 2, 0]},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"},
            {"bufferView": 2, "componentType": 5126, "count": 4, "type": "SCALAR", "name": "heat"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12},
                        {"buffer": 0, "byteOffset": 60, "byteLength": 16}],
        "buffers": [{"byteLength": len(data), "name": "all",
                     "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]}
    return document


# What VRM says of a tube of three joints: a hair chain with springs and colliders, an expression.
VRM_1 = {
    "VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": {"hips": {"node": 0}, "spine": {"node": 1}}},
                 "expressions": {"preset": {"happy": {"isBinary": False, "morphTargetBinds": []}}}},
    "VRMC_springBone": {
        "specVersion": "1.0",
        "colliders": [{"node": 0, "shape": {"sphere": {"offset": [0, 0.1, 0], "radius": 0.2}}},
                      {"node": 1, "shape": {"capsule": {"offset": [0, 0, 0], "radius": 0.1, "tail": [0, 0.3, 0]}}}],
        "colliderGroups": [{"name": "head", "colliders": [0, 1]}],
        "springs": [{"name": "hair", "colliderGroups": [0], "joints": [
            {"node": 1, "hitRadius": 0.02, "stiffness": 1.5, "gravityPower": 0.5, "gravityDir": [0, -1, 0],
             "dragForce": 0.4}, {"node": 2}]}]}}
VRM_0 = {
    "VRM": {"specVersion": "0.0", "humanoid": {"humanBones": [{"bone": "hips", "node": 0}, {"bone": "spine", "node": 1}]},
            "blendShapeMaster": {"blendShapeGroups": [{"name": "joy", "presetName": "joy", "binds": []}]},
            "secondaryAnimation": {
                "boneGroups": [{"comment": "hair", "stiffiness": 1.5, "gravityPower": 0.5, "dragForce": 0.4,
                                "gravityDir": {"x": 0, "y": -1, "z": 0}, "center": -1, "hitRadius": 0.02,
                                "bones": [1], "colliderGroups": [0]}],
                "colliderGroups": [{"node": 0, "colliders": [{"offset": {"x": 0, "y": 0.1, "z": 0}, "radius": 0.2}]}]}}}


class Keep(unittest.TestCase):
    def setUp(self):
        self.held = tempfile.TemporaryDirectory()
        self.folder = Path(self.held.name)
        self.addCleanup(self.held.cleanup)

    def write_made(self):
        path = self.folder / "made.gltf"
        path.write_text(json.dumps(made_file()))
        return path

    def check_views(self, before, after, name):
        """Every buffer view of before stands in after at the same index, with the same bytes."""
        (a, a_bytes), (b, b_bytes) = before, after
        for index, view in enumerate(a.get("bufferViews", [])):
            self.assertEqual(placed(view), placed(b["bufferViews"][index]), (name, index))
            bytes_before = view_bytes(a, a_bytes, view)
            bytes_after = view_bytes(b, b_bytes, b["bufferViews"][index])
            # A view of a faulty file may reach beyond its buffer: 0 follows.
            self.assertEqual(bytes_before, bytes_after[:len(bytes_before)], (name, index))
            self.assertFalse(any(bytes_after[len(bytes_before):]), (name, index))

    def check_same(self, path, out):
        before, after = read(path), read(out)
        self.assertEqual(plain(before[0]), plain(after[0]), path)
        self.check_views(before, after, path)
        for a, b in zip(before[0].get("images", []), after[0].get("images", [])):
            if "uri" in a and not a["uri"].startswith("data:") and "bufferView" in b:
                self.assertEqual(bytes_of_uri(a["uri"], path.parent),
                                 view_bytes(*after, after[0]["bufferViews"][b["bufferView"]]), path)

    def test_a_made_file_stays_as_it_is(self):
        path = self.write_made()
        out = self.folder / "out.glb"
        run = sinew("export", path, "-o", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("left out", run.stderr)
        self.check_same(path, out)

    def test_vrm_keeps_its_springs_and_expressions(self):
        for version, extensions in (("1", VRM_1), ("0", VRM_0)):
            writer = build()
            writer.json["extensions"] = extensions
            writer.json["extensionsUsed"] = sorted(extensions)
            path = self.folder / f"hair{version}.vrm"
            writer.save(path)
            out = self.folder / f"same{version}.glb"
            run = sinew("export", path, "-o", out)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.check_same(path, out)
            baked = self.folder / f"baked{version}.glb"
            run = sinew("bake", path, "--method", "dqs", "--helpers", "1", "--clip", "0", "--poses", "10", "-o", baked,
                        "--drivers-file", "none")
            self.assertEqual(run.returncode, 0, run.stderr)
            before, after = read(path)[0], read(baked)[0]
            self.assertEqual(after["extensions"], extensions)
            self.assertLessEqual(set(extensions), set(after["extensionsUsed"]))
            # The nodes that the extension names by number are those of before.
            self.assertEqual([node.get("name") for node in before["nodes"]],
                             [node.get("name") for node in after["nodes"][:len(before["nodes"])]])

    def test_every_model_stays_as_it_is(self):
        pairs = []
        for number, path in enumerate(models()):
            out = self.folder / f"{number}.glb"
            run = sinew("export", path, "-o", out, "--quiet")
            if run.returncode != 0:  # what is not read is not written
                self.assertNotEqual(sinew("info", path).returncode, 0, run.stderr)
                continue
            with self.subTest(model=path.name):
                self.check_same(path, out)
                pairs.append((path, out))
        if not pairs or not validator():
            return
        errors = errors_of([str(each) for pair in pairs for each in pair])
        for path, out in pairs:
            # The validator looks at no values where views do not fit; in the output they do.
            if "BUFFER_VIEW_TOO_LONG" in {code for code, _ in errors.get(str(path), set())}:
                continue
            new = {code for code, _ in errors.get(str(out), set())} - {code for code, _ in errors.get(str(path), set())}
            self.assertEqual(new, set(), path)

    def test_weights_keep_what_is_for_others(self):
        path = self.write_made()
        (self.folder / "bones.tgf").write_text("1 0 0 0\n2 0 3 0\n#\n1 2\n")
        out = self.folder / "bound.glb"
        run = sinew("weights", path, "--skeleton", self.folder / "bones.tgf", "-o", out, "--algorithm", "envelopes")
        self.assertEqual(run.returncode, 0, run.stderr)
        before, after = read(path), read(out)
        self.check_views(before, after, "bound")
        a, b = plain(before[0]), plain(after[0])
        for key in ("asset", "cameras", "materials", "extensions", "extensionsUsed", "scene"):
            self.assertEqual(a[key], b[key])
        self.assertEqual(a["accessors"], b["accessors"][:len(a["accessors"])])
        self.assertEqual(a["nodes"][0], b["nodes"][0])
        self.assertEqual(a["nodes"][2:], b["nodes"][2:4])
        self.assertEqual({**a["nodes"][1], "skin": 0}, b["nodes"][1])
        primitive = b["meshes"][0]["primitives"][0]
        self.assertEqual(primitive["attributes"]["_TEMPERATURE"], 2)
        self.assertEqual(primitive["attributes"]["POSITION"], 0)
        self.assertIn("JOINTS_0", primitive["attributes"])
        # The quad stands one higher than its vertices say.
        matrices = b["accessors"][b["skins"][0]["inverseBindMatrices"]]
        first = struct.unpack("<16f", view_bytes(*after, after[0]["bufferViews"][matrices["bufferView"]])[:64])
        self.assertEqual(first[12:15], (0.0, 1.0, 0.0))
        if validator():
            self.assertEqual({code for code, _ in errors_of([str(out)]).get(str(out), set())}, set())

    @unittest.skipUnless((SHARED / "kaykit_knight/Knight.glb").exists(), "needs the shared models")
    def test_a_bake_keeps_all_but_the_weights(self):
        path = SHARED / "kaykit_knight/Knight.glb"
        out = self.folder / "baked.glb"
        run = sinew("bake", path, "--method", "dqs", "--helpers", "2", "--clip", "0", "--poses", "20", "-o", out,
                    "--drivers-file", "none", timeout=900)
        self.assertEqual(run.returncode, 0, run.stderr)
        before, after = read(path), read(out)
        self.check_views(before, after, "baked")
        a, b = plain(before[0]), plain(after[0])
        for key in ("asset", "materials", "textures", "samplers", "images", "scenes", "scene"):
            self.assertEqual(a.get(key), b.get(key), key)
        for old, new in zip(a["nodes"], b["nodes"]):
            self.assertEqual({k: v for k, v in old.items() if k != "children"},
                             {k: v for k, v in new.items() if k != "children"})
            self.assertEqual(old.get("children", []), new.get("children", [])[:len(old.get("children", []))])
        self.assertEqual(len(b["nodes"]), len(a["nodes"]) + 2)
        self.assertEqual(len(b["animations"]), 1)
        for old, new in zip(a["skins"], b["skins"]):
            self.assertEqual(old["joints"], new["joints"][:len(old["joints"])])
        for old, new in zip(a["meshes"], b["meshes"]):
            for p, q in zip(old["primitives"], new["primitives"]):
                kept = [n for n in p["attributes"] if not n.startswith(("JOINTS", "WEIGHTS"))]
                self.assertEqual({n: p["attributes"][n] for n in kept}, {n: q["attributes"][n] for n in kept})
                self.assertEqual(p["indices"], q["indices"])
        if validator():
            self.assertEqual(errors_of([str(out)]), {})

    @unittest.skipUnless((SHARED / "fox/Fox.glb").exists(), "needs the shared models")
    def test_a_further_clip_is_appended(self):
        path = SHARED / "fox/Fox.glb"
        out = self.folder / "more.glb"
        run = sinew("export", path, "--add-motion", path, "-o", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        before, after = read(path), read(out)
        self.check_views(before, after, "more")
        count = len(before[0]["animations"])
        self.assertEqual(before[0]["animations"], after[0]["animations"][:count])
        self.assertEqual(len(after[0]["animations"]), 2 * count)
        for key in ("nodes", "meshes", "materials", "skins"):
            self.assertEqual(before[0][key], after[0][key])

    @unittest.skipUnless((SHARED / "kaykit_knight/Knight.glb").exists(), "needs the shared models")
    def test_a_corrective_shape_keeps_all_but_its_mesh(self):
        path = self.folder / "knight.glb"
        path.write_bytes((SHARED / "kaykit_knight/Knight.glb").read_bytes())
        pose = self.folder / "pose.json"
        pose.write_text(json.dumps({"sinew": "pose", "nodes": {"lowerarm.l": {"rotation": [0.7, 0, 0, 0.714]}}}))
        shape, drivers, out = self.folder / "shape.ply", self.folder / "knight.glb.drivers.json", self.folder / "out.glb"
        for words in (("export", path, "--pose", pose, "--method", "dqs", "-o", shape),
                      ("corrective", "add", path, "--pose", pose, "--shape", shape, "--name", "bent", "-o", drivers),
                      ("export", path, "-o", out)):
            run = sinew(*words, "--quiet")
            self.assertEqual(run.returncode, 0, run.stderr)
        before, after = read(path), read(out)
        self.check_views(before, after, "corrective")
        a, b = plain(before[0]), plain(after[0])
        for key in ("asset", "materials", "textures", "samplers", "images", "nodes", "scenes", "scene"):
            self.assertEqual(a.get(key), b.get(key), key)
        shaped = 0
        for old, new in zip(a["meshes"], b["meshes"]):
            for p, q in zip(old["primitives"], new["primitives"]):
                self.assertEqual(p["attributes"], q["attributes"])
                self.assertEqual(p["indices"], q["indices"])
                shaped += "targets" in q and "targets" not in p
        self.assertGreater(shaped, 0)
        if validator():
            self.assertEqual(errors_of([str(out)]), {})


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main()
