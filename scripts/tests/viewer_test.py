#!/usr/bin/env python3
"""The real window under a virtual display, driven by keys.

Usage: viewer_test.py SINEW [--part K/N]. Needs Xvfb, xdotool and netpbm; starts a display of its
own. A part is every N-th test, from the K-th: parts run side by side.
"""
import json
import math
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SINEW = ""
ACCENT = (89, 168, 245)  # of handles and marks
PART, PARTS = 1, 1
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


class ViewerTest(unittest.TestCase):
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

    def test_picture_of_the_window(self):
        picture = self.folder / "a.png"
        done = self.run_view("--frames", 3, "--screenshot", picture, "--size", "640x400")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(read_png(picture)[:2], (640, 400))
        self.assertGreater(colors(picture), 200)
        self.assertFalse((self.folder / "config").exists(), "nothing is to be remembered")

    def test_a_window_of_one_pixel(self):
        viewer = self.start_view("view", "demo:arm", "--fresh")
        self.wait_for_title("arm - sinew")
        window = self.xdotool("search", "--name", "^arm - sinew$").stdout.split()[-1]
        for size in ("1", "1"), ("700", "1"), ("640", "480"):
            self.xdotool("windowsize", window, *size)
            self.pause(0.3)
        self.assertEqual(self.quit(viewer), "")

    def test_stress_scene(self):
        picture = self.folder / "a.png"
        done = self.run_view("--stress", 20000, "--frames", 3, "--screenshot", picture)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertGreater(colors(picture), 200)

    def test_errors(self):
        bad = self.folder / "bad.x"
        bad.write_text("not a model")
        cases = [(3, [bad, "--frames", 2]), (3, [self.folder / "none.fbx", "--frames", 2]),
                 (2, ["--screenshot", "a.png"]), (2, ["--method", "no-such", "--frames", 2]),
                 (2, ["--stress", "100", "--method", "lbs,dqs"]),
                 (2, ["--stress", "100", "--difference", "lbs"]),
                 (2, ["--stress", "100", "--side-by-side"]),
                 (2, ["demo:arm"] * 7 + ["--side-by-side", "--frames", 2]),
                 (3, ["demo:arm", bad, "--side-by-side", "--frames", 2]),
                 (2, ["--clip", "no-such", "--frames", 2]),
                 (2, ["--show", "weights:no-such", "--frames", 2])]
        for code, words in cases:
            with self.subTest(words=words):
                done = self.run_view(*words)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        done = self.run_view(DISPLAY="")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("sinew render", done.stderr)

    def test_an_error_in_the_loop_ends_in_its_message(self):
        # The window's context outlives what lives in it, else deleting that crashes.
        done = self.run_view("--frames", 2, "--screenshot", self.folder / "missing" / "a.png")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("missing", done.stderr)

    def test_keys_change_the_picture_and_are_remembered(self):
        viewer = self.start_view()
        self.wait_for_title("humanoid - sinew")
        self.keys("space", "1", "w", "s", "shift+i", "shift+n", "shift+a", "bracketright", "period", "question", "Escape", "F5", "f", "p")
        shot = self.folder / "sinew-humanoid-001.png"
        self.wait_until(shot.exists, "no screenshot")
        self.assertEqual(self.quit(viewer), "")
        self.assertGreater(colors(shot), 200)
        settings = json.loads((self.folder / "config/sinew/settings.json").read_text())
        self.assertTrue(settings["wireframe"] and settings["skeleton"])
        self.assertEqual(settings["method"], "rigid")  # not the second view
        self.assertEqual(settings["clip"], "")
        self.assertTrue(json.loads((self.folder / "config/sinew/window.json").read_text())["light"])

    def settings(self):
        return json.loads((self.folder / "config/sinew/settings.json").read_text())

    def screenshot(self, name):
        self.keys("p")
        shot = self.folder / name
        self.wait_until(lambda: shot.exists() and shot.stat().st_size > 0, "no screenshot")
        self.pause(0.3)
        return read_png(shot)

    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_a_gif_of_the_views(self):
        viewer = self.start_view("demo:tentacle", "--method", "lbs,dqs", "--range-end", "0.2")
        self.wait_for_title("tentacle - sinew")
        self.keys("ctrl+r", "Return")  # what is proposed: a GIF of the clip
        gif = self.folder / "sinew-tentacle-001.gif"
        self.wait_until(gif.exists, "no GIF")
        self.assertEqual(gif.read_bytes()[:6], b"GIF89a")
        self.assertEqual(struct.unpack("<2H", gif.read_bytes()[6:10]), (1280, 720))
        self.assertEqual([path.name for path in self.folder.iterdir() if path.is_dir()], [])
        self.quit(viewer)

    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_a_film_of_the_view_in_three_actions(self):
        viewer = self.start_view("demo:tentacle", "--range-end", "0.2", "--size", "1280x800")
        self.wait_for_title("tentacle - sinew")
        film = self.folder / "sinew-tentacle-001.mp4"
        self.keys("ctrl+r")  # 1
        self.pause(1)  # until the dialog is there
        self.click(597, 228, "1")  # 2: a film
        self.pause(0.5)
        self.keys("Return")  # 3: under the proposed name
        self.wait_until(film.exists, "no film")
        self.wait_until(lambda: film.read_bytes()[4:8] == b"ftyp", "no film in the file")
        self.quit(viewer)

    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_a_recording_is_discarded(self):
        viewer = self.start_view("demo:tentacle", "--speed", "0.25")  # four times as long
        self.wait_for_title("tentacle - sinew")
        self.keys("ctrl+r", "Return")
        self.wait_until(lambda: list(self.folder.glob("sinew-tentacle*")), "nothing is recorded")
        self.keys("Escape")
        self.wait_until(lambda: not list(self.folder.glob("sinew-tentacle*")), "pictures stay")
        self.quit(viewer)
        self.assertFalse((self.folder / "sinew-tentacle-001.gif").exists())

    def test_keys_add_and_remove_views(self):
        viewer = self.start_view("demo:humanoid")
        self.wait_for_title("humanoid - sinew")
        self.keys("space", "v", "5", "ctrl+Prior")
        self.click(260, 40, "1")  # the chip of the third method
        self.keys("v", "shift+v", "Return", "Return", "d", "p")
        self.wait_until((self.folder / "sinew-humanoid-001.png").exists, "no screenshot")
        self.assertEqual(self.quit(viewer), "")
        self.assertEqual(self.settings()["method"], "dqs")  # not the views: they were of this model
        self.assertEqual(self.settings()["difference"], "none")

    def test_views_of_one_method_are_equal_and_the_mouse_chooses_one(self):
        viewer = self.start_view("demo:humanoid", "--method", "lbs,lbs", "--no-playing", "--time",
                                 "2.25", "--clip", "stretch")
        self.wait_for_title("humanoid - sinew")
        self.keys("Tab")
        width, height, rows = self.screenshot("sinew-humanoid-001.png")
        self.assertEqual((width, height), (1280, 800))
        self.assertTrue(all(r[:639] == r[641:] for r in rows), "the views differ")
        self.xdotool("mousemove", "900", "700", "click", "1")
        self.pause(0.3)
        self.keys("5")
        rows = self.screenshot("sinew-humanoid-002.png")[2]
        self.assertTrue(any(r[:639] != r[641:] for r in rows), "both views are the same")
        self.xdotool("mousemove", "900", "700", "click", "--repeat", "2", "--delay", "60", "1")
        self.pause(0.5)
        alone = self.screenshot("sinew-humanoid-003.png")[2]
        self.assertTrue(alone[400] != rows[400], "the view is not alone")
        self.quit(viewer)
        self.assertEqual(self.settings()["method"], "lbs")

    def next_screenshot(self):
        before = set(self.folder.glob("*.png"))
        self.keys("p")
        self.wait_until(lambda: set(self.folder.glob("*.png")) - before, "no screenshot")
        shot, = set(self.folder.glob("*.png")) - before
        self.wait_until(lambda: shot.stat().st_size > 0, "an empty screenshot")
        self.pause(0.3)
        return read_png(shot)

    def shown_views(self):
        """The pixels of each view in a row of them, by the dark columns between them."""
        _, _, rows = self.next_screenshot()
        columns = list(zip(*rows))
        gaps = [x for x, column in enumerate(columns) if all(max(p) < 16 for p in column)]
        views, start = [], 0
        for end in [*gaps, len(columns)]:
            if end > start:
                views.append(columns[start:end])
            start = end + 1
        return views

    def test_three_models_side_by_side_play_change_places_and_are_removed(self):
        viewer = self.start_view("demo:humanoid", "demo:arm", "demo:tentacle", "--side-by-side",
                                 "--no-playing", "--no-contact-shadow")
        self.wait_for_title("humanoid - sinew")
        self.keys("Tab")
        self.wait_until(lambda: len(self.shown_views()) == 3, "not three views")
        still = self.shown_views()
        for i in range(3):
            self.assertGreater(len({p for column in still[i] for p in column}), 200, "an empty view")
            self.assertNotEqual(still[i], still[(i + 1) % 3])
        self.assertEqual(self.shown_views(), still)
        self.keys("space")
        self.wait_until(lambda: all(a != b for a, b in zip(self.shown_views(), still)),
                        "one of them does not play")
        self.keys("space", "ctrl+Next", "ctrl+Return")
        self.wait_for_title("arm - sinew")
        self.assertEqual(len(self.shown_views()), 3)
        self.keys("shift+v")  # the humanoid, whose view is still the active one
        self.wait_until(lambda: len(self.shown_views()) == 2, "it is not removed")
        self.keys("shift+v", "shift+v")  # the tentacle; the document's view stays
        self.wait_until(lambda: len(self.shown_views()) == 1, "the second one is not removed")
        self.assertEqual(self.quit(viewer), "")

    def test_without_a_model_two_methods_are_side_by_side(self):
        viewer = self.start_view()
        self.wait_for_title("humanoid - sinew")
        self.keys("v")
        viewer.terminate()  # as if it were closed: what is to be remembered is
        self.assertEqual(viewer.wait(timeout=PATIENCE), 0)
        self.assertEqual(self.settings()["method"], "lbs")

    def views_beside_one_another(self):
        """Whether the picture has a gap between two views in its middle."""
        rows = self.picture()
        return any(all(max(rows[y][x]) < 16 for y in range(100, 600)) for x in range(605, 625))

    def test_the_tour_follows_the_first_screen(self):
        viewer = self.start_view()
        self.wait_for_title("humanoid - sinew")
        self.assertTrue(self.views_beside_one_another(), "the first screen")
        self.keys("F2")
        self.wait_until(lambda: not self.views_beside_one_another(), "no first step")
        self.quit(viewer)
        self.assertFalse(self.settings()["ping-pong"])
        self.assertEqual(self.settings()["method"], "lbs")

    def test_a_report_is_made_of_the_pose_on_screen(self):
        viewer = self.start_arm()
        start, end = self.along_a_ring()
        self.drag(start, end)
        self.keys("ctrl+shift+r")
        self.pause(1)  # until the field has the keyboard
        self.keys("Return")
        report = self.folder / "sinew-arm-report-001.html"
        self.wait_until(report.exists, "no report")
        self.assertIn("Arc-spline", report.read_text())
        self.assertEqual(self.unsaved_quit(viewer), "")

    def test_the_file_dialog_takes_a_name_after_a_click_on_a_folder(self):
        subprocess.run([SINEW, "export", "demo:tentacle", "-o", self.folder / "curl.glb", "--quiet"],
                       check=True, timeout=PATIENCE)
        viewer = self.start_view("demo:arm", "--size", "1280x800")
        self.wait_for_title("arm - sinew")

        def opened():  # again where the dialog was not there yet
            self.keys("Escape", "ctrl+o")
            self.pause(1.5)
            self.click(282, 199, "1")  # the root of the path
            self.pause(0.5)
            self.xdotool("type", "--delay", "30", str(self.folder / "curl.glb")[1:])
            self.pause(0.5)
            self.keys("Return")
            self.pause(1)
            return self.xdotool("search", "--name", "^curl - sinew$").stdout
        self.wait_until(opened, "not opened")
        self.quit(viewer)

    def test_difference_view(self):
        picture = self.folder / "a.png"
        done = self.run_view("demo:humanoid", "--clip", "stretch", "--time", "2.25", "--no-playing",
                             "--method", "lbs,arc-spline", "--difference", "lbs", "--frames", 3,
                             "--screenshot", picture, "--size", "1024x640")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        width, height, rows = read_png(picture)
        blue = sum(p[2] > 150 and p[0] < 80 and p[1] < 80 for row in rows for p in row)
        self.assertGreater(blue, 2000)

    def test_a_broken_settings_file_gives_one_warning(self):
        config = self.folder / "config/sinew"
        config.mkdir(parents=True)
        (config / "settings.json").write_text("{ nonsense")
        viewer = self.start_view()
        self.wait_for_title("humanoid - sinew")
        said = self.quit(viewer)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertEqual((config / "settings.json.bad").read_text(), "{ nonsense")

    def test_a_file_that_fails_leaves_a_window_with_a_model(self):
        bad = self.folder / "bad.x"
        bad.write_text("not a model")
        viewer = self.start_view(bad)
        self.wait_for_title("humanoid - sinew")
        self.assertIn("bad.x", self.quit(viewer))

    # Poses and zones

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

    def saved_turn(self):
        """Of the lower arm, in a pose saved now, in degrees; and the file."""
        poses = lambda: set(self.folder.glob("sinew-arm-pose-*.json"))
        before = poses()

        def saved():
            self.keys("ctrl+alt+s")  # a dialog that is still closing does not hear it
            return poses() - before
        self.wait_until(saved, "no pose")
        file = max(poses() - before)
        turn = json.loads(file.read_text())["nodes"]["LowerArm"]["rotation"]
        return math.degrees(2 * math.acos(min(1, abs(turn[3])))), file

    def start_arm(self, *words):
        viewer = self.start_view("demo:arm", "--clip", "none", "--show", "weights:LowerArm", "--size",
                                 "1280x800", "--yaw", "20", "--pitch", "30", *words)
        self.wait_for_title("arm - sinew")
        self.keys("h")
        return viewer

    def along_a_ring(self):
        """From where on a ring of the selected joint, and whereto."""
        ring = self.pixels_like((92, 146, 255))
        self.assertGreater(len(ring), 100, "no ring")
        start = sorted(ring)[len(ring) // 2]
        end = min(ring, key=lambda p: abs(math.dist(p, start) - 60))
        return start, end

    def test_a_ring_turns_a_joint_and_the_pose_is_saved_and_opened(self):
        viewer = self.start_arm()
        start, end = self.along_a_ring()
        self.drag(start, end)
        degrees, file = self.saved_turn()
        self.assertGreater(degrees, 15)
        self.assertLess(degrees, 90)
        self.keys("ctrl+z")
        self.assertLess(self.saved_turn()[0], 0.1)
        self.keys("ctrl+y", "Delete")
        self.assertLess(self.saved_turn()[0], 0.1)
        self.keys("ctrl+p")
        self.pause(1.5)  # until the field has the keyboard
        self.xdotool("type", "--delay", "60", file.name)
        self.pause(0.5)
        self.keys("Return")
        self.pause(0.5)
        self.assertAlmostEqual(self.saved_turn()[0], degrees, 2)
        self.assertEqual(self.quit(viewer), "")
        pictures = []
        for words in [[], ["--pose", file]]:
            picture = self.folder / f"{len(words)}.png"
            done = self.run_view("demo:arm", "--clip", "none", "--frames", 3, "--screenshot", picture,
                                 *words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            pictures.append(read_png(picture)[2])
        changed = sum(a != b for p, q in zip(*pictures) for a, b in zip(p, q))
        self.assertGreater(changed, 2000)

    def weights(self):
        """Of the morph targets, in a pose saved now."""
        poses = lambda: set(self.folder.glob("sinew-flexing-arm-pose-*.json"))
        before = poses()

        def saved():
            self.keys("ctrl+alt+s")
            return poses() - before
        self.wait_until(saved, "no pose")
        return json.loads(max(poses() - before).read_text())["morphs"]

    def test_a_slider_changes_the_weight_of_a_morph_target(self):
        viewer = self.start_view("view", "demo:flexing-arm", "--clip", "none", "--size", "1280x800")
        self.wait_for_title("flexing-arm - sinew")
        none = self.weights()
        self.assertEqual(set(none), {"biceps", "triceps", "forearm", "reach"})
        self.assertEqual(set(none.values()), {0})
        self.keys("shift+m")
        self.pause(0.5)
        # The slider of the first target begins where its grab is, the highest one.
        grabs = self.pixels_like((74, 144, 217), range(985, 1270))
        self.assertGreater(len(grabs), 20, "no slider")
        x, y = min(grabs, key=lambda p: p[1])
        self.drag((x + 3, y + 6), (x + 150, y + 6))
        self.xdotool("mousemove", "640", "600")
        changed = self.weights()
        self.assertGreater(changed["biceps"], 0.3)
        self.assertLess(changed["biceps"], 0.95)
        self.assertEqual([changed[n] for n in ("triceps", "forearm", "reach")], [0, 0, 0])
        self.keys("ctrl+z")
        self.assertEqual(self.weights(), none)
        self.keys("ctrl+y")
        self.assertEqual(self.weights(), changed)
        self.assertEqual(self.quit(viewer), "")

    def test_a_drag_is_taken_back(self):
        viewer = self.start_arm()
        start, end = self.along_a_ring()
        self.drag(start, end, meanwhile=["key", "Escape", "mousemove", *end])
        self.assertLess(self.saved_turn()[0], 0.1)
        self.drag(start, end)  # the joint is selected as before
        degrees, _ = self.saved_turn()
        self.assertGreater(degrees, 15)
        start, end = self.along_a_ring()
        self.drag(start, end, meanwhile=["key", "ctrl+z"])
        self.assertAlmostEqual(self.saved_turn()[0], degrees, 3)
        self.keys("ctrl+z")
        self.assertLess(self.saved_turn()[0], 0.1)
        self.assertEqual(self.quit(viewer), "")

    def saved(self, key, pattern):
        """The JSON of the file that a key saves."""
        before = set(self.folder.glob(pattern))
        new = lambda: set(self.folder.glob(pattern)) - before
        def press():
            self.keys(key)  # a dialog that is still closing does not hear it
            return new()
        self.wait_until(press, f"no {pattern}")
        self.pause(0.3)
        return json.loads(max(new()).read_text())

    def exported(self, *words):
        file = self.folder / "exported.json"
        subprocess.run([SINEW, "export", "demo:humanoid", "--clip", "walk", *map(str, words), "-o", file],
                       check=True, timeout=PATIENCE)
        return json.loads(file.read_text())["nodes"]

    def assertSamePose(self, pose, nodes):
        for name, node in nodes.items():
            for part, values in node.items():
                for a, b in zip(values, pose["nodes"][name][part]):
                    self.assertAlmostEqual(a, b, 3, f"{name} {part}")

    def test_layers_are_opened_undone_and_saved_and_a_range_plays(self):
        layer_file = self.folder / "layers.json"
        layers = [{"name": "wave", "kind": "clip", "clip": "wave", "weight": 0.75,
                   "mask": ["RightShoulder"]}]
        layer_file.write_text(json.dumps({"sinew": "layers", "layers": layers}))
        at = ["--time", "0.4"]
        plain, waved = self.exported(*at), self.exported(*at, "--layers", layer_file)
        self.assertNotEqual(plain, waved)
        viewer = self.start_view("demo:humanoid", "--clip", "walk", "--no-playing", *at)
        self.wait_for_title("humanoid - sinew")
        pose = lambda: self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")
        self.assertSamePose(pose(), plain)
        self.keys("ctrl+p")
        self.pause(1.5)  # until the field has the keyboard
        self.xdotool("type", "--delay", "60", layer_file.name)
        self.pause(0.5)
        self.keys("Return")
        self.pause(0.5)
        self.assertSamePose(pose(), waved)
        self.keys("ctrl+z")
        self.assertSamePose(pose(), plain)
        self.keys("ctrl+y")
        saved = self.saved("ctrl+l", "sinew-humanoid-layers-*.json")
        self.assertEqual(saved["layers"][0]["clip"], "wave")
        self.assertEqual(saved["layers"][0]["weight"], 0.75)
        self.keys("ctrl+z", "braceright", "Right")  # the range ends here: the next frame is its second
        self.assertSamePose(pose(), self.exported("--time", "0.025"))
        self.assertEqual(self.quit(viewer), "")

    def type_name(self, key, name):
        self.keys(key)
        self.pause(1.5)  # until the field has the keyboard
        self.xdotool("type", "--delay", "60", str(name))
        self.pause(0.5)
        self.keys("Return")
        self.pause(0.5)

    def time_line(self):
        """Left, right and the middle row of the time line: its handles are the accent's colour."""
        rows = self.picture()
        accent = [(x, y) for y in range(740, 800) for x in range(1280)
                  if all(abs(c - w) < 12 for c, w in zip(rows[y][x], ACCENT))]
        self.assertGreater(len(accent), 20, "no handles")
        xs = [x for x, y in accent]
        ys = [y for x, y in accent if x in (min(xs), max(xs))]
        return min(xs), max(xs), (min(ys) + max(ys)) // 2

    def click(self, x, y, button):
        self.xdotool("mousemove", str(x), str(y), "click", button, "mousemove", "640", "650")

    def test_a_wave_is_keyed_in_eight_actions(self):
        viewer = self.start_view("demo:humanoid", "--size", "1280x800")
        self.wait_for_title("humanoid - sinew")
        self.click(128, 375, "1")  # 1: the right upper arm
        self.keys("ctrl+n")  # 2: a new clip
        self.drag((654, 205), (640, 120))  # 3: up
        self.pause(0.5)
        self.click(500, 585, "1")  # 4: half a second later
        self.pause(0.5)
        self.drag((654, 205), (640, 150))  # 5: further
        self.pause(0.5)
        self.keys("shift+l", "space", "ctrl+s")  # 6, 7, 8: there and back, play, save
        saved = self.folder / "sinew-humanoid-001.glb"
        self.wait_until(saved.exists, "nothing is saved")
        self.pause(0.3)
        info = subprocess.run([SINEW, "info", saved, "--json"], capture_output=True, text=True,
                              timeout=PATIENCE)
        clips = {c["name"]: c for c in json.loads(info.stdout)["clips"]}
        self.assertEqual(clips["clip"]["channels"], 1)
        self.assertAlmostEqual(clips["clip"]["seconds"], 2.0, places=3)
        self.assertEqual(self.quit(viewer), "")

    def test_a_signal_keeps_unsaved_work_for_the_next_start(self):
        viewer = self.start_view("view", "demo:arm")
        self.wait_for_title("arm - sinew")
        self.keys("ctrl+shift+d", "F12")  # the clip again; the screenshot shows that it is there
        self.wait_until(lambda: list(self.folder.glob("*.png")), "no screenshot")
        viewer.send_signal(signal.SIGTERM)
        self.assertEqual(viewer.wait(timeout=PATIENCE), 0)
        kept, = (self.folder / "state/sinew").iterdir()
        self.assertEqual(viewer.stderr.read(), f"sinew: warning: unsaved work is in {kept}\n")
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)
        self.assertTrue((self.folder / "config/sinew/settings.json").exists())

        viewer = self.start_view("view", "demo:humanoid")
        self.wait_for_title("humanoid - sinew")
        self.keys("Return")  # Restore
        self.wait_for_title("arm - sinew")
        self.wait_until(lambda: not kept.exists(), "it is still offered")
        self.keys("ctrl+s")
        self.wait_until(lambda: list(self.folder.glob("*.glb")), "nothing is saved")
        saved, = self.folder.glob("*.glb")
        info = subprocess.run([SINEW, "info", saved, "--json"], capture_output=True, text=True,
                              timeout=PATIENCE)
        self.assertEqual(len(json.loads(info.stdout)["clips"]), 5)
        self.assertEqual(self.quit(viewer), "")

    def test_the_time_line_is_dragged(self):
        viewer = self.start_view("demo:humanoid", "--clip", "stretch", "--no-playing", "--time", "0.5",
                                 "--size", "1280x800")
        self.wait_for_title("humanoid - sinew")
        info = subprocess.run([SINEW, "info", "demo:humanoid", "--json"], capture_output=True, text=True,
                              timeout=PATIENCE)
        seconds, = (c["seconds"] for c in json.loads(info.stdout)["clips"] if c["name"] == "stretch")
        poses = {}  # of the clip, in steps that a pixel of the time line tells apart
        for i in range(101):
            poses[i / 100] = None

        def pose_at(share):
            share = round(share, 2)
            if poses[share] is None:
                file = self.folder / "at.json"
                subprocess.run([SINEW, "export", "demo:humanoid", "--clip", "stretch", "--time",
                                str(share * seconds), "--no-loop", "-o", file], check=True, timeout=PATIENCE)
                poses[share] = json.loads(file.read_text())["nodes"]
            return poses[share]

        def apart(a, b):
            return max(abs(x - y) for name in b for x, y in zip(a[name]["rotation"], b[name]["rotation"]))

        def shown(share):
            """The pose comes to be that of this share of the clip, and no other of its tenths."""
            for _ in range(5):  # frames are slow on a busy machine
                now = self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]
                near = apart(now, pose_at(share))
                if near < 0.02:
                    break
                self.pause(0.5)
            self.assertLess(near, 0.02, share)
            self.assertLess(near, 0.5 * apart(now, pose_at(share - 0.1)), share)

        left, right, y = self.time_line()
        self.assertGreater(right - left, 600)
        place = lambda share: (round(left + share * (right - left)), y)
        self.click(*place(0.4), "1")
        shown(0.4)
        self.drag(place(0.4), place(0.6))
        shown(0.6)
        self.drag(place(0.3), (1279, y - 200))  # the mouse may leave the line and the end
        shown(1.0)
        # The range's ends, and the time that stays between them.
        self.drag(place(1.0), place(0.7))
        shown(0.7)
        self.click(*place(0.9), "1")
        shown(0.7)
        self.drag(place(0.0), place(0.2))
        self.click(*place(0.1), "1")
        shown(0.2)
        self.assertGreater(self.time_line()[0], left + 0.15 * (right - left))
        self.drag(place(0.2), place(0.95))  # never beyond the other end
        shown(0.7)
        self.click(*place(0.5), "3")  # all of the clip again
        self.click(*place(0.9), "1")
        shown(0.9)
        # A frame forth and back, and from key to key.
        self.keys("Home", "Right", "Right", "Left")
        one = self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]
        self.keys("Home", "greater")
        key = self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]
        self.assertLess(apart(one, key), 1e-5)  # the clip has a key at every frame
        self.keys("greater", "less")
        self.assertLess(apart(one, self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]), 1e-5)
        self.assertGreater(apart(one, pose_at(0.5)), 0.02)
        self.assertEqual(self.quit(viewer), "")

    def test_a_range_plays_to_and_fro(self):
        viewer = self.start_view("demo:humanoid", "--clip", "stretch", "--no-playing", "--time", "0",
                                 "--size", "1280x800")
        self.wait_for_title("humanoid - sinew")
        left, right, y = self.time_line()
        self.drag((right, y), (round(left + 0.1 * (right - left)), y))
        self.keys("shift+l", "space")
        self.pause(1.5)
        self.keys("space")
        self.pause(0.3)
        now = self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]["LeftUpperArm"]["rotation"]

        def off(at):
            file = self.folder / "at.json"
            subprocess.run([SINEW, "export", "demo:humanoid", "--clip", "stretch", "--time", str(at), "-o",
                            file], check=True, timeout=PATIENCE)
            pose = json.loads(file.read_text())["nodes"]["LeftUpperArm"]["rotation"]
            return max(abs(a - b) for a, b in zip(now, pose))

        self.assertLess(min(off(0.06 * i) for i in range(11)), 0.03)  # the clip has 6 s
        self.assertEqual(self.quit(viewer), "")
        self.assertTrue(self.settings()["ping-pong"])

    def test_layers_stay_when_a_motion_is_put_on_the_model(self):
        layer_file = self.folder / "layers.json"
        layer_file.write_text(json.dumps({"sinew": "layers", "layers": [
            {"name": "nod", "kind": "formula", "joint": "Head", "axis": [1, 0, 0], "formula": "20"}]}))
        motion = self.folder / "motion.glb"
        subprocess.run([SINEW, "export", "demo:humanoid", "-o", motion, "--quiet"], check=True,
                       timeout=PATIENCE)
        viewer = self.start_view("demo:humanoid", "--clip", "walk", "--no-playing")
        self.wait_for_title("humanoid - sinew")
        self.type_name("ctrl+p", layer_file.name)
        layers = lambda: self.saved("ctrl+l", "sinew-humanoid-layers-*.json")["layers"]
        before = layers()
        self.assertEqual([l["name"] for l in before], ["nod"])
        self.type_name("ctrl+m", motion.name)
        self.pause(3)
        self.assertEqual(layers(), before)
        pose = self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]["Head"]["rotation"]
        self.assertGreater(abs(pose[0]), 0.1)  # and they move it
        self.assertEqual(self.quit(viewer), "")

    def test_layers_stay_when_the_model_is_bound_anew(self):
        self.write_tube()
        layer_file = self.folder / "layers.json"
        bend = {"kind": "formula", "axis": [1, 0, 0], "formula": "20"}
        viewer = self.start_view("tube.obj", "--size", "1280x800")
        self.wait_for_title("tube - sinew")
        self.choose_skeleton("tube.tgf")
        self.keys("ctrl+b")
        self.saved_within(3)
        layer_file.write_text(json.dumps({"sinew": "layers", "layers": [
            {"name": "first", "joint": "joint1", **bend}, {"name": "second", "joint": "joint2", **bend},
            {"name": "tip", "joint": "joint3", **bend}]}))
        self.type_name("ctrl+p", layer_file.name)
        names = lambda: [l["name"] for l in self.saved("ctrl+l", "sinew-tube-layers-*.json")["layers"]]
        self.assertEqual(names(), ["first", "second", "tip"])
        self.keys("ctrl+b")
        self.pause(3)
        self.assertEqual(names(), ["first", "second", "tip"])
        (self.folder / "short.tgf").write_text("1 0 0 0\n2 0 1 0\n#\n1 2\n")
        self.choose_skeleton("short.tgf")
        self.keys("ctrl+b")
        self.saved_within(2)
        self.assertEqual(names(), ["first", "second"])
        self.assertEqual(self.quit(viewer), "")

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

    GREEN = (120, 214, 98)  # of the arrow upwards

    def test_a_target_is_dragged_and_put_back(self):
        arm = {"name": "arm", "kind": "ik-two-bone", "root": "LeftUpperArm", "middle": "LeftLowerArm",
               "tip": "LeftHand", "target": [0.45, 1.1, 0.3]}
        viewer = self.start_layers([arm])
        hand = lambda: self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]["LeftUpperArm"]
        before = hand()
        self.keys("BackSpace")  # saving has held no pose; if it had, layers would wait
        tip = min(self.pixels_like(self.GREEN), key=lambda p: p[1])
        self.drag(tip, (tip[0], tip[1] - 60))
        layer, = self.saved_layers()
        x, y, z = layer["target"]
        self.assertEqual((round(x, 5), round(z, 5)), (0.45, 0.3))
        self.assertGreater(y, 1.15)
        self.assertNotEqual(hand(), before)
        self.keys("ctrl+z")
        layer, = self.saved_layers()
        self.assertEqual([round(v, 5) for v in layer["target"]], arm["target"])
        self.assertEqual(hand(), before)
        self.assertEqual(self.quit(viewer), "")

    def test_layers_change_places_and_are_masked_added_and_removed(self):
        layers = [{"name": "low", "kind": "clip", "clip": "wave"},
                  {"name": "high", "kind": "breathing", "chest": "Chest"}]
        viewer = self.start_layers(layers)
        names = lambda: [layer["name"] for layer in self.saved_layers()]

        # The panel is as wide and its rows as high whatever it shows.
        click = lambda x, y: self.click(x, y, "1")
        self.assertEqual(names(), ["low", "high"])
        click(1033, 320)  # Up, of the lowest, which is chosen at first
        self.assertEqual(names(), ["high", "low"])
        click(1123, 320)  # Down
        self.assertEqual(names(), ["low", "high"])
        click(1213, 320)  # Remove
        self.assertEqual(names(), ["high"])
        click(1123, 320)  # Add a layer, one row higher now: a list opens
        click(1160, 352)
        self.assertEqual(len(names()), 2)
        self.keys("ctrl+z", "ctrl+z")
        self.assertEqual(names(), ["low", "high"])
        self.assertEqual(self.quit(viewer), "")

    def test_a_hand_reaches_by_turns_of_its_arm(self):
        viewer = self.start_view("demo:humanoid", "--clip", "none", "--show", "weights:LeftHand",
                                 "--size", "1280x800")
        self.wait_for_title("humanoid - sinew")
        self.keys("h", "a", "shift+k")  # arrows along the model's axes
        pose = lambda: self.saved("ctrl+alt+s", "sinew-humanoid-pose-*.json")["nodes"]
        before = pose()
        tip = min(self.pixels_like(self.GREEN), key=lambda p: p[1])
        self.drag(tip, (tip[0], tip[1] - 60))
        after = pose()
        turned = {name for name in after if after[name]["rotation"] != before[name]["rotation"]}
        self.assertEqual(turned, {"LeftUpperArm", "LeftLowerArm"})
        for name in after:
            self.assertEqual(after[name]["translation"], before[name]["translation"])
        self.assertEqual(self.quit(viewer), "")

    def test_a_model_falls_comes_back_and_its_fall_is_exported(self):
        viewer = self.start_view("view", "demo:humanoid", "--clip", "walk")
        self.wait_for_title("humanoid - sinew")
        self.pause(1)

        def head():
            before = set(self.folder.glob("*-pose*.json"))
            self.keys("ctrl+alt+s")
            self.wait_until(lambda: set(self.folder.glob("*-pose*.json")) - before, "no pose")
            file, = set(self.folder.glob("*-pose*.json")) - before
            out = self.folder / "posed.obj"
            subprocess.run([SINEW, "export", "demo:humanoid", "--pose", file, "-o", out, "--quiet"],
                           check=True, timeout=PATIENCE)
            return max(float(line.split()[2]) for line in out.read_text().splitlines()
                       if line.startswith("v "))

        self.assertGreater(head(), 1.6)
        self.keys("shift+y", "u")
        self.wait_until(lambda: self.pause(1) or head() < 1.1, "it does not fall")
        self.keys("shift+u")  # a ball
        self.pause(1)
        self.keys("ctrl+shift+e")
        self.wait_until(lambda: list(self.folder.glob("*-ragdoll*.glb")), "no recording")
        fallen, = self.folder.glob("*-ragdoll*.glb")
        info = json.loads(subprocess.run([SINEW, "info", fallen, "--json"], capture_output=True,
                                         text=True, timeout=PATIENCE).stdout)
        self.assertEqual([c["name"] for c in info["clips"]], ["ragdoll"])
        self.assertGreater(info["clips"][0]["seconds"], 0.5)
        self.keys("u")
        self.wait_until(lambda: self.pause(1) or head() > 1.6, "it does not come back")
        self.assertEqual(self.quit(viewer), "")

    def test_a_zone_is_dragged_saved_and_read(self):
        viewer = self.start_arm("--method", "arc-spline")
        self.keys("z")
        ring = self.pixels_like((84, 214, 226))
        self.assertGreater(len(ring), 40, "no rings")
        start = max(ring)
        self.drag(start, (start[0] + 60, start[1]))
        self.keys("ctrl+alt+z")
        file = self.folder / "arm.zones.json"
        self.wait_until(file.exists, "no zones")
        zone = json.loads(file.read_text())["joints"]["LowerArm"]
        self.assertEqual(list(zone), ["max"])
        self.assertGreater(zone["max"], 0.05)
        self.keys("ctrl+z")
        self.keys("ctrl+alt+z")
        self.wait_until(lambda: not json.loads(file.read_text())["joints"], "not undone")
        self.assertEqual(self.quit(viewer), "")
        file.write_text('{"sinew": "zones", "joints": {"LowerArm": {"max": 0}}}')
        done = self.run_view("demo:arm", "--zones", file, "--frames", 2)
        self.assertEqual(done.returncode, 3)
        self.assertIn("'max' of joint 'LowerArm'", done.stderr)

    # Weights

    def saved_weights(self, file):
        """Saved now: per vertex {joint: weight}."""
        stamp = file.stat().st_mtime_ns if file.exists() else 0
        self.keys("ctrl+shift+w")
        self.wait_until(lambda: file.exists() and file.stat().st_mtime_ns != stamp, "nothing saved")
        saved = json.loads(file.read_text())
        return [{saved["joints"][j]: w for j, w in vertex} for vertex in saved["weights"]]

    def test_a_stroke_is_painted_undone_done_again_saved_and_read(self):
        model = self.folder / "arm.glb"
        done = subprocess.run([SINEW, "export", "demo:arm", "-o", model], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        file = self.folder / "arm.glb.weights.json"
        viewer = self.start_view(model, "--clip", "none", "--show", "weights:UpperArm", "--size", "1280x800",
                                 "--yaw", "20", "--pitch", "30")
        self.wait_for_title("arm - sinew")
        self.keys("q")
        self.pause(0.5)
        before = self.saved_weights(file)
        plain = self.picture()
        columns = {}  # the forearm: blue, for none of it is the upper arm's
        for y in range(100, 600):
            for x in range(300, 950):
                if plain[y][x][2] > 150 and max(plain[y][x][:2]) < 70:
                    columns.setdefault(x, []).append(y)
        xs = sorted(x for x in columns if x > 600 and len(columns[x]) > 20)
        middle_of = lambda x: (x, columns[x][len(columns[x]) // 2])
        self.drag(middle_of(xs[len(xs) // 5]), middle_of(xs[len(xs) // 2]))
        painted = self.saved_weights(file)
        shown = self.picture()
        changed = [v for v, (a, b) in enumerate(zip(before, painted)) if a != b]
        self.assertGreater(len(changed), 10)
        self.assertLess(len(changed), 0.8 * len(before))
        self.assertTrue(all(painted[v]["UpperArm"] > before[v].get("UpperArm", 0) for v in changed))
        self.assertTrue(all(abs(sum(vertex.values()) - 1) < 1e-5 for vertex in painted))
        middle = [(x, y) for y in range(100, 600) for x in range(300, 950)]
        self.assertGreater(sum(plain[y][x] != shown[y][x] for x, y in middle), 500)
        self.keys("ctrl+z")
        self.assertEqual(self.saved_weights(file), before)
        self.keys("ctrl+y")
        # The file has the previous weights: painted changes are not discarded without a question.
        other = self.folder / "other.glb"
        other.write_bytes(model.read_bytes())
        self.keys("ctrl+q")
        self.pause(1)
        self.keys("Escape")
        self.type_name("ctrl+o", other.name)
        self.pause(1)
        self.keys("Escape")
        self.assertIsNone(viewer.poll(), "not asked")
        self.assertEqual(self.saved_weights(file), painted)
        self.keys("ctrl+z")  # the file still has the stroke, so this is unsaved too
        self.type_name("ctrl+o", other.name)
        self.pause(1)
        self.keys("Escape")
        self.assertTrue(self.xdotool("search", "--name", "^arm - sinew$").stdout, "not asked")
        self.keys("ctrl+y")  # as in the file: opened at once
        self.type_name("ctrl+o", other.name)
        self.wait_for_title("other - sinew")
        self.assertEqual(self.quit(viewer), "")
        info = subprocess.run([SINEW, "info", model], capture_output=True, text=True, cwd=self.folder)
        self.assertIn("arm.glb.weights.json", info.stdout)
        viewer = self.start_view(model, "--clip", "none")
        self.wait_for_title("arm - sinew")
        self.assertEqual(self.saved_weights(file), painted)
        self.assertEqual(self.quit(viewer), "")

    def test_spline_weights_are_painted_and_look_as_the_saved_ones_do(self):
        file = self.folder / "body-arm-splines.weights.json"
        pictures = []
        for words in [[], ["--weights", file]]:
            viewer = self.start_view("demo:body-arm-splines", "--clip", "0", "--time", "2", "--no-playing",
                                     "--method", "arc-spline,lbs", "--show", "weights:ArmStart", "--size",
                                     "1280x800", *words)
            self.wait_for_title("body-arm-splines - sinew")
            self.keys("shift+q")
            self.pause(6.5)  # until the last toast has gone
            pictures.append(self.picture())
            if not words:
                columns = {}  # the body in the upper view: blue, for none of it is the arm's
                for y in range(60, 350):
                    for x in range(300, 950):
                        if pictures[0][y][x][2] > 150 and max(pictures[0][y][x][:2]) < 70:
                            columns.setdefault(x, []).append(y)
                x = max(columns, key=lambda c: len(columns[c]))
                self.drag((x, columns[x][len(columns[x]) // 4]), (x, columns[x][3 * len(columns[x]) // 4]))
                self.keys("ctrl+shift+w")
                self.wait_until(file.exists, "nothing saved")
                self.pause(6.5)
                pictures.append(self.picture())
            self.assertEqual(self.quit(viewer), "")
        region = [(x, y) for y in range(60, 640) for x in range(300, 950)]
        apart = lambda a, b: sum(a[y][x] != b[y][x] for x, y in region)
        self.assertGreater(apart(pictures[0], pictures[1]), 500)
        self.assertLess(apart(pictures[1], pictures[2]), 50)
        saved = json.loads(file.read_text())
        self.assertEqual(saved["splines"], ["Body", "Arm", "Elbow"])
        self.assertTrue(all(abs(sum(w for _, w in vertex) - 1) < 1e-5
                            for vertex in saved["spline_weights"]))

    def test_a_spline_is_laid_on_a_mesh_without_joints_dragged_painted_saved_and_read(self):
        self.write_tube()
        file = self.folder / "tube.obj.splines.json"
        words = ["tube.obj", "--method", "arc-spline", "--size", "1280x800", "--yaw", "60"]
        viewer = self.start_view(*words)
        self.wait_for_title("tube - sinew")
        self.keys("ctrl+shift+c")

        def splines():
            """Saved now: the splines and per vertex {spline: weight}."""
            stamp = file.stat().st_mtime_ns if file.exists() else 0
            self.keys("ctrl+shift+f")
            self.wait_until(lambda: file.exists() and file.stat().st_mtime_ns != stamp, "nothing saved")
            saved = json.loads(file.read_text())
            return saved["splines"], [{saved["weights_of"][s]: w for s, w in vertex}
                                      for vertex in saved["weights"]]

        laid, weights = splines()
        self.assertEqual([each["name"] for each in laid], ["spline"])
        self.assertTrue(all(vertex == {"spline": 1} for vertex in weights))
        # A drag of its first control point along the blue arrow moves all that follows.
        middle = [(x, y) for y in range(60, 640, 3) for x in range(300, 950, 3)]
        self.pause(7)  # a message stays six seconds; that of saving lies over the arrow
        plain = self.picture()
        arrow = self.pixels_like((92, 146, 255), rows=plain)
        self.assertGreater(len(arrow), 10, "no arrow")
        start = sorted(arrow)[len(arrow) // 2]
        tip = max(arrow, key=lambda p: math.dist(p, start))
        self.drag(start, (start[0] + 2 * (tip[0] - start[0]), start[1] + 2 * (tip[1] - start[1])))
        moved = self.picture()
        self.assertGreater(sum(plain[y][x] != moved[y][x] for x, y in middle), 500)
        self.keys("ctrl+z")
        # Painted away from the spline, as black: the stroke is in the file of splines.
        self.keys("shift+q")
        self.pause(0.5)
        rows = self.picture()
        skin = [(x, y) for x, y in middle if rows[y][x][0] > 150 and max(rows[y][x][1:]) < 90]
        self.assertGreater(len(skin), 50, "no skin of the spline's")
        xs = sorted(x for x, _ in skin)
        ys = sorted(y for _, y in skin)
        x, y = xs[len(xs) // 2], ys[len(ys) // 2]
        self.xdotool("keydown", "ctrl")
        self.drag((x, y), (x, y + 40))
        self.xdotool("keyup", "ctrl")
        _, painted = splines()
        self.assertGreater(sum(vertex.get("spline", 0) < 1 for vertex in painted), 5)
        self.assertGreater(sum(vertex == {"spline": 1} for vertex in painted), 5)
        self.assertEqual(self.quit(viewer), "")
        info = subprocess.run([SINEW, "info", "tube.obj"], capture_output=True, text=True, cwd=self.folder)
        self.assertIn("free spline spline: spline.1, spline.2, spline.3", info.stdout)
        self.assertIn("tube.obj.splines.json", info.stdout)
        viewer = self.start_view(*words)
        self.wait_for_title("tube - sinew")
        self.keys("shift+c")
        self.assertEqual(splines(), (laid, painted))
        self.assertEqual(self.quit(viewer), "")

    # Binding

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
        """The model saved as .glb now, or None where there is none to save."""
        files = lambda: set(self.folder.glob("*.glb"))
        before = files()
        for _ in range(20):
            self.keys("ctrl+e")
            self.pause(0.3)
            if files() - before:
                return max(files() - before)
        return None

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
            if file and self.joints_of(file) == joints:
                return file
        self.fail(f"no file with {joints} joints")

    def test_a_mesh_is_bound_undone_and_saved(self):
        self.write_tube()
        viewer = self.start_view("tube.obj", "--size", "1280x800")
        self.wait_for_title("tube - sinew")
        self.saved_within(0)
        self.choose_skeleton("tube.tgf")
        self.keys("ctrl+b")
        bound = self.saved_within(3)
        self.keys("ctrl+z")  # the skeleton is there again, unbound
        before = set(self.folder.glob("*.glb"))
        self.keys("ctrl+e", "ctrl+e")
        self.assertEqual(set(self.folder.glob("*.glb")), before)
        self.keys("ctrl+z")
        self.saved_within(0)
        self.keys("ctrl+y", "ctrl+y")
        self.assertEqual(self.saved_within(3).read_bytes(), bound.read_bytes())
        self.assertEqual(self.quit(viewer), "")
        # The command line makes the same of the same.
        for name, mesh, more in [("a", "tube.obj", []), ("b", bound, [])]:
            skeleton = "tube.tgf" if name == "a" else bound
            done = subprocess.run([SINEW, "weights", str(mesh), "--skeleton", str(skeleton), "-o",
                                   f"{name}.json"], capture_output=True, text=True,
                                  timeout=PATIENCE, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
        picture = self.folder / "bound.png"
        done = self.run_view(bound, "--frames", 3, "--show", "weights:joint2", "--screenshot", picture,
                             "--size", "1024x640")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = read_png(picture)[2]
        red = sum(p[0] > 150 and p[1] < 90 and p[2] < 90 for row in rows for p in row)
        self.assertGreater(red, 1000, "nothing hangs on the upper bone")

    def test_binding_is_cancelled_and_errors_leave_the_model(self):
        self.write_tube(rings=500, around=200)
        viewer = self.start_view("tube.obj", "--size", "1280x800")
        self.wait_for_title("tube - sinew")
        (self.folder / "bad.tgf").write_text("1 0 0\n")
        self.choose_skeleton("bad.tgf")
        self.saved_within(0)
        self.choose_skeleton("tube.tgf")
        self.keys("ctrl+b", "Escape")
        self.pause(8.0)  # longer than the binding would take
        before = set(self.folder.glob("*.glb"))
        self.keys("ctrl+e", "ctrl+e")
        self.assertEqual(set(self.folder.glob("*.glb")), before, "it was bound all the same")
        self.keys("ctrl+z")
        self.saved_within(0)
        self.assertEqual(self.quit(viewer), "")

    def test_both_algorithms_are_compared_and_a_joint_is_added_and_removed(self):
        self.write_tube()
        viewer = self.start_view("tube.obj", "--size", "1280x800", "--yaw", "0", "--pitch", "0")
        self.wait_for_title("tube - sinew")
        self.choose_skeleton("tube.tgf")
        self.keys("ctrl+shift+b")
        shots = set()

        def two_views():
            self.keys("shift+p")
            self.pause(0.5)
            new = sorted(set(self.folder.glob("sinew-tube-0*.png")) - shots)
            shots.update(new)
            if not new:
                return False
            rows = read_png(new[-1])[2]
            reds = [sum(p[0] > 150 and p[1] < 90 and p[2] < 90 for row in rows[60:700]
                        for p in row[a:b]) for a, b in ((255, 615), (625, 985))]
            return min(reds) > 500
        self.wait_until(two_views, "no heat maps side by side")
        # The joint where they differ most is selected: a child of it, and away with it.
        self.keys("Insert", "ctrl+b")
        self.saved_within(4)
        self.keys("ctrl+z", "Delete", "ctrl+b")
        self.saved_within(3)
        self.assertEqual(self.quit(viewer), "")


def load_tests(loader, _tests, _pattern):
    names = loader.getTestCaseNames(ViewerTest)
    return unittest.TestSuite(map(ViewerTest, names[PART - 1::PARTS]))


if __name__ == "__main__":
    SINEW = os.path.abspath(sys.argv.pop(1))
    if "--part" in sys.argv:
        at = sys.argv.index("--part")
        PART, PARTS = map(int, sys.argv[at + 1].split("/"))
        del sys.argv[at:at + 2]
    unittest.main()
