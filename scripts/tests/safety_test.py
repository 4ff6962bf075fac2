#!/usr/bin/env python3
"""What docs/safety.md promises of the whole program: faults from outside, nothing left behind, the
same bytes every time. What holds inside of one process is tested beside its source.

Usage: safety_test.py SINEW [--same-as OTHER]. OTHER is the program of another build (-O2, say),
which has to write the same bytes.
"""
import json
import os
import random
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib
from pathlib import Path

import determinism
from determinism import without_times
from hostile_files import control_characters, is_sanitized, write_glb, write_hostile_files

SINEW = ""
OTHER = []  # programs of other builds
PATIENCE = 120  # seconds, on a busy machine
THOROUGH = os.environ.get("SINEW_THOROUGH", "") not in ("", "0")
NOBODY = 65534
SANITIZED = False  # a sanitizer reserves more memory than any limit


def start(*words, program=None, **more):
    return subprocess.Popen([program or SINEW, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, **more)


def sinew(*words, patience=PATIENCE, **more):
    for _ in range(2):
        run = start(*words, **more)
        try:
            out, err = run.communicate(timeout=patience)
        finally:
            run.kill()
        # The leak checker of a sanitized build falls over now and then (command_line.py).
        if "LeakSanitizer has encountered a fatal error" not in err:
            break
    return subprocess.CompletedProcess(run.args, run.returncode, out, err)


def limited(which, value):
    return lambda: resource.setrlimit(which, (value, value))


def write_png(path, width, height, rows):
    """A black picture, one bit a pixel: as small as PNG can be. It ends after so many rows."""
    def chunk(name, content):
        return (struct.pack(">I", len(content)) + name + content +
                struct.pack(">I", zlib.crc32(name + content)))

    row = bytes(1 + (width + 7) // 8)
    packer = zlib.compressobj(9)
    pixels = b"".join(packer.compress(row * min(256, rows - y)) for y in range(0, rows, 256))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" +
                     chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)) +
                     chunk(b"IDAT", pixels + packer.flush()) + chunk(b"IEND", b""))


class Safety(unittest.TestCase):
    def setUp(self):
        self.dir = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def one_line(self, run, code, *says):
        self.assertEqual(run.returncode, code, run.stderr)
        lines = [line for line in run.stderr.splitlines() if line.startswith("sinew: ")]
        self.assertEqual(len(lines), 1, run.stderr)
        for word in says:
            self.assertIn(word, lines[0])

    def files(self):
        return sorted(p.name for p in self.dir.iterdir())

    # Signals

    def test_a_signal_leaves_nothing_unfinished_and_ends_the_program(self):
        film = ["render", "demo:arm", "--frames", "100000", "--size", "64x64", "-o", "film.mp4"]
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            for wait in 0.0, 0.15:
                run = start(*film, cwd=self.dir)
                until = time.monotonic() + 3.0  # without ffmpeg it may have ended
                while run.poll() is None and not self.files() and time.monotonic() < until:
                    time.sleep(0.01)
                time.sleep(wait)
                over = run.poll() is not None
                run.send_signal(number)
                run.communicate(timeout=PATIENCE)
                expected = {-number} if shutil.which("ffmpeg") else {-number, 2}  # it may just end
                self.assertTrue(over or run.returncode in expected, run.returncode)
                self.assertEqual(self.files(), [])

    def test_an_export_is_whole_or_not_there(self):
        whole = self.dir / "whole.glb"
        self.assertEqual(sinew("export", "demo:humanoid", "-o", whole).returncode, 0)
        content = whole.read_bytes()
        whole.unlink()
        for i in range(8):
            run = start("export", "demo:humanoid", "-o", "a.glb", cwd=self.dir)
            until = time.monotonic() + 0.05 * i
            while run.poll() is None and time.monotonic() < until and not self.files():
                pass
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=PATIENCE)
            self.assertIn(run.returncode, (0, -signal.SIGINT))
            self.assertLessEqual(set(self.files()), {"a.glb"})
            if self.files():
                self.assertEqual((self.dir / "a.glb").read_bytes(), content)
                (self.dir / "a.glb").unlink()

    # Disks

    def test_a_full_disk_is_one_line(self):
        for name in "a.glb", "a.ply", "a.png":
            words = ["render" if name == "a.png" else "export", "demo:humanoid", "-o", self.dir / name]
            run = sinew(*words, preexec_fn=limited(resource.RLIMIT_FSIZE, 1000))
            self.one_line(run, 2, name, "File too large")
            self.assertEqual(self.files(), [])
        if os.path.exists("/dev/full"):
            (self.dir / "full.ply").symlink_to("/dev/full")
            self.one_line(sinew("export", "demo:arm", "-o", self.dir / "full.ply"), 2, "No space left")

    def test_a_pipe_stays_a_pipe(self):
        pipe, plain = self.dir / "pipe.ply", self.dir / "plain.ply"
        os.mkfifo(pipe)
        got = []
        reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
        reader.start()
        for out in pipe, plain:
            run = sinew("export", "demo:arm", "-o", out)
            self.assertEqual(run.returncode, 0, run.stderr)
        reader.join(PATIENCE)
        self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))
        self.assertEqual(got, [plain.read_bytes()])

    def test_a_place_that_is_forbidden_is_said_to_be(self):
        as_nobody = {}
        if os.geteuid() == 0:  # who may do everything
            as_nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            self.dir.chmod(0o755)
            if not os.path.exists("/usr/bin/test") or subprocess.run(
                    ["/usr/bin/test", "-x", SINEW], **as_nobody).returncode != 0:
                self.skipTest("nobody may start the program")
        closed = self.dir / "closed"
        closed.mkdir()
        (closed / "m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        readable = self.dir / "closed.obj"
        readable.write_text("v 0 0 0\n")
        readable.chmod(0)
        closed.chmod(0o555)
        self.one_line(sinew("export", "demo:arm", "-o", closed / "a.ply", **as_nobody), 2,
                      "a.ply", "Permission denied")
        self.one_line(sinew("info", readable, **as_nobody), 3, "closed.obj", "Permission denied")
        closed.chmod(0)
        self.one_line(sinew("info", closed / "m.obj", **as_nobody), 3, "m.obj", "Permission denied")
        self.one_line(sinew("export", "demo:arm", "-o", closed / "a.ply", **as_nobody), 2,
                      "Permission denied")
        self.one_line(sinew("render", "demo:arm", "--pose", closed / "p.json", "-o", "a.png",
                            **as_nobody), 3, "p.json", "Permission denied")
        closed.chmod(0o755)

    def test_two_programs_that_save_one_file_leave_a_whole_one(self):
        contents = set()
        for model in "demo:arm", "demo:tentacle":
            self.assertEqual(sinew("export", model, "-o", self.dir / "one.ply").returncode, 0)
            contents.add((self.dir / "one.ply").read_bytes())
        for _ in range(4):
            runs = [start("export", model, "-o", self.dir / "one.ply")
                    for model in ("demo:arm", "demo:tentacle")]
            for run in runs:
                self.assertEqual((run.communicate(timeout=PATIENCE), run.returncode)[1], 0)
            self.assertIn((self.dir / "one.ply").read_bytes(), contents)
            self.assertEqual(self.files(), ["one.ply"])

    # What is read

    def test_a_file_that_changes_while_it_is_read_is_read_or_refused(self):
        self.assertEqual(sinew("export", "demo:arm", "-o", self.dir / "m.glb").returncode, 0)
        model, whole = self.dir / "m.glb", (self.dir / "m.glb").read_bytes()
        done = threading.Event()

        def change():
            contents = [whole, whole[:len(whole) // 2], b"", bytes(len(whole)), whole + whole]
            for i in range(1 << 30):
                if done.is_set():
                    return
                if i % 3 == 0:
                    (self.dir / "new").write_bytes(contents[i % 5])
                    os.replace(self.dir / "new", model)
                else:
                    model.write_bytes(contents[i % 5])

        thread = threading.Thread(target=change, daemon=True)
        thread.start()
        try:
            for _ in range(10):
                run = sinew("info", model)
                if run.returncode != 0:
                    self.one_line(run, 3, "m.glb")
        finally:
            done.set()
            thread.join(PATIENCE)

    def test_a_reader_that_is_killed_is_one_line(self):
        self.assertEqual(sinew("export", "demo:humanoid", "-o", self.dir / "m.glb").returncode, 0)
        chance = random.Random(11)
        killed = 0
        for _ in range(40 if THOROUGH else 8):
            run = start("info", self.dir / "m.glb")
            children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
            until = time.monotonic() + PATIENCE
            while run.poll() is None and time.monotonic() < until:
                if child := children.read_text().split() if children.exists() else []:
                    time.sleep(chance.uniform(0, 0.01))
                    try:
                        os.kill(int(child[0]), signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                    break
            _, err = run.communicate(timeout=PATIENCE)
            if run.returncode != 0:
                killed += 1
                self.one_line(subprocess.CompletedProcess(run.args, run.returncode, "", err), 3,
                              "m.glb", "crashed")
        if Path("/proc/self/task").exists() and killed == 0:
            self.skipTest("no child was met")

    def test_large_models_are_read_and_drawn(self):
        cases = {"joints": {"joints": 65536, "vertices": 70000}, "clips": {"clips": 10000}}
        if THOROUGH:
            cases["vertices"] = {"vertices": 4_000_000}
        for name, sizes in cases.items():
            model, picture = self.dir / f"{name}.glb", self.dir / f"{name}.png"
            write_glb(model, **sizes)
            # Processor time is what a hang costs; the clock also counts whatever runs beside.
            run = sinew("render", model, "--time", "0.5", "--size", "64x64", "--time-limit", 5 * PATIENCE,
                        "-o", picture, patience=5 * PATIENCE,
                        preexec_fn=limited(resource.RLIMIT_CPU, PATIENCE))
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertTrue(picture.exists())
        run = sinew("info", self.dir / "clips.glb", "--json")
        self.assertEqual(len(json.loads(run.stdout)["clips"]), 10000)

    def test_hostile_files_are_shown_or_refused_soon(self):
        for path, code, says in write_hostile_files(self.dir):
            with self.subTest(file=path.name):
                run = sinew("render", path, "--size", "64x64", "-o", self.dir / "a.png")
                self.assertEqual(run.returncode, code, run.stderr)
                self.assertIn(says, run.stderr)
                self.assertLess(len(run.stderr.splitlines()), 100)
                self.assertEqual(control_characters(run.stderr), set())

    def test_textures_too_large_are_scaled(self):
        (self.dir / "m.obj").write_text("mtllib m.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                                        "vt 0 0\nf 1/1 2/1 3/1\n")
        (self.dir / "m.mtl").write_text("newmtl a\nmap_Kd skin.png\n")
        for width, height, result in (1, 1_000_000, "1 x 16130"), (20000, 1000, "10000 x 500"), (
                60000, 60000, "checkerboard"):
            write_png(self.dir / "skin.png", width, height, 1 if result == "checkerboard" else height)
            for words in ["info", self.dir / "m.obj"], ["render", self.dir / "m.obj", "--size", "32x32",
                                                        "-o", self.dir / "a.png"]:
                run = sinew(*words)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn(result, run.stdout + run.stderr)

    def test_pipes_in_the_place_of_files_do_not_block(self):
        self.assertEqual(sinew("export", "demo:arm", "-o", self.dir / "m.glb").returncode, 0)
        for name in "zones", "weights", "splines", "drivers", "ragdoll":
            os.mkfifo(self.dir / f"m.glb.{name}.json")
        self.assertEqual(sinew("ragdoll", self.dir / "m.glb", "--seconds", "0.1", "--write",
                               "none").returncode, 0)
        os.mkfifo(self.dir / "pipe.glb")
        for place in self.dir / "pipe.glb", "/dev/zero", "/dev/null":
            self.one_line(sinew("info", place), 3, "not a regular file")
        (self.dir / "m.obj").write_text("mtllib pipe.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        os.mkfifo(self.dir / "pipe.mtl")
        self.assertIn("is not opened", sinew("info", self.dir / "m.obj").stdout)

    def test_textures_of_named_folders(self):
        pixel = b"\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\0\x10\x20\x30"
        places = [self.dir / name for name in ("model", "named")]
        for place in places:
            place.mkdir()
        (places[0] / "m.obj").write_text("mtllib m.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        (places[0] / "m.mtl").write_text("newmtl a\nmap_Kd skin.tga\n")
        (places[1] / "skin.tga").write_bytes(pixel)

        def found(*words):
            run = sinew("info", places[0] / "m.obj", "--json", *words)
            self.assertEqual(run.returncode, 0, run.stderr)
            return [t["found"] for t in json.loads(run.stdout)["textures"]]

        self.assertEqual(found(), [False])
        self.assertEqual(found("--texture-path", self.dir / "model", "--texture-path", places[1]), [True])
        self.one_line(sinew("info", places[0] / "m.obj", "--texture-path", self.dir / "none"), 2,
                      "none", "no such folder")

    # Memory

    def test_memory_that_is_refused_is_one_line(self):
        self.assertEqual(sinew("export", "demo:humanoid", "-o", self.dir / "m.glb").returncode, 0)
        if SANITIZED:
            self.skipTest("a sanitizer reserves more than any limit")
        codes = set()
        for megabytes in 60, 100, 160, 250, 400:
            for words in ["info", self.dir / "m.glb"], ["export", "demo:humanoid", "-o", self.dir / "a.ply"]:
                run = sinew(*words, preexec_fn=limited(resource.RLIMIT_AS, megabytes << 20))
                if run.returncode == 127 or "shared libraries" in run.stderr:
                    continue  # not even the program's libraries have room
                codes.add(run.returncode)
                if run.returncode != 0:
                    self.one_line(run, 4)
        self.assertLessEqual(codes, {0, 4})

    # Graphics

    def test_an_old_driver_draws_the_same_or_says_what_it_lacks(self):
        words = ["render", "demo:humanoid", "--method", "lbs,ddm", "--size", "96x96", "-o"]
        self.assertEqual(sinew(*words, self.dir / "new.png").returncode, 0)
        least = dict(os.environ, MESA_GL_VERSION_OVERRIDE="3.3", MESA_GLSL_VERSION_OVERRIDE="330")
        run = sinew(*words, self.dir / "old.png", env=least)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.dir / "old.png").read_bytes(), (self.dir / "new.png").read_bytes())
        older = dict(os.environ, MESA_GL_VERSION_OVERRIDE="3.2")
        run = sinew(*words, self.dir / "none.png", env=older)
        if run.returncode != 0:  # other drivers do not know these variables
            self.one_line(run, 5, "OpenGL 3.3")

    # Determinism

    def test_the_same_command_gives_the_same_bytes(self):
        model = determinism.character(SINEW, self.dir)
        for name, command in determinism.QUICK.items():
            found = determinism.outputs(command, [SINEW, *OTHER], 9 if THOROUGH else 0, model)
            self.assertEqual(len(set().union(*found.values())), 1, name)

    def test_another_build_reads_the_same_models(self):
        if not OTHER:
            self.skipTest("needs --same-as")
        shared = Path(__file__).resolve().parents[2].parent / "shared" / "models"
        kinds = {".x", ".fbx", ".glb", ".gltf", ".iqm", ".dae", ".b3d", ".md5mesh", ".bvh", ".obj"}
        for folder in Path("/usr/share/assimp/models"), shared:
            for model in sorted(p for p in folder.rglob("*") if p.suffix.lower() in kinds):
                with self.subTest(model=model):
                    words = ["info", model, "--json", "--time-limit", PATIENCE]
                    first, *others = [sinew(*words, program=p) for p in (SINEW, *OTHER)]
                    for run in others:
                        self.assertEqual(run.returncode, first.returncode)
                        self.assertEqual(without_times(run.stdout), without_times(first.stdout))


if __name__ == "__main__":
    SINEW = os.path.abspath(sys.argv.pop(1))
    while "--same-as" in sys.argv:
        at = sys.argv.index("--same-as")
        OTHER.append(os.path.abspath(sys.argv.pop(at + 1)))
        sys.argv.pop(at)
    SANITIZED = is_sanitized(Path(SINEW))
    unittest.main(verbosity=1)
