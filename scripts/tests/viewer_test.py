#!/usr/bin/env python3
"""The window: views, pictures, files, errors. Usage: viewer_test.py SINEW."""
import json
import shutil
import struct
import subprocess
import unittest

import window_driver
from window_driver import colors, PATIENCE, read_png, WindowTest


class Look(WindowTest):
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
        subprocess.run([window_driver.SINEW, "export", "demo:tentacle", "-o", self.folder / "curl.glb", "--quiet"],
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


if __name__ == "__main__":
    window_driver.main()
