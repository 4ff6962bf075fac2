#!/usr/bin/env python3
"""libsinew.so and the Python package: skinning against numpy and against the command line, errors,
leaks, what the library exports, an example in C, also under valgrind, and the wheel.

Usage: python_test.py SINEW LIBSINEW [NAME...]. Needs numpy, a C compiler and nm; valgrind, and patchelf
and pip for the wheel.
"""
import gc
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "models"
SINEW = LIBRARY = ""
np = sinew = None


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise AssertionError(f"{words}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


# For valgrind: models are read in the same process, whose memory the reader does not limit. libhwy times
# RDTSCP as it is loaded; valgrind knows no such instruction where the processor does not announce it.
IN_VALGRIND = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sinew.h>
sinew_model* sinew_read(const char* path, const sinew_read_options* options) {
  sinew_model* (*next)(const char*, const sinew_read_options*) =
      (sinew_model * (*)(const char*, const sinew_read_options*)) dlsym(RTLD_NEXT, "sinew_read");
  sinew_read_options here = {0};
  if (options) here = *options;
  here.in_process = 1;
  return next(path, &here);
}
double _ZN3hwy8platform15TimerResolutionEv(void) { return 1e-9; }
"""


def declarations():
    """sinew.h without comments and spaces."""
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "src/c/sinew.h").read_text(), flags=re.S)
    return re.sub(r"\s+", " ", text)


def obj_positions(path):
    lines = [line.split() for line in Path(path).read_text().splitlines() if line.startswith("v ")]
    return np.array([line[1:4] for line in lines], "f8")


def rotation_quaternion(m):
    """Unit quaternion (w x y z) of a rotation matrix, by the largest diagonal (Shepperd)."""
    k = np.argmax([m.trace(), *m.diagonal()])
    if k == 0:
        q = [1 + m.trace(), m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]
    else:
        i, j, l = (k - 1) % 3, k % 3, (k + 1) % 3
        q = [m[l, j] - m[j, l], 0, 0, 0]
        q[1 + i] = 1 + m[i, i] - m[j, j] - m[l, l]
        q[1 + j], q[1 + l] = m[j, i] + m[i, j], m[l, i] + m[i, l]
    return np.array(q) / np.linalg.norm(q)


def times(a, b):
    """The product of quaternions (w x y z), last axis."""
    w = a[..., 0] * b[..., 0] - (a[..., 1:] * b[..., 1:]).sum(-1)
    v = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return np.concatenate([w[..., None], v], -1)


def skin_by_dual_quaternions(positions, joints, weights, matrices):
    """Kavan et al. 2008, algorithm 1, of rigid matrices."""
    real = np.array([rotation_quaternion(m[:3, :3]) for m in matrices])
    shift = np.concatenate([np.zeros((len(matrices), 1)), matrices[:, :3, 3]], 1)
    dual = 0.5 * times(shift, real)
    q, d = real[joints], dual[joints]
    sign = np.where((q * q[:, :1]).sum(-1, keepdims=True) < 0, -1, 1)  # beside the heaviest
    q = (q * sign * weights[..., None]).sum(1)
    d = (d * sign * weights[..., None]).sum(1)
    length = np.linalg.norm(q, axis=1, keepdims=True)
    q, d = q / length, d / length
    conjugate = q * [1, -1, -1, -1]
    moved = 2 * times(d, conjugate)[:, 1:]
    point = np.concatenate([np.zeros((len(positions), 1)), positions], 1)
    return times(times(q, point), conjugate)[:, 1:] + moved


def body(vertices=200, joints=5, seed=1):
    """SMPL-like arrays: a chain of joints along y, smooth dense weights, posed by rotations."""
    rng = np.random.default_rng(seed)
    positions = rng.uniform([-0.2, 0, -0.2], [0.2, joints, 0.2], (vertices, 3)).astype("f4")
    triangles = rng.permutation(vertices)[:vertices // 3 * 3].reshape(-1, 3)
    parents = np.arange(joints) - 1
    inverse = np.tile(np.eye(4, dtype="f4"), (joints, 1, 1))
    inverse[:, 1, 3] = -np.arange(joints)
    weights = np.exp(-(positions[:, 1:2] - np.arange(joints)) ** 2).astype("f4")
    weights[weights < 0.1] = 0
    weights /= weights.sum(1, keepdims=True)
    return dict(positions=positions, triangles=triangles, parents=parents, inverse_bind=inverse,
                weights=weights)


def bent(joints, angle):
    """Model space from joint space of that chain, every joint bent by so many radians about x."""
    c, s = np.cos(angle), np.sin(angle)
    out, above = [], np.eye(4)
    for j in range(joints):
        local = np.array([[1, 0, 0, 0], [0, c, -s, float(j > 0)], [0, s, c, 0], [0, 0, 0, 1]])
        above = above @ local
        out.append(above)
    return np.array(out, "f4")


class ArraysTest(unittest.TestCase):
    def setUp(self):
        self.arrays = body()
        self.model = sinew.Model(**self.arrays)
        self.pose = bent(5, 0.4)

    def skinning_matrices(self):
        return self.pose @ self.arrays["inverse_bind"]

    def test_arrays_come_back(self):
        self.assertTrue(np.array_equal(self.model.positions, self.arrays["positions"]))
        self.assertTrue(np.array_equal(self.model.triangles, self.arrays["triangles"]))
        self.assertTrue(np.array_equal(self.model.parents, self.arrays["parents"]))
        self.assertTrue(np.array_equal(self.model.inverse_bind, self.arrays["inverse_bind"]))
        self.assertLess(abs(self.model.dense_weights - self.arrays["weights"]).max(), 1e-6)
        self.assertEqual(self.model.joint_names, [f"joint{j}" for j in range(5)])
        self.assertLess(abs(self.model.pose("bind") @ self.model.inverse_bind - np.eye(4)).max(), 1e-6)

    def test_linear_blending_is_a_line_of_numpy(self):
        p = np.concatenate([self.arrays["positions"], np.ones((200, 1), "f4")], 1)
        expected = np.einsum("vj,jab,vb->va", self.arrays["weights"], self.skinning_matrices(), p)[:, :3]
        self.assertLess(abs(self.model.skin("lbs", self.pose) - expected).max(), 2e-4)  # 16-bit weights

    def test_dual_quaternions_are_those_of_the_paper(self):
        expected = skin_by_dual_quaternions(self.arrays["positions"], self.model.joints,
                                            self.model.weights, self.skinning_matrices())
        self.assertLess(abs(self.model.skin("dqs", self.pose) - expected).max(), 3e-4)

    def test_every_method_skins_as_its_reference_does(self):
        for method in sinew.methods():
            with self.subTest(method):
                fast = self.model.skin(method, self.pose)
                self.assertLess(abs(fast - self.model.bind(method).reference(self.pose)).max(), 1e-4)
                self.assertGreater(abs(fast - self.arrays["positions"]).max(), 0.1)

    def test_the_bind_pose_leaves_every_vertex(self):
        for method in sinew.methods():
            with self.subTest(method):
                if method == "ddm":  # it smooths
                    continue
                posed = self.model.skin(method, self.model.pose("bind"))
                self.assertLess(abs(posed - self.arrays["positions"]).max(), 1e-3)

    def test_batches_equal_single_poses(self):
        poses = np.array([bent(5, a) for a in np.linspace(-1, 1, 37)])
        for method in ("lbs", "dqs", "cor", "per-joint"):
            with self.subTest(method):
                normals = np.empty((37, 200, 3), "f4")
                batch = self.model.skin(method, poses, normals=normals, threads=2)
                own = np.empty((200, 3), "f4")
                for i in (0, 18, 36):
                    self.assertTrue(np.array_equal(batch[i], self.model.skin(method, poses[i],
                                                                             normals=own)))
                    self.assertTrue(np.array_equal(normals[i], own))

    def test_more_threads_than_the_system_has(self):
        poses = np.stack([self.pose] * 100)
        self.assertTrue((self.model.skin("lbs", poses, threads=2**31) == self.model.skin("lbs", poses)).all())

    def test_no_moments_are_no_poses(self):
        self.assertEqual(self.model.skin("lbs", self.model.pose(None, [])).shape, (0, len(self.arrays["positions"]), 3))

    def test_writes_with_any_stride(self):
        room = np.full((200, 8), 7, "f4")
        out, normals = room[:, 1:4], room[:, 4:7]
        self.assertIs(self.model.skin("dqs", self.pose, out=out, normals=normals), out)
        self.assertTrue(np.array_equal(out, self.model.skin("dqs", self.pose)))
        self.assertTrue((room[:, [0, 7]] == 7).all())
        self.assertLess(abs(np.linalg.norm(normals, axis=1) - 1).max(), 1e-5)

    def with_tangents(self):
        """That body with tangents along x, as far as they lie across the normals."""
        normals = self.model.normals
        along = np.array([1, 0, 0], "f4") - normals * normals[:, :1]
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        sides = np.where(np.arange(200) % 2 == 0, 1, -1)
        return sinew.Model(**self.arrays, tangents=np.concatenate([along, sides[:, None]], 1))

    def test_tangents_are_those_of_the_reference(self):
        model = self.with_tangents()
        self.assertEqual(self.model.tangents.shape, (0, 4))
        self.assertFalse(self.model.bind("lbs").has_tangents)
        room = np.full((200, 9), 7, "f4")
        expected, normals = np.empty((200, 4), "f4"), np.empty((200, 3), "f4")
        for method in sinew.methods():
            with self.subTest(method):
                binding = model.bind(method)
                self.assertTrue(binding.has_tangents)
                for pose in (self.pose, self.pose @ np.diag([1, 1.5, 1, 1])):
                    out = binding.skin(pose, normals=room[:, :3], tangents=room[:, 4:8])
                    slow = binding.reference(pose, normals=normals, tangents=expected)
                    self.assertLess(abs(out - slow).max(), 1e-4)
                    near = np.linalg.norm(room[:, 4:8] - expected, axis=1) < 1e-3
                    self.assertGreater(near.mean(), 0.99)
                    self.assertTrue((room[:, [3, 8]] == 7).all())
        matrices = self.skinning_matrices()[:, :3, :3]
        blended = np.einsum("vj,jab,vb->va", self.arrays["weights"], matrices, model.tangents[:, :3])
        blended /= np.linalg.norm(blended, axis=1, keepdims=True)
        model.skin("lbs", self.pose, tangents=expected)
        self.assertLess(abs(expected[:, :3] - blended).max(), 1e-3)
        self.assertTrue(np.array_equal(expected[:, 3], model.tangents[:, 3]))

    def test_a_batch_has_the_tangents_of_single_poses(self):
        model = self.with_tangents()
        poses = np.array([bent(5, a) for a in np.linspace(-1, 1, 20)])
        own = np.empty((200, 4), "f4")
        for method in ("lbs", "arc-spline"):
            many = np.empty((20, 200, 4), "f4")
            model.skin(method, poses, tangents=many, threads=2)
            for i in (0, 19):
                model.skin(method, poses[i], tangents=own)
                self.assertTrue(np.array_equal(many[i], own))

    def test_a_binding_out_of_bytes_skins_the_same(self):
        model = self.with_tangents()
        for method in sinew.methods():
            with self.subTest(method):
                binding = model.bind(method)
                data = binding.to_bytes()
                again = sinew.Binding.from_bytes(data)
                self.assertEqual((again.vertices, again.joints, again.fast, again.has_tangents),
                                 (200, 5, binding.fast, True))
                normals, tangents = np.empty((2, 200, 3), "f4"), np.empty((2, 200, 4), "f4")
                posed = [each.skin(self.pose, normals=normals[i], tangents=tangents[i])
                         for i, each in enumerate((binding, again))]
                for one, other in (posed, normals, tangents):
                    self.assertTrue(np.array_equal(one, other))
                self.assertEqual(again.to_bytes(), data)
                with self.assertRaisesRegex(sinew.UsageError, "read from bytes"):
                    again.reference(self.pose)
                small = sinew.Binding.from_bytes(binding.to_bytes(skin=False))
                self.assertTrue(np.array_equal(small.palette(self.pose)[0], binding.palette(self.pose)[0]))
                with self.assertRaisesRegex(sinew.UsageError, "no vertices"):
                    small.skin(self.pose)

    def test_damaged_bytes_of_a_binding_are_an_input_error(self):
        rng = np.random.default_rng(3)
        for method in sinew.methods():
            data = self.model.bind(method).to_bytes()
            cut = [data[:n] for n in rng.integers(0, len(data), 50)]
            changed = []
            for at, bit in zip(rng.integers(0, len(data), 150), rng.integers(0, 8, 150)):
                damaged = bytearray(data)
                damaged[at] ^= 1 << bit
                changed.append(bytes(damaged))
            foreign = [b"", b"glTF", data + b"x", data[8:], bytes(len(data)), self.model.to_bytes(),
                       rng.bytes(1000)]
            for damaged in cut + changed + foreign:
                with self.assertRaisesRegex(sinew.InputError, "sinew_binding_save"):
                    sinew.Binding.from_bytes(damaged)

    def test_palette_of_linear_blending_is_matrices(self):
        rows, stretches = self.model.palette("lbs", self.pose)
        self.assertFalse(stretches)
        self.assertLess(abs(rows - self.skinning_matrices()[:, :3]).max(), 1e-6)

    def test_attributes_are_what_the_shader_reads(self):
        for method in sinew.methods():
            attributes = self.model.attributes(method)
            text = self.model.shader(method)
            for name, values in attributes.items():
                self.assertIn(name, text)
                self.assertEqual(len(values), 200)
        self.assertIn("#version 300 es", self.model.shader("lbs", "es300"))
        self.assertNotIn("#version", self.model.shader("lbs", "function"))

    def test_glsl120_lists_batches_where_the_palette_is_too_large(self):
        self.assertNotIn("batch 0", self.model.shader("lbs", "glsl120"))
        arrays = body(vertices=600, joints=100)
        order = np.argsort(arrays["positions"][:, 1])
        text = sinew.Model(**{**arrays, "triangles": order.reshape(-1, 3)}).shader("lbs", "glsl120")
        batches = [set(map(int, line.split(":")[1].split()))
                   for line in text.splitlines() if line.startswith("//   batch ")]
        self.assertGreater(len(batches), 1)
        self.assertEqual(set.union(*batches), set(range(100)))
        self.assertLessEqual(max(map(len, batches)), 80)

    def test_wrong_arguments_name_themselves(self):
        skin, model, a = self.model.skin, self.model, self.arrays
        for call, name in (
                (lambda: skin("lbs", self.pose[:4]), "pose"),
                (lambda: skin("lbs", "abc"), "pose"),
                (lambda: skin("lbs", self.pose, out=np.empty((200, 3))), "out"),
                (lambda: skin("lbs", self.pose, out=np.empty((199, 3), "f4")), "out"),
                (lambda: skin("lbs", self.pose, out=np.empty((3, 200), "f4").T), "out"),
                (lambda: skin("lbs", self.pose, normals=np.empty((2, 3), "f4")), "normals"),
                (lambda: skin("lbs", self.pose, tangents=np.empty((200, 3), "f4")), "tangents"),
                (lambda: skin("lbs", self.pose, tangents=np.empty((200, 4), "f4")), "tangents"),
                (lambda: sinew.Model(**a, tangents=np.ones((200, 3))), "tangents"),
                (lambda: sinew.Model(**a, tangents=np.zeros((200, 4))), "tangents"),
                (lambda: sinew.load("model.glb", open=lambda name: None), "open"),
                (lambda: skin("nothing", self.pose), "nothing"),
                (lambda: skin("lbs", self.pose, influences=99), "influences"),
                (lambda: skin("lbs", self.pose, influences="9x"), "influences"),
                (lambda: skin("dqs", self.pose, attachments=1), "attachments"),
                (lambda: skin("arc-spline", self.pose, attachments=9), "attachments"),
                (lambda: skin("arc-spline", self.pose, parameter_source="none"), "parameter_source"),
                (lambda: skin("arc-spline", self.pose, parameter_sauce="zone"), "did you mean 'parameter_source'"),
                (lambda: skin("dqs", self.pose, parameter_source="zone"), "parameter_source"),
                (lambda: skin("lbs,dqs", self.pose), "method"),
                (lambda: model.bake("arc-spline", parameter_source="none"), "parameter_source"),
                (lambda: model.shader("arc-spline", "glsl120", directions="texture"), "attachments"),
                (lambda: sinew.weights(sinew.Model(**{**a, "positions": a["positions"] * 1e-6}), model), "skeleton"),
                (lambda: model.pose(3), "clip"),
                (lambda: model.pose("walk"), "walk"),
                (lambda: model.pose(None, wrap="round"), "wrap"),
                (lambda: model.shader("lbs", "cobol"), "cobol"),
                (lambda: model.save("model.obj"), "path"),
                (lambda: sinew.weights(model, None), "skeleton"),
                (lambda: sinew.weights(model, model, "magic"), "magic"),
                (lambda: sinew.Model(**{**a, "positions": a["positions"][:, :2]}), "positions"),
                (lambda: sinew.Model(**{**a, "positions": a["positions"] * np.nan}), "positions"),
                (lambda: sinew.Model(**{**a, "triangles": a["triangles"] + 7}), "indices"),
                (lambda: sinew.Model(**{**a, "triangles": a["triangles"] * 1.0}), "triangles"),
                (lambda: sinew.Model(**{**a, "parents": a["parents"][::-1]}), "parents"),
                (lambda: sinew.Model(**{**a, "inverse_bind": a["inverse_bind"][:2]}), "inverse_bind"),
                (lambda: sinew.Model(**{**a, "inverse_bind": a["inverse_bind"] * 0}), "inverse_bind"),
                (lambda: sinew.Model(**{**a, "inverse_bind": a["inverse_bind"].swapaxes(1, 2)}),
                 "inverse_bind"),
                (lambda: sinew.Model(**{**a, "weights": a["weights"] * 0}), "weights"),
                (lambda: sinew.Model(**{**a, "weights": -a["weights"]}), "weights"),
                (lambda: sinew.Model(**{**a, "weights": None}), "weights"),
                (lambda: sinew.load(b"no model", name="a.glb"), "a.glb"),
                (lambda: sinew.load(b"x", name="../a.glb"), "name"),
                (lambda: sinew.load("/no/such/file.glb"), "file.glb"),
                (lambda: sinew.load("a\0b.glb"), "source"),
                (lambda: sinew.load(b"x", name=None), "name"),
                (lambda: sinew.load("model.glb", seconds=-1), "seconds"),
                (lambda: sinew.load("model.glb", megabytes=float("nan")), "megabytes"),
                (lambda: sinew.Model(**{**a, "triangles": a["triangles"].astype("i8") + 2**32}), "triangles"),
                (lambda: sinew.Model(**{**a, "parents": a["parents"].astype("i8") + 2**32}), "parents"),
                (lambda: sinew.Model(**{**a, "inverse_bind": "x"}), "inverse_bind"),
                (lambda: sinew.Model(**a, joint_names=[1] * len(a["parents"])), "joint_names"),
                (lambda: sinew.Model(positions=a["positions"], triangles=a["triangles"]).bake("dqs"), "arrays"),
                (lambda: sinew.weights(model, sinew.Model(positions=a["positions"], triangles=a["triangles"])), "arrays"),
                (lambda: model.pose([0]), "clip"),
                (lambda: model.pose(None, "a"), "time"),
                (lambda: model.pose(None, float("nan")), "time"),
                (lambda: model.pose(layers={}), "layers"),
                (lambda: model.shader("lbs", None), "target"),
                (lambda: model.to_bytes(None), "format"),
                (lambda: model.bind("lbs", influences=[1]), "influences"),
                (lambda: skin("lbs\0x", self.pose), "method"),
                (lambda: skin("lbs", self.pose[None], threads=-1), "threads"),
                (lambda: skin("lbs", self.pose[None], threads="a"), "threads"),
                (lambda: sinew.weights(model, model, None), "method"),
                (lambda: sinew.weights(model, model, influences=-1), "influences"),
                (lambda: model.bake(None), "method"),
                (lambda: model.bake("dqs", morphs=-1), "morphs"),
                (lambda: model.bake("dqs", poses=2), "poses"),
                (lambda: model.bake("dqs", tolerance=0), "tolerance"),
                (lambda: model.bake("dqs", frames_per_second=float("nan")), "frames_per_second")):
            with self.subTest(name), self.assertRaises((sinew.SinewError, ValueError, TypeError)) as got:
                call()
            self.assertIn(name, str(got.exception))
            self.assertNotIn("\n", str(got.exception))
            self.assertNotIn("--", str(got.exception))  # options of the command line

    def test_a_closed_model_says_so_and_its_arrays_stay(self):
        positions, binding = self.model.positions, self.model.bind("lbs")
        self.model.close()
        for call in (lambda: self.model.positions, lambda: self.model.skin("lbs", self.pose),
                     lambda: self.model.to_bytes()):
            with self.assertRaisesRegex(ValueError, "model: it is closed"):
                call()
        gc.collect()
        self.assertTrue(np.array_equal(positions, self.arrays["positions"]))
        binding.skin(self.pose)
        with self.assertRaises(ValueError):
            positions[0] = 0  # what is lent cannot be written

    def test_a_progress_function_cancels_and_its_exception_arrives(self):
        with self.assertRaises(sinew.Cancelled):
            self.model.skin("lbs", np.array([self.pose] * 100), progress=lambda f, t: False)
        with self.assertRaises(ZeroDivisionError):
            self.model.skin("lbs", np.array([self.pose] * 100), progress=lambda f, t: 1 / 0)


class FilesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.path = cls.folder / "arm.glb"
        run(SINEW, "export", "demo:arm", "--quiet", "-o", cls.path)
        cls.model = sinew.load(cls.path)

    def exported(self, *words, model=None):
        out = self.folder / "out.obj"
        run(SINEW, "export", model or self.path, *words, "--quiet", "-o", out)
        return obj_positions(out)

    def test_bytes_and_paths_are_the_same(self):
        same = sinew.load(self.path.read_bytes(), name="arm.glb", in_process=True)
        self.assertTrue(np.array_equal(same.positions, self.model.positions))
        self.assertEqual([c.name for c in same.clips], [c.name for c in self.model.clips])
        info = json.loads(run(SINEW, "info", self.path, "--json"))
        self.assertEqual(len(info["clips"]), len(self.model.clips))

    def test_files_beside_the_model_by_a_function(self):
        corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "f4").tobytes()

        def gltf(uri):
            return json.dumps({
                "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
                "bufferViews": [{"buffer": 0, "byteLength": 36}],
                "buffers": [{"byteLength": 36, "uri": uri}]}).encode()

        for in_process in (False, True):
            with self.subTest(in_process=in_process):
                def load(uri, give):
                    return sinew.load(gltf(uri), name="a.gltf", open=give, in_process=in_process)

                asked = []
                model = load("parts/a%20b.bin", lambda name: asked.append(name) or corners)
                self.assertEqual((len(model.positions), asked), (3, ["parts/a b.bin"]))
                with self.assertRaisesRegex(sinew.InputError, "'gone.bin', which it needs, was not found"):
                    load("gone.bin", lambda name: None)
                with self.assertRaises(ZeroDivisionError):
                    load("gone.bin", lambda name: 1 / 0)
                for uri in ("../a.bin", "/etc/passwd", ".ssh/key", "a/../../b.bin"):
                    with self.assertRaises(sinew.InputError):
                        load(uri, lambda name: self.fail(name))

    def test_every_method_skins_as_the_command_line_does_bit_for_bit(self):
        pose = self.model.pose(0, 0.7)
        for method in sinew.methods():
            with self.subTest(method):
                expected = self.exported("--clip", "0", "--time", "0.7", "--method", method)
                self.assertTrue(np.array_equal(self.model.skin(method, pose), expected.astype("f4")))

    def test_layers_are_those_of_the_command_line(self):
        file = self.folder / "layers.json"
        words = [w for w in sorted((ROOT / "docs/layers").glob("*.json")) if w.stem == "wave"]
        self.assertEqual(len(words), 1)
        run(SINEW, "export", "demo:humanoid", "--quiet", "-o", self.folder / "humanoid.glb")
        humanoid = sinew.load(self.folder / "humanoid.glb")
        file.write_text(words[0].read_text())
        expected = self.exported("--clip", "walk", "--time", "0.6", "--layers", file,
                                 model=self.folder / "humanoid.glb")
        pose = humanoid.pose("walk", 0.6, layers=file.read_text())
        self.assertLess(abs(humanoid.skin("lbs", pose) - expected).max(), 2e-5)
        self.assertGreater(abs(humanoid.skin("lbs", humanoid.pose("walk", 0.6)) - expected).max(), 0.05)

    def test_weights_are_those_of_the_command_line(self):
        mesh = self.folder / "mesh.obj"
        run(SINEW, "export", self.path, "--clip", "bind", "--quiet", "-o", mesh)
        run(SINEW, "weights", mesh, "--skeleton", self.path, "--quiet", "-o", self.folder / "w.glb")
        own = sinew.weights(sinew.load(mesh), self.model)
        self.assertEqual(own.to_bytes(), (self.folder / "w.glb").read_bytes())

    def test_a_bake_is_that_of_the_command_line(self):
        out = self.folder / "baked.glb"
        report = json.loads(run(SINEW, "bake", self.path, "--method", "dqs", "--helpers", "1", "--poses",
                                "24", "--clip", "0", "--drivers-file", "none", "--json", "-o", out))
        own = self.model.bake("dqs", clip=0, helpers=1, poses=24)
        self.assertEqual(own.report["helpers"], report["helpers"])
        self.assertAlmostEqual(own.report["baked_largest"], report["held_out"]["largest"], 9)
        self.assertEqual(own.joint_names, sinew.load(out).joint_names)

    def test_saves_what_it_reads_again(self):
        own = self.folder / "own.glb"
        self.model.save(own)
        again = sinew.load(own)
        self.assertTrue(np.array_equal(again.positions, self.model.positions))
        self.assertLess(abs(again.pose(0, 0.5) - self.model.pose(0, 0.5)).max(), 1e-6)

    def test_measures_are_those_of_compare(self):
        pose = self.model.pose(0, 0.7)
        got = self.model.compare(["lbs", "dqs"], pose)
        self.assertEqual(got["lbs"]["distance"], 0)
        self.assertGreater(got["dqs"]["distance"], 0)
        self.assertGreater(got["dqs"]["volume"], 0.5)
        many = self.model.compare(["dqs"], self.model.pose(0, [0.7, 0.1]))["dqs"]
        self.assertEqual(many["volume"].shape, (2,))
        self.assertEqual(many["volume"][0], got["dqs"]["volume"])

    def test_measures_of_vertices_that_are_not_finite_are_nan(self):
        linear = self.model.skin("lbs", self.model.pose(0, 0.7))
        for kind in ("f4", "f8"):
            got = self.model.measure(np.full(linear.shape, np.nan, kind), linear)
            self.assertEqual([name for name, value in got.items() if not np.isnan(value)], [])

    def compiled(self, source, *options):
        """By a C compiler, as C99."""
        program = self.folder / Path(source).stem
        run("cc", *options, "-g", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-I", ROOT / "src/c",
            ROOT / source, "-o", program, LIBRARY, "-lm", f"-Wl,-rpath,{Path(LIBRARY).parent}")
        return program

    def example_in_c(self):
        return self.compiled("examples/skin_in_c.c")

    def test_c_interface(self):
        program = self.compiled("scripts/tests/c_interface_test.c", "-DCOUNT_ALLOCATIONS")
        done = subprocess.run([program, self.path], capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_valgrind_finds_nothing_in_c_programs(self):
        if shutil.which("valgrind") is None:
            self.skipTest("valgrind is not installed")
        source, before = self.folder / "before.c", self.folder / "before.so"
        source.write_text(IN_VALGRIND)
        run("cc", "-shared", "-fPIC", "-I", ROOT / "src/c", source, "-o", before)
        example = self.example_in_c()
        for program in ([example, self.path, "lbs", "0.7", self.folder / "valgrind.obj"],
                        [example, self.path, "arc-spline", "0.7", self.folder / "valgrind.obj"],
                        [self.compiled("scripts/tests/c_interface_test.c"), self.path, "in-process"]):
            done = subprocess.run(
                ["valgrind", "-q", "--leak-check=full", "--errors-for-leak-kinds=definite,possible",
                 "--error-exitcode=99", *program],
                capture_output=True, text=True, timeout=300, env={**os.environ, "LD_PRELOAD": str(before)})
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_an_example_in_c_does_what_the_program_does(self):
        example = self.example_in_c()
        for method in ("lbs", "arc-spline"):
            run(example, self.path, method, "0.7", self.folder / "c.obj")
            expected = self.exported("--clip", "0", "--time", "0.7", "--method", method)
            self.assertLess(abs(obj_positions(self.folder / "c.obj") - expected).max(), 2e-5)
        done = subprocess.run([example, "none.glb", "lbs", "0", "x.obj"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("none.glb", done.stderr)

    def test_ten_thousand_loads_leave_nothing(self):
        data = self.path.read_bytes()

        def load(count):
            for _ in range(count):
                sinew.load(data, name="arm.glb", in_process=True, textures=False).bind("lbs")

        def resident():
            return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        count = int(os.environ.get("SINEW_TEST_LOADS", "300"))
        load(50)
        before = resident()
        load(count)
        gc.collect()
        self.assertLess(resident() - before, 8e6)  # a load holds 300 kB


class ExamplesTest(unittest.TestCase):
    """What a reader copies: examples/python, and the programs of docs/library.md and docs/python.md."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.path = cls.folder / "character.glb"
        run(SINEW, "export", "demo:humanoid", "--quiet", "-o", cls.path)

    def example(self, name, *words):
        return run(sys.executable, ROOT / "examples/python" / name, *words)

    def test_volumes(self):
        lines = self.example("volumes.py", self.path).splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["method", *sinew.methods()])
        self.assertTrue(all(50 < float(line.split()[1].rstrip("%")) < 150 for line in lines[1:]), lines)

    def test_weights_beside_an_artists(self):
        line = self.example("compare_weights.py", self.path, "envelopes").splitlines()[0]
        mean = float(re.search(r"([\d.]+) of a vertex in the mean", line).group(1))
        self.assertTrue(0.001 < mean < 0.5, line)

    def test_a_figure_of_a_paper(self):
        picture = self.folder / "twist.png"
        said = self.example("twist_figure.py", picture)
        self.assertTrue(picture.exists() or "lbs" in said, said)

    def test_smpl_like_arrays(self):
        arrays = body(joints=24)
        joints = -arrays["inverse_bind"][:, :3, 3]
        # As SMPL's files have them: 32 bits without a sign, where the root's parent is 4294967295.
        tree = np.stack([arrays["parents"], np.arange(24)]).astype("u4")
        regressor = joints @ np.linalg.pinv(arrays["positions"])
        given = {"joints": {"J": joints}, "regressor": {"J_regressor": regressor}}
        try:
            from scipy.sparse import csc_matrix
            given["sparse regressor"] = {"J_regressor": csc_matrix(regressor)}
        except ImportError:
            pass
        said = {}
        for name, where in given.items():
            with self.subTest(name):
                np.savez(self.folder / "body.npz", v_template=arrays["positions"], f=arrays["triangles"],
                         weights=arrays["weights"], kintree_table=tree, **where)
                said[name] = self.example("smpl_arrays.py", self.folder / "body.npz", self.folder / "body.glb")
                again = sinew.load(self.folder / "body.glb")
                self.assertEqual((len(again.joint_names), list(again.parents)), (24, list(arrays["parents"])))
                self.assertLess(abs(again.inverse_bind - arrays["inverse_bind"]).max(), 1e-4)
                self.assertEqual(said[name], said["joints"])

    def blocks(self, page, language):
        return re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / page).read_text(), re.S)

    def test_the_program_of_the_page_on_python(self):
        first = self.blocks("python.md", "python")[0]
        self.assertIn('"Walk"', first)
        script = self.folder / "page.py"
        script.write_text(first.replace('"Walk"', '"walk"'))  # as this character's clip is called
        done = subprocess.run([sys.executable, script], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "baked.glb").exists())

    def test_the_programs_of_the_page_on_c(self):
        frame, listed, body_of_arrays, kept = self.blocks("library.md", "c")
        frame = frame.replace("#include <sinew.h>", "")
        source = self.folder / "page.c"
        source.write_text(f"""#include <sinew.h>
#include <stdio.h>
#include <stdlib.h>
static void of_arrays(const float* places, const uint32_t* faces, const uint32_t* joint_of,
                      const float* weights, const uint32_t* parents, const float* inverse_bind) {{
{body_of_arrays}
if (model) printf("arrays\\n");
}}
static void loaded(const void* asset, size_t asset_size) {{
{kept[kept.index("sinew_binding* binding"):]}
sinew_layout layout;
if (binding && sinew_layout_of(binding, &layout) == SINEW_OK) printf("%u\\n", layout.vertices);
}}
int main(void) {{
const double seconds = 0.5;
{frame}
printf("%u\\n", layout.vertices);
{{
{listed}
printf("%d\\n", walk == SINEW_NONE);
}}
{{
FILE* file = fopen("page.skin", "wb");
{kept[:kept.index("sinew_binding* binding")]}
loaded(bytes, size);
}}
{{
const float places[12] = {{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}}, weights[4] = {{1, 1, 1, 1}};
const float at[32] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
const uint32_t faces[6] = {{0, 1, 2, 1, 3, 2}}, joint_of[4] = {{0, 0, 1, 1}}, parents[2] = {{SINEW_NONE, 0}};
of_arrays(places, faces, joint_of, weights, parents, at);
}}
return 0;
}}
""")
        run("cc", "-std=c99", "-Wall", "-Werror", "-I", ROOT / "src/c", source, "-o", self.folder / "page", LIBRARY,
            f"-Wl,-rpath,{Path(LIBRARY).parent}")
        done = subprocess.run([self.folder / "page"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        model = sinew.load(self.path)
        clips = [word for clip in model.clips for word in (clip.name + ",", "%g" % clip.seconds, "s")]
        found = str(int("walk" not in [clip.name.lower() for clip in model.clips]))
        self.assertEqual(done.stdout.split(), [str(len(model.positions)), *clips, found, str(len(model.positions)), "arrays"])


class LibraryTest(unittest.TestCase):
    def test_exports_what_the_header_declares(self):
        listed = run("nm", "-D", "--defined-only", LIBRARY)
        exported = set(re.findall(r" T (\w+)", listed))
        self.assertEqual({s for s in re.findall(r" [A-Z] (\w+)", listed) if not re.fullmatch(r"SINEW_\d", s)}, exported)
        declared = set(re.findall(r"SINEW_API [^;(]*?(sinew_\w+)\(", declarations()))
        self.assertGreater(len(declared), 35)
        self.assertEqual(exported, declared)

    def test_every_function_says_from_which_threads(self):
        text = (ROOT / "src/c/sinew.h").read_text()
        said = re.findall(r"(/\*(?:(?!\*/).)*\*/\s*)((?:SINEW_API[^;]*;\s*)+)", text, re.S)
        marked = [name for comment, functions in said if re.search(r"\[(parallel|exclusive)\]", comment)
                  for name in re.findall(r"(sinew_\w+)\(", functions)]
        self.assertEqual(set(re.findall(r"SINEW_API [^;(]*?(sinew_\w+)\(", declarations())) - set(marked), set())

    def test_a_changed_interface_has_a_new_number(self):
        text = declarations()
        version = re.search(r"#define SINEW_ABI (\d+)", text).group(1)
        digest = hashlib.sha256(text.encode()).hexdigest()
        known = dict(line.split() for line in (ROOT / "src/c/abi.txt").read_text().splitlines())
        self.assertEqual(known.get(version), digest,
                         "sinew.h has changed: raise SINEW_ABI, and add a line to src/c/abi.txt")
        self.assertEqual(sinew._library.ABI, int(version))
        self.assertIn(f"libsinew.so.{version}", run("objdump", "-p", LIBRARY))

    def test_imports_little(self):
        """What takes longer than the rest of an import (scripts/bench_python) waits until it is needed."""
        code = """import sys; before = set(sys.modules); import sinew; print(*set(sys.modules) - before)
print(sum('libsinew' in line for line in open('/proc/self/maps')), sinew.__version__)"""
        modules, rest = run(sys.executable, "-S", "-c", code).splitlines()
        self.assertFalse({"numpy", "typing", "subprocess", "tempfile", "re"} & set(modules.split()), modules)
        self.assertRegex(rest, r"^0 \d+\.\d+\.\d+$")

    def test_a_wheel_has_all_that_it_needs(self):
        """Its libraries are beside it, and pip installs it for a Python that has no other."""
        if shutil.which("patchelf") is None or not Path("/usr/bin/pip3").exists():
            self.skipTest("patchelf or pip is not installed")
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "place"
            wheel = run("/usr/bin/python3", ROOT / "scripts/python_wheel", folder, "--library", LIBRARY).strip()
            self.assertRegex(wheel, r"/sinew_skinning-[\d.]+-py3-none-manylinux_2_\d+_\w+\.whl$")
            run("/usr/bin/pip3", "install", "-q", "--no-index", "--no-deps", "--no-compile", "--target", place, wheel)
            code = ("import sinew; sinew.methods();"
                    "print(*{l.split()[-1] for l in open('/proc/self/maps') if '.so' in l}, sep='\\n')")
            environment = {"PYTHONPATH": str(place), "PATH": os.environ["PATH"]}
            done = subprocess.run(["/usr/bin/python3", "-c", code], env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            loaded = done.stdout.splitlines()
            self.assertIn(str(place / f"sinew/libsinew.so.{sinew._library.ABI}"), loaded)
            mixed = [f for f in loaded if re.search("assimp|embree|tbb|hwy|png", f) and not f.startswith(str(place))]
            self.assertEqual(mixed, [])

    def test_needs_no_graphics(self):
        needed = re.findall(r"NEEDED +(\S+)", run("objdump", "-p", LIBRARY))
        self.assertFalse([n for n in needed if re.search("GL|glfw|imgui|cairo|Bullet", n)], needed)

    def test_a_batch_is_that_of_numpy(self):
        path = SHARED / "mannequiny" / "mannequiny.glb"
        if not path.exists():
            self.skipTest("no shared models")
        model = sinew.load(path)
        poses = model.pose(1, np.linspace(0, 1, 40))
        out = np.empty((40, len(model.positions), 3), "f4")
        model.skin("lbs", poses, out=out)
        p = np.concatenate([model.positions, np.ones((len(model.positions), 1), "f4")], 1)
        dense = model.dense_weights
        matrices = (poses @ model.inverse_bind)[:, :, :3]
        expected = np.einsum("vj,fjab,vb->fva", dense, matrices, p, optimize=True)
        self.assertLess(abs(out - expected).max(), 1e-5 * np.ptp(model.positions))


if __name__ == "__main__":
    SINEW, LIBRARY = (str(Path(sys.argv.pop(1)).resolve()) for _ in range(2))
    try:
        import numpy as np
    except ImportError:
        print("python3-numpy is not installed: skipped")
        sys.exit(0)
    os.environ["SINEW_LIBRARY"] = LIBRARY
    os.environ["SINEW_PROGRAM"] = SINEW
    os.environ["PYTHONPATH"] = str(ROOT / "packages/python")
    sys.path.insert(0, str(ROOT / "packages/python"))
    import sinew
    unittest.main(verbosity=2)
