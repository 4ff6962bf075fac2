"""Drives the real window under a virtual display by keys and mouse, for the tests of the window
(viewer_*_test.py), and reads PNG files.

Needs Xvfb, xdotool and netpbm; starts a display of its own.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SINEW = ""
ACCENT = (89, 168, 245)  # handles and marks
PATIENCE = 120  # seconds for the window to do something, on a busy machine


def read_png(path):
    """Width, height and rows of pixels of a PNG without transparency, by netpbm."""
    data = subprocess.run(["pngtopnm", path], capture_output=True, check=True).stdout
    width, height = map(int, re.match(rb"P6\s(\d+) (\d+)\s255\s", data).groups())
    pixels, stride = data[-3 * width * height:], 3 * width
    return width, height, [[row[x:x + 3] for x in range(0, stride, 3)]
                           for row in (pixels[at:at + stride] for at in range(0, len(pixels), stride))]


def colors(path):
    """How many colours the middle third of a picture has: a blank one has one, a grid few."""
    width, height, rows = read_png(path)
    return len({p for row in rows[height // 3:2 * height // 3] for p in row[width // 3:2 * width // 3]})


def start_display():
    """An X server of our own, to be terminated, and the environment of programs that use it."""
    read, write = os.pipe()
    # Without -noreset the server resets when its last window closes, and refuses connections
    # meanwhile.
    display = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "+extension", "GLX",
         "-noreset"], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as number:
        name = ":" + number.readline().strip()
    environment = dict(os.environ, DISPLAY=name)
    environment.pop("WAYLAND_DISPLAY", None)
    # X unloads its OpenGL driver at the end; what that leaks has no name left to suppress it by.
    options = [environment.get("ASAN_OPTIONS", ""), "detect_leaks=0"]
    environment["ASAN_OPTIONS"] = ":".join(filter(None, options))
    return display, environment


class WindowTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.display, cls.environment = start_display()

    @classmethod
    def tearDownClass(cls):
        cls.display.terminate()
        cls.display.wait()

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.environment = dict(self.environment, XDG_CONFIG_HOME=str(self.folder / "config"),
                                XDG_STATE_HOME=str(self.folder / "state"))

    def run_view(self, *words, **environment):
        return subprocess.run([SINEW, "view", *map(str, words)], capture_output=True, text=True,
                              timeout=4 * PATIENCE, cwd=self.folder,
                              env={**self.environment, **environment})

    def start_view(self, *words):
        """In the plain look, whose frames are short: in a long one a key counts as held and repeats."""
        if "--look" not in words:
            words = (*words, "--look", "plain")
        viewer = subprocess.Popen([SINEW, *map(str, words)], stderr=subprocess.PIPE, text=True,
                                  cwd=self.folder, env=self.environment)
        self.addCleanup(viewer.stderr.close)
        self.addCleanup(viewer.wait)
        self.addCleanup(viewer.kill)
        self.viewer = viewer
        return viewer

    def xdotool(self, *words):
        return subprocess.run(["xdotool", *words], env=self.environment, capture_output=True,
                              text=True, timeout=PATIENCE)

    def wait_until(self, condition, what):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if condition():
                return
            time.sleep(0.1)
        self.fail(what)

    def press_until(self, key, condition, what):
        """Again where it was not heard, as while a dialog closes; seldom, so that no press is heard late."""
        def press():
            self.keys(key)
            until = time.monotonic() + 5
            while not condition() and time.monotonic() < until:
                time.sleep(0.1)
            return condition()
        self.wait_until(press, what)

    def wait_for_title(self, title):
        self.wait_until(lambda: self.xdotool("search", "--name", f"^{re.escape(title)}$").stdout,
                        f"no window '{title}'")
        self.xdotool("mousemove", "640", "600")

    def keys(self, *names):
        for name in names:
            self.assertEqual(self.xdotool("key", "--delay", "40", name).returncode, 0)
            time.sleep(0.15)

    def pause(self, seconds):
        """Sleeps; on a busy machine longer, until the window waits for events or has computed a quarter of it."""
        def computed():
            words = Path(f"/proc/{self.viewer.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

        def waits():
            for _ in range(5):
                time.sleep(0.02)
                for task in Path(f"/proc/{self.viewer.pid}/task").iterdir():
                    if (task / "stat").read_text().rsplit(")", 1)[1].split()[0] == "R":
                        return False
            return True

        def is_done():
            try:
                return computed() >= wanted or waits()
            except OSError:  # a thread has ended, or all
                return self.viewer.poll() is not None
        wanted = computed() + seconds / 4
        time.sleep(seconds)
        self.wait_until(is_done, "the window stands still")

    def quit(self, viewer):
        self.keys("ctrl+q")
        self.assertEqual(viewer.wait(timeout=PATIENCE), 0)
        return viewer.stderr.read()

    def unsaved_quit(self, viewer):
        """The second time means it."""
        self.keys("ctrl+q", "ctrl+q")
        self.assertEqual(viewer.wait(timeout=PATIENCE), 0)
        return viewer.stderr.read()

    def settings(self):
        return json.loads((self.folder / "config/sinew/settings.json").read_text())

    def screenshot(self, name):
        self.keys("p")
        shot = self.folder / name
        self.wait_until(lambda: shot.exists() and shot.stat().st_size > 0, "no screenshot")
        self.pause(0.3)
        return read_png(shot)

    def picture(self):
        """The whole window now, as rows of pixels."""
        before = set(self.folder.glob("sinew-*-0*.png"))
        self.keys("shift+p")
        self.wait_until(lambda: set(self.folder.glob("sinew-*-0*.png")) - before, "no screenshot")
        shot, = set(self.folder.glob("sinew-*-0*.png")) - before
        return read_png(shot)[2]

    def pixels_like(self, color, columns=range(270, 970), rows=None):
        """Where a handle of this colour is, between the panels or in other columns, now or in that picture."""
        rows = rows or self.picture()
        red, green, blue = color
        return [(x, y) for y in range(40, 700) for x in columns
                for p in (rows[y][x],)
                if abs(p[0] - red) < 12 and abs(p[1] - green) < 12 and abs(p[2] - blue) < 12]

    def drag(self, start, end, meanwhile=()):
        """At once, and away again: a slow frame sees all of it together."""
        words = ["mousemove", *start, "mousedown", "1"]
        for i in range(1, 9):
            words += ["mousemove", *(a + (b - a) * i // 8 for a, b in zip(start, end))]
        self.xdotool(*map(str, [*words, *meanwhile, "mouseup", "1", "mousemove", "640", "650"]))

    def start_arm(self, *words):
        viewer = self.start_view("demo:arm", "--clip", "none", "--show", "weights:LowerArm", "--size",
                                 "1280x800", "--yaw", "20", "--pitch", "30", *words)
        self.wait_for_title("arm - sinew")
        self.keys("e", "h")
        return viewer

    def along_a_ring(self):
        """From where on a ring of the selected joint, and whereto."""
        ring = self.pixels_like((92, 146, 255))
        self.assertGreater(len(ring), 100, "no ring")
        start = sorted(ring)[len(ring) // 2]
        end = min(ring, key=lambda p: abs(math.dist(p, start) - 60))
        return start, end

    def weights(self):
        """Of the morph targets, in a pose saved now."""
        poses = lambda: set(self.folder.glob("sinew-flexing-arm-pose-*.json"))
        before = poses()

        self.press_until("ctrl+alt+s", lambda: poses() - before, "no pose")
        return json.loads(max(poses() - before).read_text())["morphs"]

    def saved(self, key, pattern):
        """The JSON of the file that a key saves."""
        before = set(self.folder.glob(pattern))
        new = lambda: set(self.folder.glob(pattern)) - before
        self.press_until(key, new, f"no {pattern}")
        self.pause(0.3)
        return json.loads(max(new()).read_text())

    def type_name(self, key, name):
        self.keys(key)
        self.pause(1.5)  # until the field has the keyboard
        self.xdotool("type", "--delay", "60", str(name))
        self.pause(0.5)
        self.keys("Return")
        self.pause(0.5)

    def click(self, x, y, button):
        self.xdotool("mousemove", str(x), str(y), "click", button, "mousemove", "640", "650")

    def start_layers(self, layers, *words):
        file = self.folder / "given.json"
        file.write_text(json.dumps({"sinew": "layers", "layers": layers}))
        viewer = self.start_view("demo:humanoid", "--clip", "none", "--layers", file, "--show",
                                 "weights:LeftHand", "--size", "1280x800", *words)
        self.wait_for_title("humanoid - sinew")
        self.keys("h", "ctrl+shift+l")
        return viewer

    def saved_layers(self):
        return self.saved("ctrl+l", "sinew-humanoid-layers-*.json")["layers"]

    GREEN = (120, 214, 98)  # the arrow upwards

    TUBE = [(0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 2.0, 0.0)]  # the skeleton's joints

    def write_tube(self, rings=33, around=24):
        """A tube about TUBE as .obj, its skeleton as .tgf."""
        lines = []
        for r in range(rings):
            for a in range(around):
                turn = 2 * math.pi * a / around
                lines.append(f"v {0.3 * math.cos(turn):.6f} {2.2 * r / (rings - 1) - 0.1:.6f} "
                             f"{0.3 * math.sin(turn):.6f}")
        for r in range(rings - 1):
            for a in range(around):
                low = [r * around + a + 1, r * around + (a + 1) % around + 1]
                lines.append(f"f {low[0]} {low[0] + around} {low[1] + around} {low[1]}")
        (self.folder / "tube.obj").write_text("\n".join(lines) + "\n")
        joints = [f"{i} {x} {y} {z}" for i, (x, y, z) in enumerate(self.TUBE, 1)]
        (self.folder / "tube.tgf").write_text("\n".join(joints + ["#", "1 2", "2 3"]) + "\n")

    def choose_skeleton(self, file):
        self.type_name("ctrl+k", file)
        self.pause(0.5)

    def save_model(self):
        """The model saved as .glb now."""
        files = lambda: set(self.folder.glob("*.glb"))
        before = files()
        self.keys("ctrl+e")
        self.press_until("Return", lambda: files() - before, "no model saved")
        return max(files() - before)

    def joints_of(self, file):
        done = subprocess.run([SINEW, "info", str(file), "--json"], capture_output=True, text=True,
                              timeout=PATIENCE, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["joints"]

    def saved_within(self, joints):
        """Saves until the file has so many joints: work behind the window ends when it ends."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            file = self.save_model()
            if self.joints_of(file) == joints:
                return file
        self.fail(f"no file with {joints} joints")


def main():
    """The tests of the module that runs. Usage: MODULE SINEW."""
    global SINEW
    SINEW = os.path.abspath(sys.argv.pop(1))
    unittest.main()
