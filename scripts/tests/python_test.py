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
  here.in_process = 1;
  (void)options;
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

    def test_writes_with_any_stride(self):
        room = np.full((200, 8), 7, "f4")
        out, normals = room[:, 1:4], room[:, 4:7]
        self.assertIs(self.model.skin("dqs", self.pose, out=out, normals=normals), out)
        self.assertTrue(np.array_equal(out, self.model.skin("dqs", self.pose)))
        self.assertTrue((room[:, [0, 7]] == 7).all())
        self.assertLess(abs(np.linalg.norm(normals, axis=1) - 1).max(), 1e-5)

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

    def test_wrong_arguments_name_themselves(self):
        skin, model, a = self.model.skin, self.model, self.arrays
        for call, name in (
                (lambda: skin("lbs", self.pose[:4]), "pose"),
                (lambda: skin("lbs", "abc"), "pose"),
                (lambda: skin("lbs", self.pose, out=np.empty((200, 3))), "out"),
                (lambda: skin("lbs", self.pose, out=np.empty((199, 3), "f4")), "out"),
                (lambda: skin("lbs", self.pose, out=np.empty((3, 200), "f4").T), "out"),
                (lambda: skin("lbs", self.pose, normals=np.empty((2, 3), "f4")), "normals"),
                (lambda: skin("nothing", self.pose), "nothing"),
                (lambda: skin("lbs", self.pose, influences=99), "influences"),
                (lambda: skin("dqs", self.pose, attachments=1), "attachments"),
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
                (lambda: sinew.load("/no/such/file.glb"), "file.glb")):
            with self.subTest(name), self.assertRaises((sinew.SinewError, ValueError, TypeError)) as got:
                call()
            self.assertIn(name, str(got.exception))
            self.assertNotIn("\n", str(got.exception))

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

    def test_every_method_skins_as_the_command_line_does(self):
        pose = self.model.pose(0, 0.7)
        for method in sinew.methods():
            with self.subTest(method):
                expected = self.exported("--clip", "0", "--time", "0.7", "--method", method)
                self.assertLess(abs(self.model.skin(method, pose) - expected).max(), 2e-5)

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

    def example_in_c(self):
        example = self.folder / "skin_in_c"
        run("cc", "-g", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-I", ROOT / "src/c",
            ROOT / "examples/skin_in_c.c", "-o", example, LIBRARY, f"-Wl,-rpath,{Path(LIBRARY).parent}")
        return example

    def test_valgrind_finds_nothing_in_the_example(self):
        if shutil.which("valgrind") is None:
            self.skipTest("valgrind is not installed")
        source, before = self.folder / "before.c", self.folder / "before.so"
        source.write_text(IN_VALGRIND)
        run("cc", "-shared", "-fPIC", "-I", ROOT / "src/c", source, "-o", before)
        example = self.example_in_c()
        for method in ("lbs", "arc-spline"):
            done = subprocess.run(
                ["valgrind", "-q", "--leak-check=full", "--errors-for-leak-kinds=definite,possible",
                 "--error-exitcode=99", example, self.path, method, "0.7", self.folder / "valgrind.obj"],
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


class LibraryTest(unittest.TestCase):
    def test_exports_what_the_header_declares(self):
        listed = run("nm", "-D", "--defined-only", LIBRARY)
        exported = set(re.findall(r" T (\w+)", listed))
        self.assertEqual({s for s in re.findall(r" [A-Z] (\w+)", listed) if s != "SINEW_1"}, exported)
        declared = set(re.findall(r"SINEW_API [^;(]*?(sinew_\w+)\(", declarations()))
        self.assertGreater(len(declared), 35)
        self.assertEqual(exported, declared)

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
            self.assertIn(str(place / "sinew/libsinew.so.1"), loaded)
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
