#!/usr/bin/env python3
"""The npm package sinew-skinning, which scripts/web_package builds, in three.js, Babylon.js and PlayCanvas in a headless Chromium.

Usage: web_package_test.py SINEW. Skipped where the package, chromium, or the engine's npm packages and esbuild (NODE_PATH)
are missing. The package is installed from its tarball. Its vertices, read back by transform feedback from the engine's
own draw, are compared with sinew's CPU references.
"""
import base64
import functools
import gzip
import http.server
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import gltf_cases
from browser import Browser
from normal_map_test import map_pixel, png

SINEW = ""
ROOT = Path(__file__).resolve().parents[2]
PACKAGE = next(iter(sorted(ROOT.glob("build/web_package/sinew-skinning-*.tgz"))), None)
FOX = ROOT.parent / "shared/models/fox/Fox.glb"
CESIUM_MAN = ROOT.parent / "shared/models/cesium_man/CesiumMan.glb"
METHODS = ["rigid", "lbs", "dqs", "bones-blending", "arc-spline", "bezier-spline", "cor", "stbs", "ddm", "per-joint"]


def installed(name):
    folders = [Path(folder) for folder in os.environ.get("NODE_PATH", "").split(":") if folder]
    return next((folder / name for folder in folders if (folder / name).is_dir()), None)


def sinew(*words):
    run = subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True, timeout=600)
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    return run.stdout


def skip_without(*packages):
    ready = PACKAGE and all(map(installed, ("esbuild", *packages))) and shutil.which("chromium") and shutil.which("npm")
    return unittest.skipUnless(ready, "needs build/web_package (scripts/web_package), chromium, npm, and in NODE_PATH the "
                                      f"npm packages esbuild, {', '.join(packages)}")


def install_package(folder):
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    subprocess.run(["npm", "install", "--offline", "--no-audit", "--no-fund", "--legacy-peer-deps", PACKAGE], cwd=folder,
                   check=True, capture_output=True, timeout=240)


def link_packages(folder, names):
    """names: under which name a page finds a package, and under which it is installed."""
    for name, package in names.items():
        (folder / "node_modules" / name).parent.mkdir(exist_ok=True)
        (folder / "node_modules" / name).symlink_to(installed(package))


def change_glb(glb, change):
    """change: of the JSON and of the binary part, both in place."""
    length = struct.unpack_from("<I", glb, 12)[0]
    gltf, rest = json.loads(glb[20:20 + length]), bytearray(glb[20 + length:])
    change(gltf, memoryview(rest)[8:])
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    return struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + bytes(rest)


def skinned_nodes(gltf):
    return [node for node in gltf["nodes"] if "skin" in node]


def state_skinning(model, skinning):
    """The .glb with a method and its options in the extras of the nodes that show its meshes."""
    def change(gltf, _):
        for node in skinned_nodes(gltf):
            node["extras"] = {"sinew": {"skinning": skinning}}
    return change_glb(model.read_bytes(), change)


def bound_primitives(gltf):
    return [primitive for mesh in gltf["meshes"] for primitive in mesh["primitives"] if "_SINEW_JOINTS_0" in primitive["attributes"]]


def renumber_joints(gltf, binary):
    """As if the file's joints were in another order than the engine's."""
    for primitive in bound_primitives(gltf):
        accessor = gltf["accessors"][primitive["attributes"]["_SINEW_JOINTS_0"]]
        view = gltf["bufferViews"][accessor["bufferView"]]
        first = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        assert accessor["componentType"] == 5121 and view.get("byteStride", 4) == 4
        for at in range(first, first + 4 * accessor["count"]):
            binary[at] = (binary[at] + 7) % len(gltf["skins"][0]["joints"])


def drop_attribute(gltf, _):
    for primitive in bound_primitives(gltf):
        del primitive["attributes"]["_SINEW_MOMENT_C_0"]


def name_nodes(gltf, _):
    for i, node in enumerate(gltf["nodes"]):
        node.setdefault("name", f"node {i}")


def state_other_version(gltf, _):
    for node in skinned_nodes(gltf):
        node["extras"]["sinew"]["skinning"]["version"] = 2


def swap_attributes(gltf, _):
    for node in skinned_nodes(gltf):
        names = node["extras"]["sinew"]["skinning"]["attributes"]
        node["extras"]["sinew"]["skinning"]["attributes"] = dict(reversed(names.items()))


WRONG_DATA = {"joints": renumber_joints, "missing": drop_attribute, "version": state_other_version, "order": swap_attributes}


def add_normal_map(gltf, writer):
    """Morph targets that a clip moves, tangents and a normal map."""
    gltf_cases.morphs()(gltf, writer)
    for animation in gltf["animations"]:
        for channel in animation["channels"]:
            if channel["target"]["path"] == "weights":
                channel["target"]["node"] = len(gltf["nodes"]) - 1
    primitive = gltf["meshes"][0]["primitives"][0]
    corners = [math.pi / 4 + v % 4 * math.pi / 2 for v in range(4 * gltf_cases.RINGS)]
    primitive["attributes"]["TANGENT"] = writer.add([[-math.sin(a), 0.0, math.cos(a), 1.0] for a in corners])
    gltf["images"] = [{"bufferView": writer.view(png(64, 64, map_pixel)), "mimeType": "image/png"}]
    gltf["textures"] = [{"source": 0}]
    gltf["materials"] = [{"normalTexture": {"index": 0}, "pbrMetallicRoughness": {"metallicFactor": 0.0}, "doubleSided": True}]
    primitive["material"] = 0


@unittest.skipUnless(PACKAGE and shutil.which("node"), "needs build/web_package (scripts/web_package) and node")
class Faults(unittest.TestCase):
    def test_faults_are_one_line(self):
        run = subprocess.run(["node", Path(__file__).with_name("web_package_faults.mjs"), PACKAGE.parent / "package"],
                             capture_output=True, text=True, timeout=120, check=True)
        said = dict(json.loads(run.stdout))
        self.assertEqual((said.pop("good"), said.pop("zones"), said.pop("switched")), ("", "", ""))
        self.assertEqual([said.pop(f"prepare {method}") for method in METHODS], [""] * len(METHODS))
        self.assertEqual(said["joint"], "sinew: zones: the model has no joint 'c'")
        self.assertIn("'paramters'; one of influences,", said["optionName"])
        self.assertEqual(said["parameterValue"],
                         "sinew: attachments: a whole number from 1 to 3 is expected, not '9'")
        for name, text in said.items():
            with self.subTest(name):
                self.assertRegex(text, r"\Asinew: .{10,}\Z")
                self.assertNotIn("[object", text)


@unittest.skipUnless(PACKAGE and installed("esbuild") and shutil.which("npm"), "needs build/web_package, npm, and esbuild in NODE_PATH")
class Sizes(unittest.TestCase):
    def test_what_a_page_fetches(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            install_package(folder)
            for entry, most in (("sinew-skinning", 300_000), ("sinew-skinning/babylon", 300_000),
                                ("sinew-skinning/few", 200_000), ("sinew-skinning/few/babylon", 200_000)):
                with self.subTest(entry=entry):
                    (folder / "page.js").write_text(f'import {{Sinew}} from "{entry}"; window.sinew = Sinew.load();')
                    out = subprocess.run([installed("esbuild") / "bin/esbuild", "page.js", "--bundle", "--minify", "--format=esm",
                                          "--external:three", "--external:@babylonjs/*"], cwd=folder, check=True, capture_output=True)
                    self.assertLess(len(gzip.compress(out.stdout)), most)


class Page:
    """The package in an engine: `engine` are its packages of npm, `page` the script that runs there."""

    @classmethod
    def setUpClass(cls):
        cls.dir = Path(tempfile.mkdtemp())
        install_package(cls.dir)
        link_packages(cls.dir, cls.engine)
        shutil.copy(Path(__file__).with_name(cls.page), cls.dir / "page.js")
        shutil.copy(Path(__file__).with_name("web_package_page.js"), cls.dir)
        subprocess.run([installed("esbuild") / "bin/esbuild", "page.js", "--bundle", "--format=iife", "--ignore-annotations",
                        "--log-level=error", "--outfile=bundle.js"], cwd=cls.dir, check=True, timeout=240)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.dir)

    def answer(self, function, model, vectors, **more):
        job = {"glb": base64.b64encode(model.read_bytes()).decode(), "vectors": vectors, **more}
        (self.dir / "job.js").write_text("window.job = " + json.dumps(job))
        (self.dir / "page.html").write_text('<!DOCTYPE html><meta charset="utf-8"><body><script src="job.js"></script>'
                                            '<script src="bundle.js"></script>')
        browser = Browser()
        try:
            value, messages = browser.show((self.dir / "page.html").as_uri(), 400, 400, f"""
window.{function}(window.job).catch(error => ({{error: `${{error}} ${{error.innerError?.stack ?? error.stack}}`}}))""")
        finally:
            browser.close()
        self.assertTrue(value, messages)
        self.assertNotIn("error", value, messages)
        return value

    def vectors(self, model, *words):
        file = self.dir / "vectors.json"
        sinew("reference", model, "-o", file, *words)
        return json.loads(file.read_text())

    def humanoid(self):
        model = self.dir / "humanoid.glb"
        sinew("export", "demo:humanoid", "-o", model)
        return model


class Package(Page):
    """What the package does in an engine."""

    def test_vertices_are_those_of_the_references(self):
        model = self.humanoid()
        vectors = self.vectors(model, "--method", "all", "--poses", "2", "--clip", "bind", "--clip", "0", "--clip", "1")
        found = self.answer("compareVertices", model, vectors)
        self.assertEqual(list(found), METHODS)
        for method, result in found.items():
            with self.subTest(method=method):
                self.assertLess(max(result["vertices"]), 1e-5, result)
                self.assertLess(max(result["cpu"]), 1e-5)

    def test_vertices_of_the_smaller_program(self):
        model = self.tube()
        vectors = self.vectors(model, "--method", "dqs,bones-blending,cor", "--poses", "2")
        found = self.answer("compareVertices", model, vectors, few=True)
        self.assertEqual(list(found), ["dqs", "bones-blending", "cor"])
        for method, result in found.items():
            with self.subTest(method=method):
                self.assertLess(max(result["vertices"]), 1e-5, result)

    @unittest.skipUnless(FOX.is_file(), "needs ../shared/models")
    def test_vertices_of_a_model_of_others(self):
        # Vertices with equal weights show whether both choose the same joints. The engines have vertices apart that sinew
        # welds: zones and bones do not depend on it.
        vectors = self.vectors(FOX, "--method", "all", "--poses", "2")
        for method, result in self.answer("compareVertices", FOX, vectors).items():
            with self.subTest(method=method):
                self.assertLess(max(result["vertices"]), 1e-5, result)
                self.assertLess(max(result["cpu"]), 1e-5)

    def test_method_of_a_file_that_sinew_wrote(self):
        zones = self.dir / "zones.json"
        zones.write_text(json.dumps({"sinew": "zones", "joints": {"LeftLowerArm": {"min": -0.05, "max": 0.06, "curve": "smooth"}}}))
        for source, *words in [(self.humanoid(), "--zones", zones)] + [(FOX,)] * FOX.is_file():
            with self.subTest(model=source.name):
                model = self.dir / "stated.glb"
                sinew("export", source, "--method", "arc-spline", "--influences", "4", *words, "-o", model)
                vectors = self.vectors(source, "--method", "arc-spline", "--influences", "4", "--poses", "2", *words)
                result = self.answer("compareVertices", model, vectors, unnamed=True)["arc-spline"]
                self.assertEqual(result["method"], "arc-spline")
                self.assertLess(max(result["vertices"]), 1e-5, result)

    def bound(self, source, method):
        """The model with the method's data of its vertices, and what has to come out."""
        model = self.dir / "bound.glb"
        sinew("export", source, "--method", method, "-o", model)
        return model, self.vectors(source, "--method", method, "--poses", "2")

    def test_vertices_that_the_file_has_bound(self):
        sources = [self.humanoid()]
        if CESIUM_MAN.is_file():  # its meshes are not in the bind pose's space
            sources.append(self.dir / "named.glb")
            sources[1].write_bytes(change_glb(CESIUM_MAN.read_bytes(), name_nodes))
        for source in sources:
            for method in ("cor", "ddm"):
                with self.subTest(model=source.name, method=method):
                    result = self.answer("compareVertices", *self.bound(source, method), unnamed=True)[method]
                    self.assertTrue(result["stored"])
                    self.assertLess(max(result["vertices"]), 1e-5, result)
                    self.assertLess(max(result["cpu"]), 1e-5)

    def test_bound_vertices_that_do_not_match(self):
        for name, change in WRONG_DATA.items():
            with self.subTest(name):
                model, vectors = self.bound(self.humanoid(), "ddm")
                model.write_bytes(change_glb(model.read_bytes(), change))
                result = self.answer("compareVertices", model, vectors, unnamed=True)["ddm"]
                self.assertFalse(result["stored"])
                self.assertLess(max(result["vertices"]), 1e-5, result)

    def tube(self, **options):
        model = self.dir / "tube.glb"
        gltf_cases.changed(add_normal_map, **options).save(model)
        return model

    def test_morph_targets_and_six_joints_a_vertex(self):
        model = self.tube(joints=[0.3 * joint for joint in range(6)])
        vectors = self.vectors(model, "--method", "all", "--poses", "2")
        self.assertGreater(max(max(pose["morph_weights"]) for pose in vectors["poses"]), 0.5)
        self.assertEqual(max(map(len, vectors["influences"])), 12)
        for method, result in self.answer("compareVertices", model, vectors).items():
            with self.subTest(method=method):
                self.assertLess(max(result["vertices"]), 1e-5, result)
                self.assertLess(max(result["cpu"]), 1e-5)

    def test_normal_map(self):
        model = self.tube(grow=[[1, 1, 1]] * 3)  # engines turn normals as if scales were uniform
        vectors = self.vectors(model, "--method", "lbs", "--poses", "1", "--clip", "move")
        found = self.answer("compareLinear", model, vectors, pose=0)
        self.assertLess(found["differs"], 0.001)
        self.assertGreater(found["mapped"], 0.02)

    def test_pictures_shadows_and_rays(self):
        model = self.humanoid()
        vectors = self.vectors(model, "--method", "dqs,arc-spline", "--poses", "1", "--clip", "0", "--clip", "1")
        for method, point in (("dqs", False), ("arc-spline", False), ("arc-spline", True)):
            with self.subTest(method=method, point=point):
                found = self.answer("comparePictures", model, vectors, method=method, pose=1, point=point)
                self.assertLess(found["differs"], 0.012)  # shadow and all, from rigid meshes of the posed vertices
                self.assertGreater(found["changed"], 0)
                self.assertGreater(found["shadow"], 0.01)
                self.assertEqual(found["restored"], 0)  # after dispose()
                self.assertLess(found["bounds"], 1e-5)
                self.assertGreater(found["met"], 5)
                self.assertLess(found["rays"], 1e-5)

    def test_crowd(self):
        model = self.humanoid()
        vectors = self.vectors(model, "--method", "lbs,dqs,arc-spline,ddm", "--poses", "2", "--clip", "0", "--clip", "1")
        for method, result in self.answer("compareCrowd", model, vectors).items():
            with self.subTest(method=method):
                self.assertEqual(result["draws"], result["meshes"], result)
                self.assertLess(max(result["vertices"]), 1e-5, result)

    def test_shadow_of_a_crowd(self):
        model = self.humanoid()
        vectors = self.vectors(model, "--method", "arc-spline", "--poses", "1", "--clip", "1")
        found = self.answer("compareCrowdPicture", model, vectors, method="arc-spline", pose=0)
        self.assertLess(found["differs"], 0.001)
        self.assertGreater(found["shadow"], 0.01)
        self.assertGreater(found["shown"], 0.05)


class Copied:
    """Copies and mirror images of a character, in engines whose handles read the world's matrices."""

    def test_mirror_image(self):
        model = self.humanoid()
        vectors = self.vectors(model, "--method", "lbs,dqs,arc-spline,ddm", "--poses", "1", "--clip", "0", "--clip", "1")
        for method, result in self.answer("compareMirrored", model, vectors).items():
            with self.subTest(method=method):
                self.assertLess(max(result["vertices"] + result["cpu"]), 1e-5, result)
                self.assertLess(max(result["normals"]), 1e-3, result)

    def test_copy_of_a_character_with_a_method(self):
        model = self.humanoid()
        found = self.answer("compareClone", model, self.vectors(model, "--method", "dqs", "--poses", "1", "--clip", "1"))
        self.assertGreater(found["changed"], 0)
        self.assertEqual([found[when] for when in ("without", "own", "after")], [0, 0, 0])


@skip_without("three")
class Three(Package, Copied, unittest.TestCase):
    engine, page = {"three": "three"}, "web_package_three.js"

    def test_faults_leave_the_meshes(self):
        found = self.answer("tryFaults", self.humanoid(), {})
        self.assertTrue(found["kept"] and found["restored"], found)
        self.assertEqual(found["copied"], [True, True])
        self.assertEqual(found["repeated"], 0)
        self.assertRegex(found["refused"], "sinew: the material 'own' does not include")
        self.assertRegex(found["notObject"], "sinew: an Object3D is expected")
        self.assertEqual(found["visible"], [False] + 5 * [True])

    def test_method_that_the_file_states(self):
        model = self.humanoid()
        vectors = self.vectors(model, "--method", "lbs", "--poses", "1", "--clip", "1")
        size = vectors["size"]
        options = {"parameters": {"parameter-source": "zone"}, "influences": 4,
                   "zones": {vectors["joints"][j]["name"]: {"min": -0.02 * size, "max": 0.03 * size}
                             for j in range(1, 12)}}
        stated = base64.b64encode(state_skinning(model, {"method": "arc-spline", **options})).decode()
        found = self.answer("compareStored", model, vectors, stated=stated, method="arc-spline", options=options)
        self.assertEqual(found["method"], "arc-spline")
        self.assertEqual(found["apart"], 0)
        self.assertGreater(found["moved"], 1e-3 * size)
        self.assertEqual(found["other"], 0)
        self.assertIn("no method is given", found["refused"])

    def test_mirror_image_and_rigid_mesh_of_a_crowd(self):
        model = self.humanoid()
        vectors = self.vectors(model, "--method", "arc-spline", "--poses", "1", "--clip", "1")
        for case in ({"mirror": -1}, {"rigid": True}):
            with self.subTest(**case):
                found = self.answer("compareCrowdPicture", model, vectors, method="arc-spline", pose=0, **case)
                self.assertLess(found["differs"], 0.001)
                self.assertGreater(found["shown"], 0.05)

    def test_joints_are_read_once_a_frame(self):
        model = self.humanoid()
        found = self.answer("countReads", model, self.vectors(model, "--method", "lbs", "--poses", "1"), method="arc-spline")
        self.assertEqual(found["used"], found["skeletons"], found)
        self.assertEqual((found["disposed"], found["own"]), (0, False))


# Other versions, as of `npm install three-160@npm:three@0.160.1`.
for folder in filter(None, os.environ.get("NODE_PATH", "").split(":")):
    for other in sorted(path.name for path in Path(folder).glob("three-[0-9]*")):
        globals()[f"Three{other[6:]}"] = skip_without(other)(
            type(f"Three{other[6:]}", (Three,), {"engine": {"three": other}, "__module__": __name__}))


@skip_without("@babylonjs/core", "@babylonjs/loaders")
class Babylon(Package, unittest.TestCase):
    engine, page = {name: name for name in ("@babylonjs/core", "@babylonjs/loaders")}, "web_package_babylon.js"


@skip_without("playcanvas")
class PlayCanvas(Page, Copied, unittest.TestCase):
    engine, page = {"playcanvas": "playcanvas"}, "web_package_playcanvas.js"

    test_vertices_are_those_of_the_references = Package.test_vertices_are_those_of_the_references
    test_vertices_of_the_smaller_program = Package.test_vertices_of_the_smaller_program
    test_vertices_of_a_model_of_others = Package.test_vertices_of_a_model_of_others
    test_method_of_a_file_that_sinew_wrote = Package.test_method_of_a_file_that_sinew_wrote
    test_vertices_that_the_file_has_bound = Package.test_vertices_that_the_file_has_bound
    test_bound_vertices_that_do_not_match = Package.test_bound_vertices_that_do_not_match
    test_morph_targets_and_six_joints_a_vertex = Package.test_morph_targets_and_six_joints_a_vertex
    test_crowd, test_shadow_of_a_crowd = Package.test_crowd, Package.test_shadow_of_a_crowd
    tube, bound = Package.tube, Package.bound

    @unittest.skipUnless(installed("@gltf-transform/cli") and installed("three"), "needs npm's @gltf-transform/cli and three")
    def test_six_joints_a_vertex_by_draco(self):
        plain, model = self.dir / "plain.glb", self.dir / "draco.glb"
        gltf_cases.build(joints=[0.3 * joint for joint in range(6)]).save(plain)
        tool = installed("@gltf-transform/cli").parents[1] / ".bin/gltf-transform"
        subprocess.run([tool, "draco", plain, model], check=True, capture_output=True, timeout=120)
        decoder = installed("three") / "examples/jsm/libs/draco"
        draco = [base64.b64encode((decoder / name).read_bytes()).decode() for name in ("draco_wasm_wrapper.js", "draco_decoder.wasm")]
        vectors = self.vectors(model, "--method", "all", "--poses", "2")
        self.assertEqual(max(map(len, vectors["influences"])), 12)
        for method, result in self.answer("compareVertices", model, vectors, draco=draco).items():
            with self.subTest(method=method):
                self.assertLess(max(result["vertices"]), 1e-5, result)
                self.assertLess(max(result["cpu"]), 1e-5)

    def test_entity_that_was_disabled(self):
        model = self.humanoid()
        found = self.answer("compareEnabled", model, self.vectors(model, "--method", "arc-spline", "--poses", "2", "--clip", "1"))
        self.assertLess(max(found["apart"]), 1e-5)
        self.assertFalse(found["own"])

    def test_pictures_and_shadows(self):
        model = self.humanoid()
        vectors = self.vectors(model, "--method", "arc-spline", "--poses", "1", "--clip", "0", "--clip", "1")
        found = self.answer("comparePictures", model, vectors, method="arc-spline", pose=1)
        self.assertLess(found["differs"], 0.012)  # shadow and all, from rigid meshes of the posed vertices
        self.assertGreater(found["changed"], 0)
        self.assertGreater(found["shadow"], 0.01)
        self.assertEqual(found["restored"], 0)  # after dispose()


# Waits for a picture of which a part differs from its corner.
DREW = """
new Promise(done => {
  const end = setTimeout(() => done("nothing is drawn"), 200000), types = WebGL2RenderingContext.prototype;
  const look = canvas => {
    const small = new OffscreenCanvas(64, 64).getContext("2d");
    small.drawImage(canvas, 0, 0, 64, 64);
    const {data} = small.getImageData(0, 0, 64, 64);
    let other = 0;
    for (let i = 0; i < data.length; i += 4)
      if ([0, 1, 2].some(c => Math.abs(data[i + c] - data[c]) > 16)) ++other;
    if (other < 40) return;
    clearTimeout(end);
    done(other);
  };
  for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]) {
    const draw = types[name];
    types[name] = function(...words) {
      queueMicrotask(() => look(this.canvas));
      draw.apply(this, words);
    };
  }
})"""

# Before a page's own script: keeps where its vertices are, by their place in the bind pose, at the first draw of each mesh.
CAPTURE = """<script>
const types = WebGL2RenderingContext.prototype, {linkProgram, drawElements} = types, taken = new Set();
window.captured = [];
types.linkProgram = function(program) {
  this.transformFeedbackVaryings(program, ["worldPosition"], this.SEPARATE_ATTRIBS);
  linkProgram.call(this, program);
};
types.drawElements = function(...words) {
  const array = this.getParameter(this.VERTEX_ARRAY_BINDING);
  if (!taken.has(array)) {
    taken.add(array);
    this.bindBuffer(this.ARRAY_BUFFER, this.getVertexAttrib(0, this.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING));
    const bind = new Float32Array(this.getBufferParameter(this.ARRAY_BUFFER, this.BUFFER_SIZE) / 4), posed = bind.slice();
    this.getBufferSubData(this.ARRAY_BUFFER, 0, bind);
    const buffer = this.createBuffer();
    this.bindBufferBase(this.TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    this.bufferData(this.TRANSFORM_FEEDBACK_BUFFER, 4 * bind.length, this.STATIC_READ);
    this.beginTransformFeedback(this.POINTS);
    this.drawArrays(this.POINTS, 0, bind.length / 3);
    this.endTransformFeedback();
    this.bindBufferBase(this.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    this.bindBuffer(this.ARRAY_BUFFER, buffer);
    this.getBufferSubData(this.ARRAY_BUFFER, 0, posed);
    window.captured.push([[...bind], [...posed]]);
  }
  drawElements.apply(this, words);
};
</script>
"""


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@skip_without("three", "@babylonjs/core", "@babylonjs/loaders", "playcanvas")
class Pages(unittest.TestCase):
    """The example pages as they are, from a web server."""

    def setUp(self):
        self.dir = Path(tempfile.mkdtemp())
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(QuietHandler, directory=self.dir))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        sinew("export", "demo:humanoid", "-o", self.dir / "character.glb")
        (self.dir / "favicon.ico").touch()

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()
        shutil.rmtree(self.dir)

    def open(self, page, script):
        browser = Browser()
        try:
            value, messages = browser.show(f"http://127.0.0.1:{self.server.server_port}/{page}", 400, 300, script)
        finally:
            browser.close()
        self.assertEqual([message for message in messages if "Babylon.js v" not in message], [])
        return value

    def test_pages_of_the_package_draw(self):
        install_package(self.dir)
        link_packages(self.dir, {name: name for name in ("three", "@babylonjs/core", "@babylonjs/loaders", "playcanvas")})
        for page in sorted((self.dir / "node_modules/sinew-skinning/examples").glob("*.html")):
            with self.subTest(page=page.name):
                shutil.copy(page, self.dir)
                self.assertGreater(int(self.open(page.name, DREW)), 40)

    def test_page_without_a_library(self):
        page = (ROOT / "examples/webgl2.html").read_text()
        capturing = page.replace('<script type="module">', CAPTURE + '<script type="module">')
        for method in ("arc-spline", "cor"):
            self.write_files(method)
            (self.dir / "page.html").write_text(page)
            self.assertGreater(int(self.open("page.html", DREW)), 40)
            (self.dir / "page.html").write_text(capturing)
            for pose in json.loads((self.dir / "wanted.json").read_text())["poses"]:
                with self.subTest(method=method, seconds=pose["seconds"]):
                    self.compare_page(method, pose)

    def write_files(self, method):
        model = self.dir / "character.glb"
        sinew("export", "demo:humanoid", "--method", method, "-o", model)
        sinew("shader", method, "--model", model, "--target", "es300", "--crowd", "-o", self.dir / "character.vert")
        # Forty frames, so that the references' two moments, a quarter and three quarters into the clip, are frames.
        sinew("palette", model, "--method", method, "--clip", "1", "--fps", 40 / 1.1, "-o", self.dir / "palette.bin")
        sinew("reference", model, "--method", method, "--clip", "1", "--poses", "2", "-o", self.dir / "wanted.json")

    def compare_page(self, method, pose):
        wanted = json.loads((self.dir / "wanted.json").read_text())
        clip = json.loads((self.dir / "palette.json").read_text())["clips"][0]
        frame = pose["seconds"] / clip["seconds"] * clip["frames"]
        self.assertAlmostEqual(frame, round(frame), 4)
        meshes = self.open(f"page.html#{round(frame)}", """
(async () => { while (!window.captured.length) await new Promise(requestAnimationFrame); return window.captured; })()""")
        single = lambda values: struct.pack(f"<{len(values)}f", *values)
        at = {single(wanted["positions"][v:v + 3]): v for v in range(0, len(wanted["positions"]), 3)}
        most = moved = 0
        for bind, posed in meshes:
            for v in range(0, len(bind), 3):
                place = pose["methods"][method]["positions"][at[single(bind[v:v + 3])]:][:3]
                most = max(most, math.dist(posed[v:v + 3], place))
                moved = max(moved, math.dist(posed[v:v + 3], bind[v:v + 3]))
        self.assertLess(most, 1e-5 * wanted["size"])
        self.assertGreater(moved, 0.01 * wanted["size"])


if __name__ == "__main__":
    SINEW = sys.argv.pop(1)
    unittest.main()
