#!/usr/bin/env python3
"""What `cmake --install` installs: the headers and libraries, by building examples/ outside the
source tree and comparing what they make with what the program makes; manual and completions.

Usage: install_test.py BUILD [--sanitized]. Needs cmake, ninja, Xvfb and netpbm.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import window_driver  # its reader of PNG files and its display

BUILD = Path()
SANITIZED = False
ROOT = Path(__file__).resolve().parents[2]


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=600,
                          **options)
    if done.returncode != 0:
        raise AssertionError(f"{words}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def obj_positions(path):
    lines = Path(path).read_text().splitlines()
    return [tuple(map(float, line.split()[1:4])) for line in lines if line.startswith("v ")]


def largest_difference(a, b):
    return max(abs(x - y) for p, q in zip(a, b, strict=True) for x, y in zip(p, q))


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.sinew = cls.prefix / "bin" / "sinew"
        cls.model = cls.folder / "arm.glb"
        run(cls.sinew, "export", "demo:arm", "--quiet", "-o", cls.model)
        # Outside the source tree, as anyone's program is.
        shutil.copytree(ROOT / "examples", cls.folder / "examples")
        cls.add_program_with_its_own_glad(cls.folder / "examples")
        cls.examples = cls.folder / "build"
        flags = "-fsanitize=address,undefined" if SANITIZED else ""
        run("cmake", "-G", "Ninja", "-S", cls.folder / "examples", "-B", cls.examples,
            f"-DCMAKE_PREFIX_PATH={cls.prefix}", f"-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror {flags}")
        run("cmake", "--build", cls.examples)

    @staticmethod
    def add_program_with_its_own_glad(folder):
        """draw_in_window again, beside functions of OpenGL 4.5 that it loads for itself."""
        run("/usr/bin/python3", shutil.which("glad"), "--quiet", "--api", "gl:core=4.5",
            "--out-path", folder / "glad", "--reproducible", "c")
        text = (folder / "draw_in_window.cpp").read_text()
        load = "sinew::loadGl(glfwGetProcAddress);"
        assert load in text
        own = load + """
  if (gladLoadGL(glfwGetProcAddress) == 0) throw sinew::graphicsError("no functions");
  glDisable(GL_DITHER);"""
        (folder / "own_glad.cpp").write_text("#include <glad/gl.h>\n" + text.replace(load, own))
        with (folder / "CMakeLists.txt").open("a") as lists:
            lists.write("""
enable_language(C)
add_executable(own_glad own_glad.cpp glad/src/gl.c)
target_include_directories(own_glad SYSTEM PRIVATE glad/include)
target_link_libraries(own_glad PRIVATE sinew::import sinew::gl glfw)
""")

    def out(self, name):
        return self.folder / name

    def test_examples_are_short(self):
        sources = sorted((ROOT / "examples").glob("*.cpp"))
        self.assertEqual(len(sources), 4)
        for source in sources:
            self.assertLess(len(source.read_text().splitlines()), 80, source.name)

    def test_skins_on_the_cpu_as_the_program_does(self):
        for method in ("lbs", "dqs", "bones-blending", "arc-spline"):
            with self.subTest(method):
                run(self.examples / "skin_on_cpu", self.model, method, "0.7", self.out("own.obj"))
                run(self.sinew, "export", self.model, "--clip", "0", "--time", "0.7", "--method",
                    method, "--quiet", "-o", self.out("reference.obj"))
                own, reference = (obj_positions(self.out(n)) for n in ("own.obj", "reference.obj"))
                self.assertGreater(len(own), 100)
                self.assertLess(largest_difference(own, reference), 1e-6)

    def test_draws_by_opengl_alone(self):
        display, environment = window_driver.start_display()
        self.addCleanup(display.wait)
        self.addCleanup(display.terminate)
        bind = self.out("bind.obj")
        run(self.sinew, "export", self.model, "--clip", "bind", "--quiet", "-o", bind)
        low, high = ([f(p[c] for p in obj_positions(bind)) for c in range(3)] for f in (min, max))
        scale = 1.2 / max(h - l for l, h in zip(low, high))
        seen = set()
        for method in ("lbs", "arc-spline"):
            run(self.examples / "draw_with_opengl", self.model, method, 40, self.out("drawn.ppm"), env=environment)
            seen.add(self.out("drawn.ppm").read_bytes())
            header, pixels = self.out("drawn.ppm").read_bytes().split(b"255\n", 1)
            self.assertEqual(header, b"P6 480 480 ")
            drawn = [divmod(i, 480) for i in range(480 * 480) if any(pixels[3 * i:3 * i + 3])]
            # Where the vertices of that moment are, seen by the sample's camera.
            run(self.sinew, "export", self.model, "--clip", "0", "--time", 40 / 60, "--method", method, "--quiet", "-o",
                self.out("posed.obj"))
            places = [[240 * (1 + scale * (p[c] - (low[c] + high[c]) / 2)) for c in range(2)]
                      for p in obj_positions(self.out("posed.obj"))]
            for axis, values in ((0, [x for x, _ in places]), (1, [480 - y for _, y in places])):
                along = [pixel[1 - axis] for pixel in drawn]
                self.assertAlmostEqual(min(along), min(values), delta=2)
                self.assertAlmostEqual(max(along), max(values), delta=2)
        self.assertEqual(len(seen), 2)

    def test_makes_the_weights_that_the_program_makes(self):
        mesh = self.out("arm.obj")
        run(self.sinew, "export", self.model, "--clip", "bind", "--quiet", "-o", mesh)
        run(self.examples / "automatic_weights", mesh, self.model, self.out("own.glb"))
        run(self.sinew, "weights", mesh, "--skeleton", self.model, "--quiet", "-o",
            self.out("reference.glb"))
        self.assertEqual(self.out("own.glb").read_bytes(), self.out("reference.glb").read_bytes())

    def test_packs_the_palette_of_a_crowd(self):
        characters = 3
        text = run(self.examples / "crowd_palette", self.model, "lbs", characters, self.out("rows"))
        data = self.out("rows").read_bytes()
        rows_of_one = len(data) // 16 // characters
        self.assertIn(f"{characters} characters, {rows_of_one} rows each", text)
        # A row of lbs is a row of a joint's matrix: blended here, by the weights that the file has.
        positions, joints, weights = self.read_skin(self.model)
        for character in range(characters):
            reference = self.out("reference.obj")
            run(self.sinew, "export", self.model, "--clip", "0", "--time", 0.1 * character,
                "--method", "lbs", "--quiet", "-o", reference)
            rows = list(struct.iter_unpack("<4f", data))[character * rows_of_one:][:rows_of_one]
            own = []
            for p, j, w in zip(positions, joints, weights):
                own.append(tuple(
                    sum(weight * (sum(a * b for a, b in zip(rows[3 * joint + axis], p))
                                  + rows[3 * joint + axis][3]) for joint, weight in zip(j, w))
                    for axis in range(3)))
            self.assertLess(largest_difference(own, obj_positions(reference)), 1e-4)

    def read_skin(self, path):
        """Positions, joints and weights of the only mesh of a .glb, four to a vertex."""
        data = path.read_bytes()
        length, = struct.unpack_from("<I", data, 12)
        document, blob = json.loads(data[20:20 + length]), data[20 + length + 8:]
        attributes = document["meshes"][0]["primitives"][0]["attributes"]

        def values(name):
            accessor = document["accessors"][attributes[name]]
            view = document["bufferViews"][accessor["bufferView"]]
            layout = {"VEC3": 3, "VEC4": 4}[accessor["type"]] * {5126: "f", 5123: "H", 5121: "B"}[
                accessor["componentType"]]
            size = struct.calcsize("<" + layout)
            start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            return [struct.unpack_from("<" + layout, blob, start + i * view.get("byteStride", size))
                    for i in range(accessor["count"])]

        return values("POSITION"), values("JOINTS_0"), values("WEIGHTS_0")

    def test_installs_a_program_with_manual_and_completions(self):
        share = self.prefix / "share"
        for file in ("applications/sinew.desktop", "icons/hicolor/scalable/apps/sinew.svg",
                     "mime/packages/sinew-models.xml", "man/man1/sinew.1.gz", "man/man1/sinew-render.1.gz",
                     "bash-completion/completions/sinew", "zsh/site-functions/_sinew",
                     "fish/vendor_completions.d/sinew.fish"):
            self.assertGreater((share / file).stat().st_size, 200, file)

    def test_installs_a_thumbnailer_that_file_managers_can_run(self):
        entry = (self.prefix / "share/thumbnailers/sinew.thumbnailer").read_text()
        command = re.search(r"(?m)^Exec=sinew (.*)$", entry).group(1)
        out = self.out("thumbnail")  # without an extension, as some name it
        values = {"%i": str(self.model), "%o": str(out)}
        run(self.sinew, *(values.get(word, word.replace("%s", "128")) for word in command.split()))
        self.assertEqual(window_driver.read_png(out)[:2], (128, 128))
        desktop = (self.prefix / "share/applications/sinew.desktop").read_text()
        types = lambda text: set(re.search(r"(?m)^MimeType=(.*)$", text).group(1).split(";"))
        self.assertEqual(types(desktop) - types(entry), {"model/x-bvh"})  # has nothing to draw

    def test_installs_headers_that_see_no_other_folder_of_ours(self):
        headers = sorted(self.prefix.glob("include/**/*.h"))
        self.assertGreater(len(headers), 40)
        for header in headers:
            for name in re.findall(r'#include "([^"]+)"', header.read_text()):
                self.assertTrue((self.prefix / "include" / name).exists(), f"{header}: {name}")
        # All of them in one translation unit: no two define the same name.
        source = self.folder / "all.cpp"
        source.write_text("".join(f'#include "{h.relative_to(self.prefix / "include")}"\n'
                                  for h in headers if "KHR" not in h.parts))
        run("c++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I",
            self.prefix / "include", source)

    def test_draws_in_a_window(self):
        display, environment = window_driver.start_display()
        self.addCleanup(display.wait)
        self.addCleanup(display.terminate)
        for method in ("lbs", "arc-spline"):
            pictures = []
            for frames in (1, 40):
                picture = self.out(f"{method}-{frames}.png")
                run(self.examples / "draw_in_window", self.model, method, "--frames", frames, picture,
                    env=environment)
                pictures.append(window_driver.read_png(picture)[2])
            first, later = pictures
            background = later[0][0]
            covered = sum(p != background for row in later for p in row) / (len(later) * len(later[0]))
            self.assertGreater(covered, 0.03, method)
            self.assertLess(covered, 0.8, method)
            self.assertNotEqual(first, later, method)
        with_own_glad = self.out("own-glad.png")
        run(self.examples / "own_glad", self.model, method, "--frames", frames, with_own_glad,
            env=environment)
        self.assertEqual(window_driver.read_png(with_own_glad)[2], later)
        # The last one against a picture that was looked at; as the golden images are compared.
        golden = window_driver.read_png(ROOT / "assets" / "golden" / "example-window.png")[2]
        differs = sum(max(abs(a - b) for a, b in zip(p, q)) > 8
                      for row, other in zip(later, golden, strict=True)
                      for p, q in zip(row, other, strict=True))
        self.assertLess(differs / (len(golden) * len(golden[0])), 0.004)


if __name__ == "__main__":
    BUILD = Path(sys.argv.pop(1)).resolve()
    if "--sanitized" in sys.argv:
        sys.argv.remove("--sanitized")
        SANITIZED = True
    unittest.main(verbosity=2)
