#!/usr/bin/env python3
"""Posed vertices of glTF files against a second reading by the specification (gltf_reference.py).

Usage: gltf_test.py SINEW. On files that gltf_cases.py makes, one for each rule, and on the models of
../shared/models where they are; and as gltfpack and gltf-transform write them, where npm's packages
gltfpack and @gltf-transform/cli are (NODE_PATH). Compressed files are posed by three.js and Babylon.js
too (npm's three, @babylonjs/core and @babylonjs/loaders).
"""
import itertools
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from command_line import read_ply, size_of
from gltf_cases import write_cases
from gltf_reference import Gltf, largest_difference

SINEW = ""
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "models"
TOLERANCE = 1e-5  # of the model's size

# Clips by index: all of a model's would take minutes.
MODELS = {
    "fox/Fox.glb": [0, 1, 2],
    "cesium_man/CesiumMan.glb": [0],
    "kaykit_knight/Knight.glb": [10, 33],
    "mannequiny/mannequiny.glb": [1, 5],
    "mesh2motion_fox/fox.glb": [None],
    "gltf_morph/SimpleMorph.gltf": [None, 0],
    "gltf_morph/AnimatedMorphCube.glb": [None, 0],
}

PACK = ["gltfpack", "-i", "IN", "-o", "OUT"]
VARIANTS = {
    "quantised by gltfpack": PACK,
    "with fine quantised keys": [*PACK, "-vpf", "-at", "24", "-ar", "16"],
    "compressed by gltfpack": [*PACK, "-c"],
    "compressed by gltfpack as KHR": [*PACK, "-cz"],
    "quantised": ["gltf-transform", "quantize", "IN", "OUT"],
    "compressed by Draco": ["gltf-transform", "draco", "IN", "OUT"],
    "compressed by meshopt": ["gltf-transform", "meshopt", "IN", "OUT"],
    "sparse": ["gltf-transform", "sparse", "IN", "OUT"],
    "reordered": ["gltf-transform", "reorder", "IN", "OUT"],
    "by all": ["gltf-transform", "optimize", "IN", "OUT", "--compress", "draco", "--texture-compress", "false"],
}


def tools():
    """The folder of npm's programs, or None."""
    plain = ["node", Path(__file__).parent / "gltf_plain.js", "--check"]
    for folder in os.environ.get("NODE_PATH", "").split(os.pathsep):
        programs = Path(folder) / ".bin"
        if all((programs / name).exists() for name in ("gltfpack", "gltf-transform")):
            return programs if subprocess.run(plain, capture_output=True).returncode == 0 else None
    return None


ENGINES = Path(__file__).parent / "engine_vertices.mjs"


def engines():
    """Those of three.js and Babylon.js that are there."""
    def is_there(name):
        try:
            return subprocess.run(["node", ENGINES, name, "--check"], capture_output=True).returncode == 0
        except OSError:
            return False
    return [name for name in ("three", "babylon") if is_there(name)]


def farthest(points, others):
    """Largest distance of one of the points to the nearest of the others."""
    step = 0.02 * size_of(others)
    cells = {}
    for other in set(others):
        cells.setdefault(tuple(int(x // step) for x in other), []).append(other)
    largest = 0.0
    for point in set(points):
        x, y, z = (int(value // step) for value in point)
        near = [other for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) for other in cells.get((x + i, y + j, z + k), ())]
        largest = max(largest, min((math.dist(point, other) for other in near), default=step))
    return largest


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def read_triangles(path):
    data = path.read_bytes()
    header, body = data.split(b"end_header\n", 1)
    vertices = int(header.split(b"element vertex ")[1].split(b"\n")[0])
    faces = int(header.split(b"element face ")[1].split(b"\n")[0])
    positions = [struct.unpack_from("<3f", body, 32 * i) for i in range(vertices)]
    corners = (struct.unpack_from("<3i", body, 32 * vertices + 13 * i + 1) for i in range(faces))
    return [[positions[c] for c in triangle] for triangle in corners]


def moves(animation):
    return any(c["target"]["path"] in ("translation", "rotation", "scale", "weights") and "node" in c["target"]
               for c in animation["channels"])


class Gltf2(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.dir = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def export(self, job):
        number, path, clip, time = job
        out = self.dir / f"{number}.ply"
        words = [SINEW, "export", path, "--quiet", "--influences", "12", "--clip", "none" if clip is None else clip,
                 "--no-loop", "--time", repr(time), "-o", out]
        run = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=240)
        if run.returncode != 0:
            return f"{path.name}: {run.stderr}"
        triangles = read_triangles(out)
        out.unlink()
        return triangles

    def check(self, jobs, documents=None):
        """jobs: path, clip by its number in the file, time; documents: the second reading of each path."""
        documents = documents or {path: Gltf(path) for path in {job[0] for job in jobs}}
        numbered = []
        for i, (path, clip, time) in enumerate(jobs):
            animations = documents[path].json.get("animations", [])
            # sinew leaves out animations that move no node.
            index = None if clip is None else sum(moves(a) for a in animations[:clip])
            numbered.append((i, path, index, time))
        with ThreadPoolExecutor(2) as pool:
            for (path, clip, time), actual in zip(jobs, pool.map(self.export, numbered)):
                with self.subTest(file=path.name, clip=clip, time=time):
                    self.assertNotIsInstance(actual, str, actual)
                    self.assertGreater(len(actual), 0)
                    expected = documents[path].posed(clip, time)
                    self.assertLess(largest_difference(expected, actual), TOLERANCE)

    def test_one_file_for_each_rule(self):
        # Keys are at 0, 0.7 and 2 seconds, or later ones.
        self.check([(path, 0, single(time)) for path in write_cases(self.dir) for time in (0.7, 1.337)])

    def test_weights_of_morph_targets_alone(self):
        paths = [p for p in write_cases(self.dir) if p.name.startswith("morphs-")]
        self.assertEqual(len(paths), 7)
        self.check([(path, 1, single(time)) for path in paths for time in (0.0, 0.7, 1.1, 2.0)])

    def test_shared_models(self):
        jobs = []
        for name, clips in MODELS.items():
            path = SHARED / name
            if not path.exists():
                continue
            document = Gltf(path)
            for clip in clips:
                if clip is None:
                    jobs.append((path, None, 0.0))
                    continue
                samplers = document.json["animations"][clip]["samplers"]
                end = max(document.accessor(s["input"])[-1][0] for s in samplers)
                key = document.accessor(samplers[0]["input"])
                jobs += [(path, clip, key[len(key) // 2][0]), (path, clip, single(0.637 * end))]
                if name.startswith("gltf_morph/"):  # every key, and between them
                    jobs += [(path, clip, k[0]) for k in key]
                    jobs += [(path, clip, single(0.5 * (a[0] + b[0]))) for a, b in zip(key, key[1:])]
        self.check(jobs)

    @unittest.skipUnless(tools(), "needs node and npm's gltfpack and @gltf-transform/cli (NODE_PATH)")
    def test_files_by_other_programs(self):
        sources = [SHARED / name for name in MODELS if (SHARED / name).exists() and name.endswith(".glb")]
        sources += [p for p in write_cases(self.dir) if p.name in ("cubic.glb", "morphs.glb", "influences-12.glb")]
        jobs, documents = [], {}
        for number, (source, (variant, command)) in enumerate(itertools.product(sources, VARIANTS.items())):
            path = self.dir / f"{source.stem} {variant} {number}.glb"
            words = [{"IN": source, "OUT": path}.get(word, word) for word in command]
            subprocess.run([tools() / words[0], *words[1:]], check=True, capture_output=True, timeout=240)
            plain = self.dir / "plain.glb"  # decoded by npm's packages
            subprocess.run(["node", Path(__file__).parent / "gltf_plain.js", path, plain], check=True, timeout=240)
            documents[path] = Gltf(plain)
            jobs.append((path, None, 0.0))
            if documents[path].json.get("animations"):
                jobs += [(path, 0, single(time)) for time in (0.0, 0.337)]
        self.check(jobs, documents)

    @unittest.skipUnless(tools() and SHARED.exists(), "needs npm's gltfpack (NODE_PATH) and ../shared/models")
    def test_compressed_files_beside_gltfpack(self):
        """No larger than 1.1 x gltfpack's, and no vertex further from its place."""
        for name, clip, error in (("kaykit_knight/Knight.glb", "1H_Melee_Attack_Chop", 0.02), ("fox/Fox.glb", "Run", 0.02),
                                  ("mannequiny/mannequiny.glb", "air_jump_root.001", 0.02),
                                  ("male_suit/Male_Suit.fbx", "HumanArmature|Man_Death", 0.5)):
            with self.subTest(name):
                source, packed, ours = (self.dir / file for file in ("source.glb", "packed.glb", "ours.glb"))
                self.sinew("export", SHARED / name, "-o", source)
                subprocess.run([tools() / "gltfpack", "-i", source, "-o", packed, "-c"], check=True, capture_output=True)
                self.sinew("export", source, "--compress", "--compress-error", error, "-o", ours)
                self.assertLessEqual(ours.stat().st_size, 1.1 * packed.stat().st_size)
                largest = {packed: 0.0, ours: 0.0}
                for time in (0.0, 0.09, 0.31, 0.57):
                    exact = self.posed(source, clip, time)
                    for path in largest:
                        found = farthest(self.posed(path, clip, time), exact) / size_of(exact)
                        largest[path] = max(largest[path], found)
                if "SINEW_FIGURES" in os.environ:
                    print(f"| {Path(name).stem}, {clip.split('|')[-1]}, {error} % | "
                          + " | ".join(f"{path.stat().st_size:,} | {largest[path]:.1e}" for path in largest) + " |")
                self.assertLess(largest[ours], 1.01 * largest[packed])

    @unittest.skipUnless(engines() and SHARED.exists(), "needs npm's three and @babylonjs (NODE_PATH) and ../shared/models")
    def test_compressed_files_in_other_engines(self):
        """three.js and Babylon.js pose a compressed file as sinew does, at keys and between them."""
        for name, clip in (("kaykit_knight/Knight.glb", "1H_Melee_Attack_Chop"), ("fox/Fox.glb", "Run"),
                           ("mannequiny/mannequiny.glb", "air_jump_root.001"), ("gltf_morph/AnimatedMorphCube.glb", "Square")):
            path = self.dir / "small.glb"
            self.sinew("export", SHARED / name, "--compress", "-o", path)
            times = [single(time) for time in (0.0, 0.0713, 0.1, 0.2137)]
            ours = [self.posed(path, clip, time) for time in times]
            for engine in engines():
                words = ["node", ENGINES, engine, path, *[str(word) for time in times for word in (clip, repr(time))]]
                run = subprocess.run(words, capture_output=True, text=True, timeout=240)
                self.assertEqual(run.returncode, 0, run.stderr)
                for time, exact, flat in zip(times, ours, json.loads(run.stdout)):
                    with self.subTest(file=name, engine=engine, time=time):
                        theirs = list(zip(flat[0::3], flat[1::3], flat[2::3]))
                        self.assertGreater(len(theirs), 0.99 * len(exact))
                        # They play rotations of 16 bits as they are; we normalise them.
                        self.assertLess(farthest(theirs, exact) / size_of(exact), 5e-5)

    def sinew(self, *words):
        subprocess.run([SINEW, *map(str, words), "--quiet"], check=True, timeout=240)

    def posed(self, path, clip, time):
        self.sinew("export", path, "--method", "lbs", "--clip", clip, "--time", time, "-o", self.dir / "posed.ply")
        return read_ply(self.dir / "posed.ply")[0]


if __name__ == "__main__":
    SINEW = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
