#!/usr/bin/env python3
"""The window: its picture, its settings, its errors. Usage: viewer_test.py SINEW."""
import json

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

    def test_menus_by_keys_alone(self):
        """Alt opens the first, arrows those beside it, in the end the first again: its last entry quits."""
        viewer = self.start_view("view", "demo:arm", "--fresh", "--size", "1024x640")
        self.wait_for_title("arm - sinew")
        self.keys("Alt_L", *5 * ["Right"], "Left", "Right", "Up", "Return")
        self.assertEqual(viewer.wait(timeout=PATIENCE), 0)

    def test_difference_view(self):
        picture = self.folder / "a.png"
        done = self.run_view("demo:humanoid", "--clip", "stretch", "--time", "2.25", "--no-playing",
                             "--method", "lbs,arc-spline", "--difference", "lbs", "--frames", 3,
                             "--screenshot", picture, "--size", "1024x640")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        width, height, rows = read_png(picture)
        coloured = sum(int(p[0]) > p[2] + 80 for row in rows for p in row)  # yellow to red; the rest is grey
        self.assertGreater(coloured, 500)

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
